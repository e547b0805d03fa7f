//! Nearest neighbours over handwritten digits: what a digit is, by the image that is most like it.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{equal, require};

/// The squared distance of an image from the one that is asked about.
#[warp_reduce(op = sum)]
pub fn distance(pixel: f32, #[per_column] wanted: f32) -> f32 {
    (pixel - wanted) * (pixel - wanted)
}

/// The smallest distance of a row and where it stands.
#[warp_reduce(op = argmin)]
pub fn closest(distance: f32) -> f32 {
    distance
}

/// The first of the images that are closest to `wanted`, by a plain loop.
fn reference(images: &[f32], wanted: &[f32]) -> u64 {
    let distance = |image: &[f32]| {
        image
            .iter()
            .zip(wanted)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f32>()
    };
    let mut best = (f32::INFINITY, 0);
    for (index, image) in (0..).zip(images.chunks(wanted.len())) {
        let distance = distance(image);
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1
}

/// Asks about the last 100 images and looks among the others.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("nearest digits on {}", device.describe());
    let digits = warpfold_examples::digits()?;
    let (images, pixels) = digits.images.dim();
    let flat = digits
        .images
        .as_slice()
        .ok_or("the images are not in row order")?;
    let known = images - 100;
    let (library, asked) = flat.split_at(known * pixels);

    let data = device.buffer(library)?;
    let mut distances = Vec::new();
    for image in asked.chunks(pixels) {
        let of_all = distance::rows(Rows::new(known, pixels), &data, &device.buffer(image)?)?;
        distances.extend(of_all.to_vec()?);
    }
    let (_, nearest) = closest::rows(Rows::new(100, known), &device.buffer(&distances)?)?;
    let nearest = nearest.to_vec()?;

    // Squared distances of whole numbers are exact here, so the neighbours are the same ones, ties and all.
    let wanted: Vec<u64> = asked
        .chunks(pixels)
        .map(|image| reference(library, image))
        .collect();
    equal("nearest images", &nearest, &wanted)?;
    let right = (known..)
        .zip(&nearest)
        .filter(|&(image, &neighbour)| digits.labels[image] == digits.labels[neighbour as usize])
        .count();
    println!("  {right} of 100 digits read right");
    require(
        right >= 90,
        "fewer digits were read right than the nearest neighbour reads",
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
