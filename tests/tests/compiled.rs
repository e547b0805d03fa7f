//! The kernels of every spec of these tests are what NVRTC compiles without a word; no GPU is needed for that.

use warpfold::{Error, Rows};
use warpfold_tests::specs::{
    apply, cases, columns, custom, filters, narrow, scans, shuffles, structs, table, whole,
};
use warpfold_tests::{Lacks, skip};

/// The architecture whose code is made here; the goldens are compiled for all.
const ARCH: i32 = 90;

macro_rules! compiles {
    ($($test:ident: $($module:ident :: $($name:ident)::+),+;)*) => { $(
        #[test]
        fn $test() {
            let mut faults = Vec::new();
            let mut kernels = 0;
            let mut turns = 0..;
            $(
                let name = stringify!($module :: $($name)::+);
                // Every other one is a long row that starts anywhere; `ballot` takes no more than a warp.
                let long = turns.next().is_some_and(|turn| turn % 2 == 1) && !name.contains("ballot");
                let shape = if long { Rows::new(3, 5001) } else { Rows::new(37, 20).stride(32) };
                match warpfold::__private::compile::<$module::$($name)::+>(shape, long, ARCH) {
                    Ok(count) => kernels += count,
                    Err(Error::NoNvrtc { searched }) => return skip(Lacks::Nvrtc, searched),
                    Err(error) => {
                        let text = error.to_string();
                        faults.push(text.chars().take(1500).collect::<String>());
                    }
                }
            )+
            assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
            assert!(kernels > 0);
        }
    )* };
}

