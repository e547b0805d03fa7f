"""What the Python peers share: the cell of a request, the data of the benches, the check of a result.

src/data.rs has the formula of the data and the reasons for it.
"""

import dataclasses
import functools

import torch

SECOND = 0x40000000
GAMMA = 0x80000000
BETA = 0xA0000000
EPSILON = 1e-6

DTYPES = {
    "f16": torch.float16,
    "f32": torch.float32,
    "f64": torch.float64,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
}


@dataclasses.dataclass(frozen=True)
class Cell:
    family: str
    work: str
    rows: int
    cols: int
    stride: int
    dtype: str
    graph: bool
    positions: tuple

    @staticmethod
    def read(words):
        family, work, rows, cols, stride, dtype, graph, positions = words
        places = tuple(int(place) for place in positions.split(","))
        return Cell(family, work, int(rows), int(cols), int(stride), dtype, graph == "1", places)

    @property
    def axis(self):
        """The axis that the work goes along, of the matrix or of the array."""
        return {"rows": 1, "columns": 0, "arrays": 0, "segments": 0}[self.family]

    @property
    def limit(self):
        """What a filter compares with: elements below it are kept."""
        kept = {"filter_1": 0.01, "filter_50": 0.5, "filter_99": 0.99}[self.work]
        return 2 * kept - 1 if self.dtype.startswith("f") else int(256 * kept) - 128


def hash32(position):
    """The hash of int64 positions, as int64 below 2^32."""
    mask = 0xFFFFFFFF
    h = position & mask
    h = h ^ (h >> 16)
    h = (h * 0x7FEB352D) & mask
    h = h ^ (h >> 15)
    h = (h * 0x846CA68B) & mask
    return h ^ (h >> 16)


def unit(position):
    return (hash32(position) >> 8).to(torch.float64) * (1 / 8388608) - 1


def _make(count, dtype, start=0, scale=1.0):
    out = torch.empty(count, dtype=DTYPES[dtype], device="cuda")
    piece = 1 << 26  # bounds the 64-bit temporaries
    for at in range(0, count, piece):
        end = min(at + piece, count)
        position = torch.arange(at + start, end + start, device="cuda")
        if dtype in ("i8", "i16", "i32"):
            out[at:end] = ((hash32(position) & 0xFF) - 128).to(DTYPES[dtype])
        else:
            out[at:end] = (unit(position) * scale).to(DTYPES[dtype])
    return out


_kept = {}


def elements(dtype, count, start=0, scale=1.0):
    """The first elements of a sequence, made once and kept: every cell uses a part of them."""
    key = (dtype, start, scale)
    if key not in _kept or _kept[key].numel() < count:
        _kept.pop(key, None)
        _kept[key] = _make(count, dtype, start, scale)
    return _kept[key][:count]


class Data:
    """The inputs of a cell."""

    def __init__(self, cell):
        self.cell = cell

    @functools.cached_property
    def lengths(self):
        """Elements of each segment: src/data.rs has these formulas; the spread is the cell's stride."""
        cell = self.cell
        segment = torch.arange(cell.rows, device="cuda")
        if cell.stride == 0:
            return torch.full_like(segment, cell.cols)
        chance = hash32(segment)
        if cell.stride == 1:
            return (4 << 16) // ((chance >> 16) + 1)
        if cell.stride == 2:
            lengths = chance % 51
            lengths[cell.rows // 2] = 100_000_000
            return lengths
        return (chance & 1) * cell.cols

    @functools.cached_property
    def offsets(self):
        """Where the segments start, and where the last one ends."""
        zero = torch.zeros(1, dtype=torch.int64, device="cuda")
        return torch.cat((zero, torch.cumsum(self.lengths, 0)))

    @functools.cached_property
    def x(self):
        cell = self.cell
        if cell.family == "segments":
            return elements(cell.dtype, int(self.offsets[-1].item()))
        flat = elements(cell.dtype, cell.rows * cell.stride)
        if cell.family == "arrays":
            return flat
        return flat.view(cell.rows, cell.stride)[:, : cell.cols]

    @functools.cached_property
    def second(self):
        scale = 0.5 if self.cell.work == "recurrence" else 1.0
        return elements(self.cell.dtype, self.cell.cols, SECOND, scale)

    @functools.cached_property
    def gamma(self):
        position = torch.arange(self.cell.cols, device="cuda") + GAMMA
        return (1 + 0.5 * unit(position)).to(DTYPES[self.cell.dtype])

    @functools.cached_property
    def beta(self):
        position = torch.arange(self.cell.cols, device="cuda") + BETA
        return unit(position).to(DTYPES[self.cell.dtype])


def number(value):
    """A JSON number; null where there is none."""
    value = float(value)
    return value if value == value and abs(value) != float("inf") else None


def check(name, result, cell):
    """What a peer reports of its first launch."""
    flat = result.reshape(-1)
    at = [number(flat[place].item()) if place < flat.numel() else None for place in cell.positions]
    wide = torch.float64
    total = torch.sum(flat, dtype=wide).item()
    magnitude = torch.sum(flat.abs(), dtype=wide).item()
    return {"name": name, "at": at, "total": number(total) or 0.0, "magnitude": number(magnitude) or 0.0}


def self_test():
    position = torch.tensor([0, 1, 12345])
    assert hash32(position).tolist() == [0, 0x688990C0, 0x912EFCF7], hash32(position).tolist()


self_test()
