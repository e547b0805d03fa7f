//! Structs as states, results and elements.

use warpfold::{Element, Rows};
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::Check;
use warpfold_tests::data::random;
use warpfold_tests::specs::structs::stats::{self, Mixed, Nested};

fn merge(a: Mixed, b: Mixed) -> Mixed {
    Mixed {
        low: a.low.wrapping_add(b.low),
        wide: a.wide.max(b.wide),
        flag: a.flag || b.flag,
    }
}
const NONE: Mixed = Mixed {
    low: 0,
    wide: f64::NEG_INFINITY,
    flag: false,
};

#[test]
fn structs_arrive_whole() {
    let mut check = Check::new();
    for (rows, cols) in [(33, 1), (21, 20), (9, 32), (5, 77), (3, 1000), (1, 9001)] {
        let shape = Rows::new(rows, cols);
        let label = |op: &str| format!("{op} over {shape:?}");
        let x: Vec<f64> = random(1, rows * cols);
        let y: Vec<i16> = random(2, rows * cols);
        let elements: Vec<Mixed> = x
            .iter()
            .zip(&y)
            .map(|(&wide, &low)| Mixed {
                low,
                wide,
                flag: low == 77,
            })
            .collect();
        let want: Vec<Mixed> = elements
            .chunks(cols)
            .map(|row| row.iter().copied().fold(NONE, merge))
            .collect();
        check.gives(label("mixed"), &want, |d| {
            stats::mixed::rows(shape, &d.buffer(&x)?, &d.buffer(&y)?)?.fetch()
        });
        check.gives(label("mixed_elements"), &want, |d| {
            stats::mixed_elements::rows(shape, &d.buffer(&elements)?)?.fetch()
        });
        let scanned: Vec<Mixed> = elements
            .chunks(cols)
            .flat_map(|row| {
                row.iter()
                    .scan(NONE, |s, &x| {
                        *s = merge(*s, x);
                        Some(*s)
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        check.gives(label("mixed_scan"), &scanned, |d| {
            stats::mixed_scan::rows(shape, &d.buffer(&elements)?)?.fetch()
        });
        let join = |row: &[Mixed]| {
            let inner = row
                .iter()
                .map(|x| Mixed {
                    flag: x.low < 0,
                    ..*x
                })
                .fold(NONE, merge);
            let tail = row.iter().fold(0, |t, x| t ^ x.low as u16);
            Nested {
                count: row.len() as u8,
                inner,
                tail,
            }
        };
        let want = elements.chunks(cols).map(join).collect::<Vec<_>>();
        check.gives(label("nested"), &want, |d| {
            stats::nested::rows(shape, &d.buffer(&x)?, &d.buffer(&y)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn structs_move_between_lanes_and_through_filters() {
    let mut check = Check::new();
    let elements: Vec<Mixed> = (0..320)
        .map(|i| Mixed {
            low: i as i16 - 100,
            wide: f64::from(i) * 0.1,
            flag: i % 3 == 0,
        })
        .collect();
    let want: Vec<Mixed> = (0..320).map(|i| elements[i / 32 * 32 + (i + 1) % 32]).collect();
    check.gives("mixed_rotate", &want, |d| {
        stats::mixed_rotate::rows(Rows::new(10, 32), &d.buffer(&elements)?)?.fetch()
    });
    let want: Vec<Mixed> = elements.iter().copied().filter(|x| x.flag).collect();
    check.gives("flagged", &want, |d| {
        stats::flagged::array(&d.buffer(&elements)?)?.fetch()
    });
    check.finish();
}

#[warpfold::warp_module]
mod tight {
    #[derive(Clone, Copy)]
    pub struct Pair {
        pub at: u32,
        pub value: f32,
    }
}

const _: () = assert!(!f64::PADDED && !tight::Pair::PADDED && Mixed::PADDED && Nested::PADDED);

/// Kernels store fields. What the memory held before may be another program's, and does not come back between them.
#[test]
fn padding_of_results_is_zero() {
    let mut check = Check::new();
    let rows = 1000;
    let x = vec![
        Mixed {
            low: -1,
            wide: -1.0,
            flag: true
        };
        rows * 32
    ];
    let bytes = check.on_gpu("bytes of structs", |device| {
        let x = device.buffer(&x)?;
        drop(device.buffer(&vec![0xff_u8; rows * size_of::<Mixed>()])?);
        let found = stats::mixed_elements::rows(Rows::new(rows, 32), &x)?;
        let found = found.as_cuda().expect("results stay where the data is");
        // SAFETY: the bytes of a live array, all of them written: fields by a kernel, padding before it.
        let bytes = unsafe { found.transmute::<u8>(rows * size_of::<Mixed>()) };
        Ok(found.stream().clone_dtoh(&bytes.expect("as long as the array"))?)
    });
    if let Some(bytes) = bytes {
        let padding = |x: &[u8]| [&x[2..8], &x[17..]].concat();
        let wrong = bytes
            .chunks(24)
            .filter(|x| padding(x).iter().any(|&byte| byte != 0));
        let wrong = wrong.count();
        check.is(
            "padding",
            wrong == 0,
            format!("{wrong} of {rows} structs have bytes of before"),
        );
    }
    check.finish();
}