compiles! {
    table_of_f32: table::of_f32::sum, table::of_f32::product, table::of_f32::min, table::of_f32::max, table::of_f32::minimum,
        table::of_f32::maximum, table::of_f32::argmin, table::of_f32::argmax, table::of_f32::first, table::of_f32::last,
        table::of_f32::affine, table::of_f32::running_sum, table::of_f32::largest_after, table::floats_of_f32::softmax,
        table::floats_of_f32::welford;
    table_of_f64: table::of_f64::sum, table::of_f64::min, table::of_f64::maximum, table::of_f64::argmax, table::of_f64::first,
        table::of_f64::affine, table::of_f64::running_sum, table::floats_of_f64::softmax, table::floats_of_f64::welford;
    table_of_halves: table::of_f16::sum, table::of_f16::product, table::of_f16::min, table::of_f16::maximum,
        table::of_f16::argmax, table::of_f16::last, table::of_f16::running_sum, table::of_bf16::sum, table::of_bf16::max,
        table::of_bf16::minimum, table::of_bf16::argmin, table::of_bf16::first, table::of_bf16::largest_after;
    table_of_small_integers: table::of_i8::sum, table::of_i8::min, table::of_i8::argmax, table::of_i8::first,
        table::of_i8::affine, table::of_i8::running_sum, table::of_u8::product, table::of_u8::max, table::of_u8::last,
        table::of_i16::sum, table::of_i16::maximum, table::of_u16::argmin, table::of_u16::affine, table::of_u16::largest_after;
    table_of_integers: table::of_i32::sum, table::of_i32::product, table::of_i32::min, table::of_i32::argmin,
        table::of_i64::sum, table::of_i64::max, table::of_i64::affine, table::of_u32::sum, table::of_u32::max,
        table::of_u32::first, table::of_u64::product, table::of_u64::minimum, table::of_u64::argmax, table::of_u64::running_sum;
    bits_and_votes: table::bits_of_i8::and, table::bits_of_i16::or, table::bits_of_i32::xor, table::bits_of_i64::and,
        table::bits_of_u8::or, table::bits_of_u16::xor, table::bits_of_u32::and, table::bits_of_u64::or,
        table::bits_of_bool::xor, table::bits_of_bool::and, table::any, table::all, table::count, table::ballot,
        table::any_bool, table::count_by_eight, table::ballot_by_four;
    custom_operators: custom::sum_in_order, custom::sum_any_order, custom::max_closure, custom::xor_closure,
        custom::log_sum_exp, custom::last_odd, custom::matrices, custom::horner, custom::longest_run, custom::span,
        custom::gcd, custom::leftmost_largest, custom::dot, custom::three, custom::sum_from_one, custom::sum_from_half,
        custom::affine_from_three, custom::sum_of_halves, custom::sum_of_bytes;
    parameters_and_widths: custom::every_kind, custom::ragged, custom::ragged_top, custom::ragged_in_order,
        custom::positions, custom::sum_1, custom::ordered_1, custom::sum_4, custom::ordered_8, custom::sum_16,
        custom::ordered_32, custom::sum_masked, custom::sum_to_all;
    with_apply: apply::softmax, apply::rms_norm, apply::layer_norm, apply::below_top, apply::pairs, apply::ragged_share,
        apply::share;
    scans: scans::sums, scans::offsets, scans::sums_back, scans::offsets_back, scans::offsets_from_ten,
        scans::sums_from_quarter, scans::peaks, scans::recurrence, scans::recurrence_exact, scans::last_odd,
        scans::next_odd, scans::matrices, scans::restarted, scans::every_kind, scans::affine_1, scans::affine_8,
        scans::affine_32;
    filters_and_shuffles: filters::positive, filters::odd_bytes, filters::closer, filters::squares, filters::by_column,
        shuffles::lane_5_of_16, shuffles::up_1_of_2, shuffles::down_3_of_4, shuffles::xor_31_of_32,
        shuffles::rotate_3_of_8, shuffles::lane_0_of_1, shuffles::swapped, shuffles::before;
    largest_and_narrowest: whole::full::joined, whole::full::joined_everywhere, whole::full::followed,
        whole::full::followed_everywhere, whole::full::joining, whole::full::following, whole::full::following_back,
        whole::full::rotated, whole::full::seen, narrow::joined, narrow::joined_everywhere, narrow::followed,
        narrow::followed_everywhere, narrow::joining, narrow::following_back, narrow::set;
    structs_and_cases: structs::stats::mixed, structs::stats::mixed_elements, structs::stats::mixed_scan,
        structs::stats::mixed_rotate, structs::stats::flagged, structs::stats::nested, columns::sum, columns::top,
        columns::ordered, cases::max_by_one_lane, cases::sum_of_u8, cases::ones_from_one,
        cases::ones_from_one_of_halves, cases::log_sum_exp, cases::variance, cases::variance_everywhere,
        cases::variance_so_far, cases::unsigned::everywhere, cases::signed::so_far, cases::unsigned::above,
        structs::stats::mixed_everywhere, cases::sums_from_seven,
        cases::peaks_before, cases::sums_before, cases::meaning, cases::bounded, cases::below_zero;
}

#[test]
fn rows_that_clusters_hold() {
    let mut faults = Vec::new();
    for cols in [65_536, 33_001, 98_304] {
        let shape = Rows::new(100, cols);
        let compiled = [
            (
                "softmax",
                warpfold::__private::compile::<apply::softmax>(shape, false, ARCH),
            ),
            (
                "layer_norm",
                warpfold::__private::compile::<apply::layer_norm>(shape, false, ARCH),
            ),
            (
                "pairs",
                warpfold::__private::compile::<apply::pairs>(shape, false, ARCH),
            ),
            (
                "ragged_share",
                warpfold::__private::compile::<apply::ragged_share>(shape, false, ARCH),
            ),
            (
                "share",
                warpfold::__private::compile::<apply::share>(shape, false, ARCH),
            ),
        ];
        for (name, kernels) in compiled {
            match kernels {
                Ok(kernels) => assert!(kernels > 0),
                Err(Error::NoNvrtc { searched }) => return skip(Lacks::Nvrtc, searched),
                Err(error) => faults.push(format!(
                    "{name}, {cols}: {}",
                    error.to_string().chars().take(1500).collect::<String>()
                )),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
