//! Specs as types, in generic code.

use super::order::floats;
use super::specs::*;
use crate::{Buffer, Error, Reduce, Rows, Scan, Uniform};

fn by_rows<S: Reduce<Result = f32>>(x: &[f32], cols: usize) -> Result<Vec<f32>, Error> {
    S::rows(Rows::new(x.len() / cols, cols), (x,))
}

#[test]
fn generic_code_takes_any_spec() {
    let x = floats(100);
    assert_eq!(by_rows::<RowMax>(&x, 10).unwrap().len(), 10);
    assert_eq!(
        by_rows::<Sum>(&x, 10).unwrap()[3],
        <Sum as Reduce>::array((&x[30..40],)).unwrap()
    );
    let buffer: Buffer<f32> = <ScanSum as Scan>::array((&Buffer::from(x.clone()),)).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), <ScanSum as Scan>::array((&x,)).unwrap());
}

#[test]
fn arguments_that_are_not_the_specs_are_errors() {
    let x = [1_u32, 2, 3];
    let shape = Rows::new(1, 3);
    assert!(<Affines as Reduce>::rows(shape, (&x,)).is_ok());
    assert!(matches!(
        <Affines as Reduce>::rows(shape, (&[1.0_f64; 3],)),
        Err(Error::Argument { number: 1, .. })
    ));
    assert!(matches!(
        <Affines as Reduce>::rows(shape, (&x, &x)),
        Err(Error::ArgumentCount {
            given: 2,
            wanted: 1,
            ..
        })
    ));
    assert!(matches!(
        <Affines as Reduce>::rows::<crate::Host>(shape, (Uniform(1_u32),)),
        Err(Error::Argument { .. })
    ));
}
