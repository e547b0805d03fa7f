#[warp_module]
mod m {
    #[derive(Clone, Copy)]
    struct S { name: &'static str, x: f32 }
    #[warp_reduce(op = sum)]
    fn f(x: f32) -> f32 { x }
}
