//! What a call must do, by plain loops over the words of its documentation.

use super::{Call, Form, Wanted};

/// How many elements rows take up.
pub fn extent(rows: usize, stride: usize, cols: usize) -> usize {
    if rows == 0 || cols == 0 {
        0
    } else {
        (rows - 1) * stride + cols
    }
}

/// What the call must do.
pub fn wanted(call: &Call) -> Wanted {
    match call.form {
        Form::ReduceRows => rows(call, 1, |r, row| {
            vec![fold(row, r).wrapping_add(row.len() as u32)]
        }),
        Form::ReduceColumns => columns(call),
        Form::ReduceArray => whole(call, |x| vec![fold(x, 0).wrapping_add(x.len() as u32)]),
        Form::ReduceSegments => segments(call, true),
        Form::Apply => rows(call, call.cols, apply),
        Form::ScanRows => rows(call, call.cols, scan),
        Form::ScanArray => whole(call, |x| scan(0, x)),
        Form::ScanSegments => segments(call, false),
        Form::BackRows => rows(call, call.cols, |_, row| behind(row)),
        Form::BackArray => whole(call, behind),
        Form::FilterRows => filter_rows(call),
        Form::FilterArray => filter(call, |_, x| x),
        Form::FilterIndices => filter(call, |i, _| i as u32),
        Form::Shuffle => rows(call, call.cols, |_, row| {
            (0..row.len())
                .map(|i| *row.get(i ^ 3).unwrap_or(&row[i]))
                .collect()
        }),
    }
}

/// One step of the generator.
fn step(h: u32, a: u32, b: u32) -> u32 {
    (a | 1).wrapping_mul(h).wrapping_add(b)
}

/// A row's result, without its length.
fn fold(row: &[u32], r: usize) -> u32 {
    let h = row.iter().zip(0..).fold(0, |h, (&x, i)| step(h, x, x ^ i));
    h.wrapping_add(r as u32 * 31)
}

fn scan(r: usize, row: &[u32]) -> Vec<u32> {
    (1..=row.len())
        .map(|end| fold(&row[..end], r).wrapping_add(row.len() as u32))
        .collect()
}

/// Each element gets what stands behind it, the last met first.
fn behind(row: &[u32]) -> Vec<u32> {
    (0..row.len())
        .map(|i| row[i + 1..].iter().rev().fold(0, |h, &x| step(h, x, x)))
        .collect()
}

fn apply(r: usize, row: &[u32]) -> Vec<u32> {
    let total = row
        .iter()
        .zip(0..)
        .fold(0, |sum: u32, (x, i)| sum.wrapping_add(x ^ i));
    let each = row.iter().zip(0..);
    each.map(|(&x, i): (&u32, u32)| {
        x.wrapping_mul(3)
            .wrapping_add(total)
            .wrapping_add(i * 7)
            .wrapping_add(r as u32)
    })
    .collect()
}

/// Whether strides hold the columns and the input the rows.
fn shape_fits(call: &Call, out_cols: usize) -> bool {
    let stride = call.stride.unwrap_or(call.cols);
    let out_stride = call.out_stride.unwrap_or(out_cols);
    stride >= call.cols
        && out_stride >= out_cols
        && call.x.len() >= extent(call.rows, stride, call.cols)
        && call.room >= extent(call.rows, out_stride, out_cols)
}

fn row(call: &Call, r: usize) -> &[u32] {
    if call.cols == 0 {
        return &[];
    }
    let from = r * call.stride.unwrap_or(call.cols);
    &call.x[from..from + call.cols]
}

/// A call over rows, each of which gives `out_cols` results.
fn rows(call: &Call, out_cols: usize, results: impl Fn(usize, &[u32]) -> Vec<u32>) -> Wanted {
    if !shape_fits(call, out_cols) {
        return Wanted::Refusal;
    }
    let stride = call.out_stride.unwrap_or(out_cols);
    let of_row = |r| (r * stride..).zip(results(r, row(call, r)));
    writes((0..call.rows).flat_map(of_row).collect())
}

fn columns(call: &Call) -> Wanted {
    let stride = call.stride.unwrap_or(call.cols);
    let fits = stride >= call.cols && call.x.len() >= extent(call.rows, stride, call.cols);
    if !fits || call.room < call.cols {
        return Wanted::Refusal;
    }
    let column =
        |c: usize| (0..call.rows).fold(0, |h, r| step(h, call.x[r * stride + c], call.x[r * stride + c]));
    writes((0..call.cols).map(|c| (c, column(c))).collect())
}

fn whole(call: &Call, results: impl Fn(&[u32]) -> Vec<u32>) -> Wanted {
    let results = results(&call.x);
    if call.room < results.len() {
        return Wanted::Refusal;
    }
    writes((0..).zip(results).collect())
}

fn segments(call: &Call, reduce: bool) -> Wanted {
    let falls = call.offsets.windows(2).any(|pair| pair[0] > pair[1]);
    let past = call
        .offsets
        .last()
        .is_some_and(|&last| last as usize > call.x.len());
    let needed = if reduce {
        call.offsets.len().saturating_sub(1)
    } else {
        call.x.len()
    };
    if falls || past || call.room < needed {
        return Wanted::Refusal;
    }
    let mut out = Vec::new();
    for (s, pair) in call.offsets.windows(2).enumerate() {
        let (from, to) = (pair[0] as usize, pair[1] as usize);
        let segment = &call.x[from..to];
        if reduce {
            out.push((s, fold(segment, s).wrapping_add(segment.len() as u32)));
        } else {
            out.extend((from..).zip(scan(s, segment)));
        }
    }
    writes(out)
}

fn kept(row: &[u32]) -> Vec<(usize, u32)> {
    let each = row.iter().copied().enumerate();
    each.filter(|&(i, x)| (x ^ i as u32) & 1 == 1).collect()
}

fn filter_rows(call: &Call) -> Wanted {
    if !shape_fits(call, call.cols) || call.count_room < call.rows {
        return Wanted::Refusal;
    }
    let stride = call.out_stride.unwrap_or(call.cols);
    let (mut out, mut counts) = (Vec::new(), Vec::new());
    for r in 0..call.rows {
        let kept = kept(row(call, r));
        counts.push(kept.len() as u64);
        let values = kept.into_iter().map(|(_, x)| x).chain(std::iter::repeat(0));
        out.extend((r * stride..).zip(values.take(call.cols)));
    }
    Wanted::Writes {
        out,
        counts,
        free: None,
    }
}

/// A filter of everything: what lies behind the kept is anybody's.
fn filter(call: &Call, told: impl Fn(usize, u32) -> u32) -> Wanted {
    if call.room < call.x.len() || call.count_room < 1 {
        return Wanted::Refusal;
    }
    let out: Vec<(usize, u32)> = (0..)
        .zip(kept(&call.x).into_iter().map(|(i, x)| told(i, x)))
        .collect();
    Wanted::Writes {
        counts: vec![out.len() as u64],
        free: Some(out.len()),
        out,
    }
}

fn writes(out: Vec<(usize, u32)>) -> Wanted {
    Wanted::Writes {
        out,
        counts: Vec::new(),
        free: None,
    }
}
