#[warp_reduce(op = )] fn f(x: f32) -> f32 { x }
