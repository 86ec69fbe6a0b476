//! Pictures with more pixels than are printed.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Transformations};

/// What decoding one picture may take, in bytes: all pixels of the largest logo, and what the decoder needs.
const MEMORY_MAX: usize = 24 * 1024 * 1024;

/// A PNG with 8 bits for each sample and no side longer than `side_max`, from one with more of either; none if its pixels
/// cannot be read. Line by line, so that it takes hardly more memory than the smaller one, unless the lines are interlaced.
pub(crate) fn scaled(png: &[u8], side_max: u32) -> Option<Vec<u8>> {
    let file = Sips(Cursor::new(png));
    let mut decoder = Decoder::new_with_limits(file, Limits { bytes: MEMORY_MAX });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let info = reader.info();
    let (width, height, interlaced) = (info.width as usize, info.height as usize, info.interlaced);
    let samples = reader.output_color_type().0.samples();
    let longest = width.max(height);
    let side_max = (side_max as usize).min(longest);
    let side = |side: usize| (side * side_max / longest).max(1);
    let mut smaller = Smaller::new(width, height, side(width), side(height));
    if interlaced {
        let mut all = vec![0; reader.output_buffer_size().filter(|size| *size <= MEMORY_MAX)?];
        reader.next_frame(&mut all).ok()?;
        all.chunks(width * samples).for_each(|line| smaller.add(line, samples));
    } else {
        while let Some(line) = reader.next_row().ok()? {
            smaller.add(line.data(), samples);
        }
    }
    let pixels = smaller.pixels()?;
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, side(width) as u32, side(height) as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.write_header().ok()?.write_image_data(&pixels).ok()?;
    Some(png)
}

/// A file that is handed over in small parts: the decoder inflates all that it is given at once, a thousandfold.
struct Sips<'a>(Cursor<&'a [u8]>);

const SIP_BYTES: usize = 256;

impl Read for Sips<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl BufRead for Sips<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let rest = self.0.fill_buf()?;
        Ok(rest.get(..SIP_BYTES).unwrap_or(rest))
    }

    fn consume(&mut self, bytes: usize) {
        self.0.consume(bytes);
    }
}

impl Seek for Sips<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// The smaller picture, made from the lines of the larger one.
struct Smaller {
    /// Places of the larger picture, across and down.
    larger: (usize, usize),
    smaller: (usize, usize),
    /// How many lines have been added.
    lines: usize,
    /// What has been added of the line that is being made.
    sums: Vec<Sum>,
    pixels: Vec<u8>,
}

/// Some places of the larger picture; a color counts as much as it is seen.
#[derive(Clone, Copy, Default)]
struct Sum {
    colors: [u64; 3],
    opacity: u64,
    places: u64,
}

impl Smaller {
    fn new(width: usize, height: usize, across: usize, down: usize) -> Self {
        Self {
            larger: (width, height),
            smaller: (across, down),
            lines: 0,
            sums: vec![Sum::default(); across],
            pixels: Vec::with_capacity(across * down * 4),
        }
    }

    /// Adds the next line, of so many samples for each place.
    fn add(&mut self, line: &[u8], samples: usize) {
        let ((width, height), (across, down)) = (self.larger, self.smaller);
        for (x, place) in line.chunks(samples).take(width).enumerate() {
            if let Some(sum) = self.sums.get_mut(x * across / width) {
                sum.add(pixel(place));
            }
        }
        self.lines += 1;
        let made = self.pixels.len() / (across * 4);
        if self.lines * down / height > made {
            self.pixels.extend(self.sums.iter().flat_map(Sum::mean));
            self.sums.fill(Sum::default());
        }
    }

    /// The pixels, once all lines have been added.
    fn pixels(self) -> Option<Vec<u8>> {
        let (across, down) = self.smaller;
        Some(self.pixels).filter(|pixels| pixels.len() == across * down * 4)
    }
}

/// Red, green, blue and opacity.
fn pixel(place: &[u8]) -> [u8; 4] {
    match *place {
        [gray] => [gray, gray, gray, u8::MAX],
        [gray, alpha] => [gray, gray, gray, alpha],
        [red, green, blue] => [red, green, blue, u8::MAX],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => [0; 4],
    }
}

impl Sum {
    fn add(&mut self, [red, green, blue, alpha]: [u8; 4]) {
        let alpha = u64::from(alpha);
        for (sum, color) in self.colors.iter_mut().zip([red, green, blue]) {
            *sum += u64::from(color) * alpha;
        }
        self.opacity += alpha;
        self.places += 1;
    }

    fn mean(&self) -> [u8; 4] {
        let mean = |sum: u64, count: u64| (sum + count / 2).checked_div(count).unwrap_or(0) as u8;
        let [red, green, blue] = self.colors.map(|sum| mean(sum, self.opacity));
        [red, green, blue, mean(self.opacity, self.places)]
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
