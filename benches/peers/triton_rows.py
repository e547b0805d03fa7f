"""Triton by hand: a block of whole rows a program, in registers, for rows of up to 16,384 elements."""

import torch
import triton
import triton.language as tl

from common import EPSILON

NAME = "triton"

WORKS = ("max", "sum", "argmax", "variance", "log_sum_exp", "running_sum", "softmax", "rms_norm", "layer_norm")
LONGEST = 16384


@triton.jit
def rows_kernel(
    x, gamma, beta, out, rows, cols, stride, eps, WORK: tl.constexpr, R: tl.constexpr, C: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64) * R + tl.arange(0, R)
    col = tl.arange(0, C)
    row_live = row < rows
    col_live = col < cols
    live = row_live[:, None] & col_live[None, :]
    source = x + row[:, None] * stride + col[None, :]
    target = out + row[:, None] * cols + col[None, :]
    if WORK == "max" or WORK == "argmax" or WORK == "softmax" or WORK == "log_sum_exp":
        v = tl.load(source, mask=live, other=-float("inf")).to(tl.float32)
    else:
        v = tl.load(source, mask=live, other=0.0).to(tl.float32)
    if WORK == "max":
        tl.store(out + row, tl.max(v, axis=1), mask=row_live)
    elif WORK == "argmax":
        tl.store(out + row, tl.argmax(v, axis=1).to(tl.int64), mask=row_live)
    elif WORK == "sum":
        tl.store(out + row, tl.sum(v, axis=1), mask=row_live)
    elif WORK == "variance":
        mean = tl.sum(v, axis=1) / cols
        d = tl.where(live, v - mean[:, None], 0.0)
        tl.store(out + row, tl.sum(d * d, axis=1) / cols, mask=row_live)
    elif WORK == "log_sum_exp":
        m = tl.max(v, axis=1)
        s = tl.sum(tl.exp(v - m[:, None]), axis=1)
        tl.store(out + row, m + tl.log(s), mask=row_live)
    elif WORK == "running_sum":
        tl.store(target, tl.cumsum(v, axis=1), mask=live)
    elif WORK == "softmax":
        m = tl.max(v, axis=1)
        e = tl.exp(v - m[:, None])
        tl.store(target, e / tl.sum(e, axis=1)[:, None], mask=live)
    elif WORK == "rms_norm":
        g = tl.load(gamma + col, mask=col_live, other=0.0)
        scale = tl.rsqrt(tl.sum(v * v, axis=1) / cols + eps)
        tl.store(target, v * scale[:, None] * g[None, :], mask=live)
    elif WORK == "layer_norm":
        g = tl.load(gamma + col, mask=col_live, other=0.0)
        b = tl.load(beta + col, mask=col_live, other=0.0)
        mean = tl.sum(v, axis=1) / cols
        d = tl.where(live, v - mean[:, None], 0.0)
        scale = tl.rsqrt(tl.sum(d * d, axis=1) / cols + eps)
        tl.store(target, d * scale[:, None] * g[None, :] + b[None, :], mask=live)


def implement(cell, data):
    """A launch of the kernel, or None where the row does not fit a program."""
    if cell.family != "rows" or cell.work not in WORKS or cell.cols > LONGEST or cell.dtype not in ("f16", "f32"):
        return None
    x = data.x
    width = triton.next_power_of_2(cell.cols)
    block = max(1, 4096 // width)
    warps = 4 if width * block <= 4096 else 8 if width * block <= 8192 else 16
    reduces = cell.work in ("max", "sum", "argmax", "variance", "log_sum_exp")
    kind = torch.int64 if cell.work == "argmax" else x.dtype
    out = torch.empty(cell.rows if reduces else (cell.rows, cell.cols), dtype=kind, device="cuda")
    norm = cell.work in ("rms_norm", "layer_norm")
    gamma = data.gamma if norm else x
    beta = data.beta if norm else x
    grid = (triton.cdiv(cell.rows, block),)

    def launch():
        rows_kernel[grid](
            x, gamma, beta, out, cell.rows, cell.cols, cell.stride, EPSILON, cell.work, block, width, num_warps=warps
        )
        return out

    return launch
