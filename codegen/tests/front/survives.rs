//! The front end answers every token stream with a spec or with errors; it never panics and never hangs.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use warpfold_codegen::arguments::Attribute;
use warpfold_codegen::{front, module, scope::Scope};

/// What can stand where: tokens that are legal somewhere and seldom where they are put.
const INTRUDERS: &str = "max |p, q| p - q , = -inf 0 1.5 300u8 all mut x . 7 f32 u64 inf MIN as :: ! ( ) { } [ 1 .. 4 ] \
     for i in 0 .. 9 match _ => if else let & * @ 'a' \"s\" b'c' 1e400 0xffff_ffff_ffff_ffff_f self crate where fn struct";

const SPECS: [&str; 6] = [
    "op = max, identity = -inf, width = 32, land = all, mask = 0xffffffff",
    "op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), identity = (1.0, 0.0), finish = |s| -> f32 { s.1 }, init = (2.0, 1.0)",
    "op = sum, land = all, apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() }",
    "op = argmin, kind = exclusive, direction = reverse, commutative = false, laws = trusted, crate = ::warpfold",
    "keep = || (x, n), width = 8",
    "from = rotate(3), width = 16",
];

const FUNCTION: &str =
    "pub fn spec(x: f32, #[uniform] eps: f32, #[len] n: u32, #[index] i: u64) -> (f32, f32) {
    let mut y = (x * 2.0 - eps, 3u32);
    for k in 0..4 { y.0 += (k as f32).max(x); }
    y.1 <<= match (n, i) { (0, 1..=3) => 1, (a, _) if a > 2 => a, _ => 7 };
    if y.0.is_nan() { (x, f32::INFINITY) } else { (y.0.mul_add(x, -1.0), y.1 as f32) }
}";

/// One that named operators take.
const SHORT: &str = "fn spec(x: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 { (x - eps).abs() * 2.0 }";

const MODULE: &str = "mod m {
    use core::f32::consts::PI;
    const N: u32 = 3 + 4;
    #[derive(Clone, Copy)] struct S { a: f32, b: u8 }
    fn merge(p: S, q: S) -> S { S { a: helper(p.a, q.a), b: p.b.max(q.b) } }
    fn helper(a: f32, b: f32) -> f32 { if a > b { a } else { b * PI } }
    #[warp_reduce(op = merge, identity = S { a: -inf, b: 0 }, finish = |s| s.a)]
    fn spec(x: f32) -> S { S { a: x, b: N as u8 } }
}";

/// A fixed sequence of numbers (xorshift), so that a failure repeats.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// The tokens with about `faults` of them dropped, doubled, swapped or replaced, inside of groups too.
fn mutated(tokens: TokenStream, faults: usize, numbers: &mut Numbers) -> TokenStream {
    let intruders: Vec<TokenTree> = INTRUDERS
        .split_whitespace()
        .filter_map(|word| word.parse::<TokenStream>().ok())
        .flatten()
        .collect();
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let inner = mutated(group.stream(), faults, numbers);
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            other => other,
        };
        match numbers.below(4000 / faults) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.push(intruders[numbers.below(intruders.len())].clone()),
            3 => out.extend([token, intruders[numbers.below(intruders.len())].clone()]),
            4 => {
                let at = numbers.below(out.len() + 1);
                out.insert(at, token);
            }
            5 => out.push(TokenTree::Ident(Ident::new("x", Span::call_site()))),
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

#[test]
fn no_token_stream_makes_it_panic() {
    let mut numbers = Numbers(0x5eed_5eed_5eed_5eed);
    let mut understood = 0;
    for round in 0..800 {
        let faults = 5 + round % 40;
        let args: TokenStream = SPECS[round % SPECS.len()].parse().unwrap();
        let args = mutated(args, faults, &mut numbers);
        let text = if round % 3 == 0 { SHORT } else { FUNCTION };
        let item = mutated(text.parse().unwrap(), faults, &mut numbers);
        let Ok(item) = syn::parse2::<syn::ItemFn>(item) else {
            continue;
        };
        for attribute in [
            Attribute::Reduce,
            Attribute::Scan,
            Attribute::Filter,
            Attribute::Shuffle,
        ] {
            match front::spec(attribute, args.clone(), &item, &Scope::default()) {
                Ok(_) => understood += 1,
                Err(error) => {
                    let vague = error
                        .into_iter()
                        .find(|e| e.to_string().contains("cannot be understood"));
                    assert!(vague.is_none(), "{attribute:?} {args}\n{}", quote::quote!(#item));
                }
            }
        }
        if let Ok(item) = syn::parse2::<syn::ItemMod>(mutated(MODULE.parse().unwrap(), faults, &mut numbers))
        {
            let read = module::read(TokenStream::new(), item);
            let complete = read.specs.iter().all(|member| member.spec.is_some());
            assert!(
                complete || read.error.is_some(),
                "a spec is missing and nothing is said"
            );
        }
    }
    assert!(understood > 20, "the sample is all noise: {understood}");
}

#[test]
fn a_long_loop_does_not_hold_up_the_build() {
    let item: syn::ItemFn = syn::parse_str(
        "fn spec(x: u32) -> u32 { let mut y = x; for i in 0..4_000_000_000u32 { y ^= i; } y }",
    )
    .unwrap();
    let args = "op = |p, q| { let mut y = p; for i in 0..1_000_000u32 { y += i - i; } y + q }, identity = 0";
    let start = std::time::Instant::now();
    assert!(front::spec(Attribute::Reduce, args.parse().unwrap(), &item, &Scope::default()).is_ok());
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}
