//! Where each sequence of a batch starts in a paged cache: an exclusive sum of the pages that it needs.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal, require};

/// The pages before each sequence's own.
#[warp_scan(op = sum, kind = exclusive)]
pub fn first_page(tokens: u32, #[uniform] page: u32) -> u32 {
    tokens.div_ceil(page)
}

/// All pages.
#[warp_reduce(op = sum)]
pub fn pages(tokens: u32, #[uniform] page: u32) -> u32 {
    tokens.div_ceil(page)
}

/// Runs on 100,000 sequences of 0 to 4,095 tokens, 16 a page.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("page offsets on {}", device.describe());
    let page = 16;
    let mut values = Values::new(3);
    let tokens: Vec<u32> = (0..100_000).map(|_| values.below(4096)).collect();
    let data = device.buffer(&tokens)?;
    let first = first_page::array(&data, page)?.to_vec()?;
    let all = pages::array(&data, page)?;

    for (sequence, tokens) in tokens.iter().enumerate().take(3) {
        println!(
            "  sequence {sequence}: {tokens} tokens, from page {}",
            first[sequence]
        );
    }
    println!("  {all} pages in all");
    let mut next = 0;
    let wanted: Vec<u32> = tokens
        .iter()
        .map(|tokens| {
            let first = next;
            next += tokens.div_ceil(page);
            first
        })
        .collect();
    equal("first pages", &first, &wanted)?;
    require(all == next, format!("{all} pages where there are {next}"))
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
