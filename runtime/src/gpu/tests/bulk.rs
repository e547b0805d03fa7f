//! When large arrays go by bulk copies.

use super::{ANY, BYTES, H200, SCAN, SCAN_BACK, WHOLE, X, info};
use crate::gpu::kernel::Entry;
use crate::gpu::schedule::{self, Machine, Packs};
use crate::rows::Rows;
use crate::spec::{Form, Info, Param, TypeInfo};

#[test]
fn large_aligned_arrays_are_scanned_in_bulk() {
    const FIVE: &[Param] = &[X[0], X[0], X[0], X[0], X[0]];
    let bulk = |info: &Info, packs, n: usize, machine: &Machine| {
        let shape = Rows::new(1, n).checked(n).unwrap();
        let launch = schedule::scan(info, &shape, packs, machine);
        assert!(launch.kernel.shared() + (8 << 10) <= machine.shared, "{launch:?}");
        matches!(launch.kernel.entry, Entry::ArrayScanBulk { .. })
    };
    let n = 1 << 23;
    assert!(bulk(&SCAN, WHOLE, n, &H200) && bulk(&SCAN_BACK, WHOLE, n, &H200));
    assert!(!bulk(&SCAN, ANY, n, &H200) && !bulk(&SCAN, WHOLE, 1 << 20, &H200));
    // Backwards the copies start where the array ends.
    assert!(!bulk(&SCAN_BACK, WHOLE, n + 4, &H200) && bulk(&SCAN, WHOLE, n + 4, &H200));
    assert!(!bulk(&SCAN, WHOLE, n, &Machine { arch: 89, ..H200 }));
    // Where a block has less shared memory it has fewer batches under way, or none.
    assert!(bulk(
        &SCAN,
        WHOLE,
        n,
        &Machine {
            shared: 120 << 10,
            ..H200
        }
    ));
    assert!(!bulk(
        &SCAN,
        WHOLE,
        n,
        &Machine {
            shared: 99 << 10,
            ..H200
        }
    ));
    let five = Info { params: FIVE, ..SCAN };
    assert!(bulk(&five, WHOLE, 2 * n, &H200));
    // Narrow elements: a lane holds no more of them at once.
    let narrow = info(SCAN.form, BYTES, false);
    assert!(bulk(&narrow, WHOLE, 1 << 25, &H200));
    let wide = Info {
        state: TypeInfo::of::<f64>("f64"),
        ..SCAN
    };
    assert!(bulk(&wide, WHOLE, 2 * n, &H200));
}

#[test]
fn large_aligned_arrays_are_filtered_in_bulk() {
    const F32: &[TypeInfo] = &[TypeInfo::of::<f32>("f32")];
    const PAIR: &[TypeInfo] = &[TypeInfo::of::<f32>("f32"), TypeInfo::of::<f32>("f32")];
    let bulk = |results, params, packs, n: u64, indices, machine: &Machine| {
        let info = Info {
            results,
            ..info(Form::Filter, params, false)
        };
        let launch = schedule::filter_array(&info, n, packs, indices, machine);
        assert!(launch.kernel.shared() + (2 << 10) <= machine.shared, "{launch:?}");
        matches!(launch.kernel.entry, Entry::ArrayFilterBulk { .. })
    };
    let n = 1 << 25;
    for indices in [false, true] {
        assert!(bulk(F32, X, WHOLE, n, indices, &H200) && bulk(F32, BYTES, WHOLE, n, indices, &H200));
        assert!(!bulk(F32, X, ANY, n, indices, &H200) && !bulk(F32, X, WHOLE, 1 << 20, indices, &H200));
        assert!(!bulk(F32, X, WHOLE, n, indices, &Machine { arch: 89, ..H200 }));
        let odd = Packs {
            outputs: false,
            ..WHOLE
        };
        assert!(!bulk(F32, X, odd, n, indices, &H200));
    }
    // Where they stood is one array, whatever is kept.
    assert!(!bulk(PAIR, X, WHOLE, n, false, &H200) && bulk(PAIR, X, WHOLE, n, true, &H200));
}
