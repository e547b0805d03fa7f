#[warp_reduce(op = sum)] fn f(x: f32) -> f32 where f32: Copy { x }
