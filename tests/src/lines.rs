//! The lines that one input has in every form, and calls of a spec with one parameter in each of them.

/// Rows, columns and the elements from one row to the next: in a part of a warp, a warp, a tile, several tiles.
pub const SHAPES: [(usize, usize, usize); 4] = [(21, 20, 23), (9, 32, 32), (3, 1000, 1000), (1, 4501, 4501)];

/// The same elements as lines of every form.
#[derive(Clone, Debug)]
pub struct Lines<T> {
    /// Of `Rows::new(rows, cols).stride(stride)`.
    pub rows: Vec<Vec<T>>,
    /// Down the same shape.
    pub columns: Vec<Vec<T>>,
    /// Between neighbouring [`offsets`](Self::offsets).
    pub segments: Vec<Vec<T>>,
    /// Segments that hold every element: empty ones, short ones, long ones.
    pub offsets: Vec<u32>,
}

impl<T: Copy> Lines<T> {
    /// Those of `x`, of rows, columns and a stride.
    pub fn of(x: &[T], (rows, cols, stride): (usize, usize, usize)) -> Self {
        let offsets = offsets(x.len());
        let row = |r: usize| x[r * stride..][..cols].to_vec();
        let column = |c: usize| (0..rows).map(|r| x[r * stride + c]).collect();
        let segment = |ends: &[u32]| x[ends[0] as usize..ends[1] as usize].to_vec();
        Self {
            rows: (0..rows).map(row).collect(),
            columns: (0..cols).map(column).collect(),
            segments: offsets.windows(2).map(segment).collect(),
            offsets,
        }
    }
}

/// Offsets of segments that hold `n` elements: empty ones, short ones, long ones.
pub fn offsets(n: usize) -> Vec<u32> {
    let lengths = [0, 1, 5, 32, 0, 33, 700];
    let mut offsets = vec![0];
    for i in 0.. {
        let next = offsets[i] + lengths[i % lengths.len()];
        if next as usize >= n {
            break;
        }
        offsets.push(next);
    }
    offsets.push(n as u32);
    offsets
}

/// One value a line.
pub fn one_each<T, R>(lines: &[Vec<T>], total: impl Fn(&[T]) -> R) -> Vec<R> {
    lines.iter().map(|line| total(line)).collect()
}

/// A line's value at each of its elements, line by line.
pub fn spread<T, R: Copy>(lines: &[Vec<T>], total: impl Fn(&[T]) -> R) -> Vec<R> {
    lines
        .iter()
        .flat_map(|line| vec![total(line); line.len()])
        .collect()
}

/// One value an element, line by line.
pub fn all_each<T, R>(lines: &[Vec<T>], scan: impl Fn(&[T]) -> Vec<R>) -> Vec<R> {
    lines.iter().flat_map(|line| scan(line)).collect()
}

/// Columns of `rows` values each, as they stand in memory row by row.
pub fn transposed<R: Copy>(columns: &[R], rows: usize) -> Vec<R> {
    let cols = columns.len() / rows;
    (0..rows * cols)
        .map(|i| columns[i % cols * rows + i / cols])
        .collect()
}

/// What stays of a line.
pub fn kept<T: Copy>(line: &[T], keeps: impl Fn(&T) -> bool) -> Vec<T> {
    line.iter().copied().filter(keeps).collect()
}

/// The states of a line after each element, in its place.
pub fn after_each<T: Copy, S: Copy>(line: &[T], none: S, step: impl Fn(S, T) -> S) -> Vec<S> {
    let mut state = none;
    let states = line.iter().map(|&x| {
        state = step(state, x);
        state
    });
    states.collect()
}

