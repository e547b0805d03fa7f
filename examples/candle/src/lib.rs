//! Softmax along the last axis as an operation of candle, on its CPU and its CUDA storage.
//!
//! `use warpfold_candle::Softmax;` and `tensor.apply_op1_no_bwd(&Softmax)` is all that candle sees of it.

use candle_core::{CpuStorage, CustomOp1, Error, Layout, Result, Shape};
#[cfg(feature = "cuda")]
use candle_core::{CudaStorage, backend::BackendStorage};
use warpfold::prelude::*;

/// Each element's share of its row's exponentials.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

/// The last axis against all others.
fn shape_of(layout: &Layout) -> Rows {
    let cols = layout.dims().last().copied().unwrap_or(1);
    let rows = layout.shape().elem_count().checked_div(cols).unwrap_or(0);
    Rows::new(rows, cols)
}

/// Softmax along the last axis of a contiguous tensor of `f32`.
pub struct Softmax;

impl CustomOp1 for Softmax {
    fn name(&self) -> &'static str {
        "warpfold-softmax"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (start, end) = layout
            .contiguous_offsets()
            .ok_or_else(|| Error::msg("call .contiguous() first"))?;
        let x = &storage.as_slice::<f32>()?[start..end];
        let out = softmax::rows(shape_of(layout), x).map_err(Error::wrap)?;
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(&self, storage: &CudaStorage, layout: &Layout) -> Result<(CudaStorage, Shape)> {
        let (start, end) = layout
            .contiguous_offsets()
            .ok_or_else(|| Error::msg("call .contiguous() first"))?;
        let x = storage.as_cuda_slice::<f32>()?.slice(start..end);
        let out = softmax::rows(shape_of(layout), &x).map_err(Error::wrap)?;
        Ok((
            CudaStorage::wrap_cuda_slice(out, storage.device().clone()),
            layout.shape().clone(),
        ))
    }
}
