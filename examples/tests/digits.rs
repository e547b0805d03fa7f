//! The data of the examples is what `data/README.md` says it is.

use std::path::Path;

use warpfold_examples::{digits, digits_in};

#[test]
fn every_image_and_label_is_there() {
    let digits = digits().unwrap();
    assert_eq!(digits.images.dim(), (1797, 64));
    assert_eq!(digits.labels.len(), 1797);
    assert!(
        digits
            .images
            .iter()
            .all(|&pixel| (0.0..=16.0).contains(&pixel) && pixel.fract() == 0.0)
    );

    // The known totals of the set: all ink, and how often each digit occurs.
    let ink: f64 = digits.images.iter().map(|&pixel| f64::from(pixel)).sum();
    assert!((ink - 561_718.0).abs() < f64::EPSILON);
    let mut counts = [0; 10];
    for &label in &digits.labels {
        counts[usize::from(label)] += 1;
    }
    assert_eq!(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
}

#[test]
fn rows_lie_one_after_the_other() {
    let digits = digits().unwrap();
    let flat = digits.images.as_slice().expect("rows are dense");
    assert_eq!(flat[..8].to_vec(), [0.0, 0.0, 5.0, 13.0, 9.0, 1.0, 0.0, 0.0]);
}

#[test]
fn a_missing_folder_is_an_error_that_says_what_to_set() {
    let error = digits_in(Path::new("no/such/folder")).unwrap_err().to_string();
    assert!(error.contains("no/such/folder"), "{error}");
    assert!(error.contains("help: set WARPFOLD_EXAMPLES_DATA"), "{error}");
}