/// A reduction of one parameter as rows, columns, segments and an array: `total` is what each line comes to.
#[macro_export]
macro_rules! reduces {
    ($check:expr, $of:expr, $how:expr, $x:expr, $($spec:ident)::+, $total:expr) => {{
        use $crate::answer::Fetch as _;
        use $crate::lines::{Lines, one_each};
        use $($spec)::+ as spec;
        let (of, x, how) = ($of, $x, $how);
        let shape = warpfold::Rows::new(of.0, of.1).stride(of.2);
        let lines = Lines::of(x, of);
        let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($($spec)::+));
        $check.gives_about(label("rows"), how, &one_each(&lines.rows, $total), |d| {
            spec::rows(shape, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("columns"), how, &one_each(&lines.columns, $total), |d| {
            spec::columns(shape, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("segments"), how, &one_each(&lines.segments, $total), |d| {
            spec::segments(&d.buffer(&lines.offsets)?, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("array"), how, &($total)(x), |d| spec::array(&d.buffer(x)?));
    }};
}

/// A reduction with `apply = |s| s` and one parameter, as rows and segments: `total` is what each line comes to.
#[macro_export]
macro_rules! reaches_every_lane {
    ($check:expr, $of:expr, $how:expr, $x:expr, $($spec:ident)::+, $total:expr) => {{
        use $crate::answer::Fetch as _;
        use $crate::lines::{Lines, spread};
        use $($spec)::+ as spec;
        let (of, x, how) = ($of, $x, $how);
        let shape = warpfold::Rows::new(of.0, of.1).stride(of.2);
        let lines = Lines::of(x, of);
        let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($($spec)::+));
        $check.gives_about(label("rows"), how, &spread(&lines.rows, $total), |d| {
            spec::rows(shape, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("segments"), how, &spread(&lines.segments, $total), |d| {
            spec::segments(&d.buffer(&lines.offsets)?, &d.buffer(x)?)?.fetch()
        });
    }};
}

/// A scan of one parameter as rows, columns, segments and an array: `scan` gives a line's values.
#[macro_export]
macro_rules! scans {
    ($check:expr, $of:expr, $how:expr, $x:expr, $($spec:ident)::+, $scan:expr) => {{
        use $crate::answer::Fetch as _;
        use $crate::lines::{Lines, all_each, transposed};
        use $($spec)::+ as spec;
        let (of, x, how) = ($of, $x, $how);
        let shape = warpfold::Rows::new(of.0, of.1).stride(of.2);
        let lines = Lines::of(x, of);
        let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($($spec)::+));
        $check.gives_about(label("rows"), how, &all_each(&lines.rows, $scan), |d| {
            spec::rows(shape, &d.buffer(x)?)?.fetch()
        });
        let down = transposed(&all_each(&lines.columns, $scan), of.0);
        $check.gives_about(label("columns"), how, &down, |d| {
            spec::columns(shape, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("segments"), how, &all_each(&lines.segments, $scan), |d| {
            spec::segments(&d.buffer(&lines.offsets)?, &d.buffer(x)?)?.fetch()
        });
        $check.gives_about(label("array"), how, &($scan)(x), |d| {
            spec::array(&d.buffer(x)?)?.fetch()
        });
    }};
}

/// A filter of one parameter as an array, its indices, rows and segments: `keeps` says which elements stay.
#[macro_export]
macro_rules! filters {
    ($check:expr, $of:expr, $x:expr, $($spec:ident)::+, $keeps:expr) => {{
        use $crate::answer::Fetch as _;
        use $crate::lines::{Lines, all_each, kept, one_each};
        use $($spec)::+ as spec;
        let (of, x) = ($of, $x);
        let shape = warpfold::Rows::new(of.0, of.1).stride(of.2);
        let lines = Lines::of(x, of);
        let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($($spec)::+));
        let keeps = $keeps;
        let counts = one_each(&lines.rows, |line| kept(line, keeps).len() as u64);
        $check.gives(label("rows"), &(all_each(&lines.rows, |line| kept(line, keeps)), counts), |d| {
            let (rows, counts) = spec::rows(shape, &d.buffer(x)?)?;
            let (rows, counts) = (rows.fetch()?, counts.fetch()?);
            let starts = rows.chunks(of.1).zip(&counts);
            Ok((starts.flat_map(|(row, &n)| row[..n as usize].to_vec()).collect(), counts))
        });
        $check.gives(label("array"), &kept(x, keeps), |d| spec::array(&d.buffer(x)?)?.fetch());
        let at: Vec<u64> = (0..x.len()).filter(|&i| keeps(&x[i])).map(|i| i as u64).collect();
        $check.gives(label("indices"), &at, |d| spec::indices(&d.buffer(x)?)?.fetch());
        let (mut end, mut ends) = (0_u32, vec![0_u32]);
        for count in one_each(&lines.segments, |line| kept(line, keeps).len() as u32) {
            end += count;
            ends.push(end);
        }
        $check.gives(label("segments"), &(all_each(&lines.segments, |line| kept(line, keeps)), ends), |d| {
            let (kept, ends) = spec::segments(&d.buffer(&lines.offsets)?, &d.buffer(x)?)?;
            Ok((kept.fetch()?, ends.fetch()?))
        });
    }};
}
