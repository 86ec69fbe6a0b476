//! Pictures with more pixels than are printed.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Transformations};

/// What decoding one picture may take, in bytes: all pixels of the largest logo, and what the decoder needs.
const MEMORY_MAX: usize = 24 * 1024 * 1024;

/// A PNG with 8 bits for each sample and no side longer than `side_max`, from one with more of either; none if its pixels
/// cannot be read.
pub(crate) fn scaled(png: &[u8], side_max: u32) -> Option<Vec<u8>> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(png), Limits { bytes: MEMORY_MAX });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut samples = vec![0; reader.output_buffer_size().filter(|size| *size <= MEMORY_MAX)?];
    let frame = reader.next_frame(&mut samples).ok()?;
    let picture = Picture {
        samples: samples.get(..frame.buffer_size())?,
        width: frame.width as usize,
        height: frame.height as usize,
        color: frame.color_type,
    };
    let longest = picture.width.max(picture.height);
    let side_max = (side_max as usize).min(longest);
    let side = |side: usize| (side * side_max / longest).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let mut pixels = Vec::with_capacity(width * height * 4);
    for y in 0..height {
        for x in 0..width {
            pixels.extend(
                picture.mean(span(x, width, picture.width), span(y, height, picture.height)),
            );
        }
    }
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, width as u32, height as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.write_header().ok()?.write_image_data(&pixels).ok()?;
    Some(png)
}

/// The places of the picture that become one place of the smaller one.
fn span(place: usize, smaller: usize, larger: usize) -> std::ops::Range<usize> {
    let start = place * larger / smaller;
    start..((place + 1) * larger / smaller).max(start + 1)
}

struct Picture<'a> {
    samples: &'a [u8],
    width: usize,
    height: usize,
    color: ColorType,
}

impl Picture<'_> {
    /// Red, green, blue and opacity of a place.
    fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let samples = self.color.samples();
        let at = (y.min(self.height - 1) * self.width + x.min(self.width - 1)) * samples;
        match self.samples.get(at..at + samples) {
            Some(&[gray]) => [gray, gray, gray, u8::MAX],
            Some(&[gray, alpha]) => [gray, gray, gray, alpha],
            Some(&[red, green, blue]) => [red, green, blue, u8::MAX],
            Some(&[red, green, blue, alpha]) => [red, green, blue, alpha],
            _ => [0; 4],
        }
    }

    /// The mean of some places; a color counts as much as it is seen.
    fn mean(&self, across: std::ops::Range<usize>, down: std::ops::Range<usize>) -> [u8; 4] {
        let (mut colors, mut opacity, mut places) = ([0_u64; 3], 0_u64, 0_u64);
        for y in down {
            for x in across.clone() {
                let [red, green, blue, alpha] = self.pixel(x, y);
                let alpha = u64::from(alpha);
                for (sum, color) in colors.iter_mut().zip([red, green, blue]) {
                    *sum += u64::from(color) * alpha;
                }
                (opacity, places) = (opacity + alpha, places + 1);
            }
        }
        let mean = |sum: u64, count: u64| (sum + count / 2).checked_div(count).unwrap_or(0) as u8;
        let [red, green, blue] = colors.map(|sum| mean(sum, opacity));
        [red, green, blue, mean(opacity, places)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, samples: &[u8]) -> Vec<u8> {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(samples).unwrap();
        png
    }

    fn pixels(png: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut samples = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut samples).unwrap();
        (frame.width, frame.height, samples)
    }

    #[test]
    fn a_color_counts_as_much_as_it_is_seen() {
        let samples = [200, 0, 0, 255, 0, 0, 200, 0];
        let two = png(2, 1, ColorType::Rgba, BitDepth::Eight, &samples);
        assert_eq!(pixels(&scaled(&two, 1).unwrap()), (1, 1, vec![200, 0, 0, 128]));
    }

    #[test]
    fn sixteen_bits_become_eight() {
        let gray = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x80, 0x12, 0xff, 0xff]);
        let expected = vec![128, 128, 128, 255, 255, 255, 255, 255];
        assert_eq!(pixels(&scaled(&gray, 600).unwrap()), (2, 1, expected));
    }

    #[test]
    fn what_is_no_picture_is_none() {
        let whole = png(64, 64, ColorType::Grayscale, BitDepth::Eight, &[7; 64 * 64]);
        for broken in [&b"GIF89a"[..], &[], &whole[..whole.len() / 2]] {
            assert_eq!(scaled(broken, 10), None);
        }
    }

    proptest! {
        /// One color stays that color, whatever the sizes; proportions stay too.
        #[test]
        fn a_plain_picture_stays_plain(
            width in 1_u32..90, height in 1_u32..90, side in 1_u32..60, red: u8, green: u8, blue: u8,
        ) {
            let samples = [red, green, blue].repeat((width * height) as usize);
            let plain = png(width, height, ColorType::Rgb, BitDepth::Eight, &samples);
            let (across, down, found) = pixels(&scaled(&plain, side).unwrap());
            prop_assert!(across.max(down) <= side && across >= 1 && down >= 1);
            prop_assert_eq!(across.max(down), side.min(width.max(height)));
            prop_assert!(found.chunks(4).all(|pixel| pixel == [red, green, blue, 255]));
        }
    }
}
