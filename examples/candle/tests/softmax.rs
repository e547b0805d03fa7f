//! candle's tensors through warpfold, on the CPU, beside candle's own operations.

use candle_core::{D, Device, Result, Tensor};
use warpfold_candle::Softmax;

/// candle's operations, one after the other.
fn by_candle(x: &Tensor) -> Result<Tensor> {
    let exp = x.broadcast_sub(&x.max_keepdim(D::Minus1)?)?.exp()?;
    exp.broadcast_div(&exp.sum_keepdim(D::Minus1)?)
}

fn assert_close(found: &Tensor, wanted: &Tensor) -> Result<()> {
    assert_eq!(found.dims(), wanted.dims());
    let largest = (found - wanted)?.abs()?.max_all()?.to_scalar::<f32>()?;
    assert!(largest < 1e-6, "{largest}");
    Ok(())
}

#[test]
fn the_last_axis_of_any_rank() -> Result<()> {
    let x = Tensor::randn(0.0_f32, 3.0, (5, 7, 33), &Device::Cpu)?;
    assert_close(&x.apply_op1_no_bwd(&Softmax)?, &by_candle(&x)?)?;
    let row = x.get(2)?.get(3)?;
    assert_close(&row.apply_op1_no_bwd(&Softmax)?, &by_candle(&row)?)
}

/// A part of a larger tensor starts in the middle of its storage.
#[test]
fn a_part_of_a_storage() -> Result<()> {
    let part = Tensor::randn(0.0_f32, 3.0, (6, 40), &Device::Cpu)?.narrow(0, 2, 3)?;
    assert_close(&part.apply_op1_no_bwd(&Softmax)?, &by_candle(&part)?)
}

#[test]
fn strided_tensors_are_refused() -> Result<()> {
    let x = Tensor::zeros((4, 5), candle_core::DType::F32, &Device::Cpu)?.t()?;
    let error = x.apply_op1_no_bwd(&Softmax).unwrap_err().to_string();
    assert!(error.contains("call .contiguous() first"), "{error}");
    Ok(())
}
