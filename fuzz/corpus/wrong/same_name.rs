#[warp_reduce(op = sum)] fn f(x: f32, x: f32) -> f32 { x }
