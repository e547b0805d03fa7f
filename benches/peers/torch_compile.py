"""torch.compile (inductor) over the plain formula of each work, one compilation a shape."""

import torch

from common import EPSILON

NAME = "inductor"

# Inductor makes nothing of these that PyTorch would not run alone.
WITHOUT = ("filter", "recurrence", "running_max", "count")


def formula(cell, data):
    axis = cell.axis
    if cell.work == "rms_norm":
        gamma = data.gamma

        def rms_norm(x, gamma):
            return x * torch.rsqrt(x.square().mean(axis, keepdim=True) + EPSILON) * gamma

        return rms_norm, (data.x, gamma)
    if cell.work == "layer_norm":
        gamma, beta = data.gamma, data.beta

        def layer_norm(x, gamma, beta):
            variance, mean = torch.var_mean(x, dim=axis, correction=0, keepdim=True)
            return (x - mean) * torch.rsqrt(variance + EPSILON) * gamma + beta

        return layer_norm, (data.x, gamma, beta)
    if cell.work == "dot":
        return (lambda x, y: torch.sum(x * y)), (data.x, data.second)
    simple = {
        "max": lambda x: torch.amax(x, dim=axis),
        "sum": lambda x: torch.sum(x, dim=axis),
        "argmax": lambda x: torch.argmax(x, dim=axis),
        "variance": lambda x: torch.var_mean(x, dim=axis, correction=0)[0],
        "log_sum_exp": lambda x: torch.logsumexp(x, dim=axis),
        "running_sum": lambda x: torch.cumsum(x, dim=axis, dtype=x.dtype),
        "softmax": lambda x: torch.softmax(x, dim=axis),
    }
    if cell.work in simple:
        return simple[cell.work], (data.x,)
    return None, ()


def implement(cell, data):
    """A compiled function of the cell, or None."""
    if cell.family == "segments" or cell.work.startswith(WITHOUT):
        return None
    function, inputs = formula(cell, data)
    if function is None:
        return None
    torch._dynamo.reset()
    compiled = torch.compile(function, dynamic=False)
    return lambda: compiled(*inputs)
