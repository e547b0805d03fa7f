#[warp_reduce(op = sum)] #[warp_reduce(op = max)] fn f(x: f32) -> f32 { x }
