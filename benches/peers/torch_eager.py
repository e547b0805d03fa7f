"""PyTorch, one operator at a time, as people call it."""

import torch
import torch.nn.functional as F

from common import EPSILON

NAME = "torch"


def implement(cell, data):
    """A function that computes the cell, or None where PyTorch has no call for it."""
    x, axis = data.x, cell.axis
    work = cell.work
    if cell.family == "segments":
        if work != "sum" or cell.dtype != "f32":
            return None  # segment_reduce takes floats alone, and there is no scan
        offsets = data.offsets
        return lambda: torch.segment_reduce(x, "sum", offsets=offsets, unsafe=True)
    if work == "max":
        # amax gives the value alone; max along an axis would find the indices too.
        return lambda: torch.amax(x, dim=axis)
    if work == "sum":
        return lambda: torch.sum(x, dim=axis)
    if work == "argmax":
        return lambda: torch.argmax(x, dim=axis)
    if work == "variance":
        return lambda: torch.var_mean(x, dim=axis, correction=0)[0]
    if work == "log_sum_exp":
        return lambda: torch.logsumexp(x, dim=axis)
    if work == "running_sum":
        # Without a type the sum of small integers would be kept in 64 bits.
        return lambda: torch.cumsum(x, dim=axis, dtype=x.dtype)
    if work == "running_max":
        return lambda: torch.cummax(x, dim=axis)[0]
    if work == "softmax":
        return lambda: torch.softmax(x, dim=axis)
    if work == "rms_norm":
        gamma = data.gamma
        return lambda: F.rms_norm(x, (cell.cols,), gamma, EPSILON)
    if work == "layer_norm":
        gamma, beta = data.gamma, data.beta
        return lambda: F.layer_norm(x, (cell.cols,), gamma, beta, EPSILON)
    if work == "dot":
        y = data.second
        return lambda: torch.dot(x, y)
    if work == "count":
        return lambda: torch.count_nonzero(x > 0)
    if work.startswith("filter"):
        limit = cell.limit
        return lambda: torch.masked_select(x, x < limit)
    return None
