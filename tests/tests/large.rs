//! Sizes near and past 2^31 and 2^32, on the GPU: nearly all elements are zero, and the few that are not say whether
//! every one was seen, once, and where. Needs about 10 GiB of device memory at a time.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use warpfold::{Rows, warp_filter, warp_reduce, warp_scan};
use warpfold_tests::check::{self, steps_aside};
use warpfold_tests::ran_on_gpu;

#[warp_reduce(op = sum)]
fn total(x: u8) -> u64 {
    x as u64
}

#[warp_reduce(op = argmax)]
fn largest(x: u8) -> u8 {
    x
}

#[warp_scan(op = max)]
fn largest_so_far(x: u8) -> u8 {
    x
}

#[warp_filter]
fn marked(x: u8) -> bool {
    x > 0
}

#[warp_reduce(op = max, land = all, apply = |peak| peak - x)]
fn below_peak(x: u8) -> u8 {
    x
}

const GIB_4: usize = 1 << 32;

/// A stream of the GPU; without one the test that asks is skipped. The sanitizers see the same kernels on fewer elements
/// in other tests, and would take hours here.
#[track_caller]
fn gpu() -> Option<Arc<CudaStream>> {
    if steps_aside("this would take hours") {
        return None;
    }
    check::gpu().map(|_| CudaContext::new(0).unwrap().new_stream().unwrap())
}

/// `n` bytes of zero but for `marks`: where, and what.
fn bytes(stream: &Arc<CudaStream>, n: usize, marks: &[(usize, u8)]) -> CudaSlice<u8> {
    let mut all = stream.alloc_zeros::<u8>(n).unwrap();
    for &(at, mark) in marks {
        stream.memcpy_htod(&[mark], &mut all.slice_mut(at..=at)).unwrap();
    }
    all
}

/// The byte at each of `places`.
fn at<const N: usize>(stream: &Arc<CudaStream>, all: &CudaSlice<u8>, places: [usize; N]) -> [u8; N] {
    places.map(|place| stream.clone_dtoh(&all.slice(place..=place)).unwrap()[0])
}

/// Rising marks at both ends and around every power of two that a 32-bit count or offset could stop at.
fn marks(n: usize) -> Vec<(usize, u8)> {
    let places = [
        0,
        1,
        (1 << 31) - 1,
        1 << 31,
        (1 << 31) + 1,
        GIB_4 - 1,
        GIB_4,
        GIB_4 + 1,
        n - 1,
    ];
    let mut places: Vec<usize> = places.into_iter().filter(|&place| place < n).collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().zip(1..).collect()
}

#[test]
fn arrays_past_31_and_32_bits() {
    let Some(stream) = gpu() else { return };
    for n in [(1 << 31) - 1, 1 << 31, (1 << 31) + 1, GIB_4 + 5] {
        let marks = marks(n);
        let x = bytes(&stream, n, &marks);
        let sum: u64 = marks.iter().map(|&(_, mark)| u64::from(mark)).sum();
        assert_eq!(total::array(&x).unwrap(), sum, "sum of {n}");
        let (last, most) = *marks.last().unwrap();
        assert_eq!(largest::array(&x).unwrap(), (most, last as u64), "argmax of {n}");

        let running = largest_so_far::array(&x).unwrap();
        for pair in marks.windows(2) {
            let [(from, mark), (to, next)] = [pair[0], pair[1]];
            let seen = at(
                &stream,
                &running,
                [from, usize::midpoint(from, to - 1), to - 1, to],
            );
            assert_eq!(seen, [mark, mark, mark, next], "scan of {n} from {from} to {to}");
        }
        drop(running);

        let found = marked::indices(&x).unwrap();
        let indices = stream.clone_dtoh(&found).unwrap();
        assert_eq!(
            indices,
            marks.iter().map(|&(place, _)| place as u64).collect::<Vec<_>>()
        );
        let kept = marked::array(&x).unwrap();
        assert_eq!(
            stream.clone_dtoh(&kept).unwrap(),
            marks.iter().map(|&(_, mark)| mark).collect::<Vec<_>>()
        );
    }
    ran_on_gpu();
}

#[test]
fn rows_times_columns_past_32_bits() {
    let Some(stream) = gpu() else { return };
    for (rows, cols) in [(65_537, 65_536), (3, (1 << 31) - 1), (1 << 26, 65)] {
        let n = rows * cols;
        assert!(n > GIB_4);
        let mut marked_rows = vec![0, 1, rows / 2, rows - 2, rows - 1];
        marked_rows.dedup();
        let places = marked_rows.iter().map(|row| row * cols + row % cols);
        let x = bytes(&stream, n, &places.zip(1..).collect::<Vec<_>>());
        let shape = Rows::new(rows, cols);
        let sums = stream.clone_dtoh(&total::rows(shape, &x).unwrap()).unwrap();
        let (values, indices) = largest::rows(shape, &x).unwrap();
        let (values, indices) = (
            stream.clone_dtoh(&values).unwrap(),
            stream.clone_dtoh(&indices).unwrap(),
        );
        let mut sum = 0;
        for row in 0..rows {
            let expected = mark_of(&marked_rows, row);
            assert_eq!(sums[row], expected, "sum of row {row} of {rows} × {cols}");
            assert_eq!(
                u64::from(values[row]),
                expected,
                "largest of row {row} of {rows} × {cols}"
            );
            let place = if expected > 0 { row % cols } else { 0 };
            assert_eq!(
                indices[row], place as u64,
                "place in row {row} of {rows} × {cols}"
            );
            sum += sums[row];
        }
        assert!(sum > 0);
        let below = below_peak::rows(shape, &x).unwrap();
        let last = rows - 1;
        let peak = mark_of(&marked_rows, last) as u8;
        let places = [
            last * cols + last % cols,
            n - 1 - usize::from(last % cols == cols - 1),
        ];
        assert_eq!(
            at(&stream, &below, places),
            [0, peak],
            "apply over {rows} × {cols}"
        );
        let running = largest_so_far::rows(shape, &x).unwrap();
        assert_eq!(
            at(&stream, &running, [n - 1]),
            [peak],
            "scan over {rows} × {cols}"
        );
    }
    ran_on_gpu();
}

/// The mark of a row: its number among the marked ones, from 1.
fn mark_of(marked: &[usize], row: usize) -> u64 {
    marked
        .iter()
        .position(|&it| it == row)
        .map_or(0, |index| index as u64 + 1)
}

#[test]
fn very_many_rows_of_one() {
    let Some(stream) = gpu() else { return };
    let rows = 1 << 27;
    let x = bytes(&stream, rows, &[(0, 3), (rows / 2, 5), (rows - 1, 7)]);
    let sums = total::rows(Rows::new(rows, 1), &x).unwrap();
    for (row, want) in [
        (0, 3),
        (1, 0),
        (rows / 2 - 1, 0),
        (rows / 2, 5),
        (rows - 2, 0),
        (rows - 1, 7),
    ] {
        assert_eq!(
            stream.clone_dtoh(&sums.slice(row..=row)).unwrap(),
            [want],
            "row {row}"
        );
    }
    assert_eq!(
        at(
            &stream,
            &below_peak::rows(Rows::new(rows, 1), &x).unwrap(),
            [0, rows - 1]
        ),
        [0, 0]
    );
    ran_on_gpu();
}
