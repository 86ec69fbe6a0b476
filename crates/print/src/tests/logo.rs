use proptest::prelude::*;

use super::*;

#[test]
fn logos_are_checked() {
    for (bytes, problem) in [
        (PNG.to_vec(), None),
        (JPEG.to_vec(), None),
        (Vec::new(), Some("PNG or JPEG")),
        (b"GIF89a".to_vec(), Some("PNG or JPEG")),
        (b"\x89PNG\r\n\x1a\nnothing".to_vec(), Some("PNG or JPEG")),
        (PNG[..PNG.len() / 2].to_vec(), Some("complete")),
        (JPEG[..JPEG.len() / 2].to_vec(), Some("complete")),
        (vec![0; LOGO_BYTES_MAX + 1], Some("262144 bytes")),
        (png_of(8, 200), Some("pixels")),
        (png_of(200, 30_000), Some("pixels")),
        (png_of(u32::MAX, u32::MAX), Some("pixels")),
    ] {
        let found = logo_to_keep(bytes.clone()).err();
        match problem {
            None => assert_eq!(found, None),
            Some(words) => {
                assert!(
                    found.as_ref().is_some_and(|text| text.to_string().contains(words)),
                    "{found:?}"
                );
            }
        }
    }
}

/// 35 KiB of file can be 32 MB of pixels, which every invoice would decode again.
#[test]
fn no_more_pixels_are_kept_than_are_printed() {
    let mut large = Vec::new();
    let mut encoder = png::Encoder::new(&mut large, LOGO_SIDE_MAX, LOGO_SIDE_MAX / 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let samples = vec![0x80; (LOGO_SIDE_MAX * LOGO_SIDE_MAX / 2 * 8) as usize];
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    assert!(large.len() < LOGO_BYTES_MAX, "{}", large.len());
    let kept = logo_to_keep(large).unwrap();
    let info = png::Decoder::new(std::io::Cursor::new(&kept)).read_info().unwrap().info().clone();
    assert_eq!((info.width, info.height, info.bit_depth), (600, 300, png::BitDepth::Eight));
    assert_eq!(logo_to_keep(kept.clone()).unwrap(), kept, "it is scaled once");
}

/// A PNG that says it has that size; its pixels are those of another.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend(&PNG[24..29]);
    let mut bytes = PNG[..12].to_vec();
    bytes.extend(&header);
    bytes.extend(crc(&header).to_be_bytes());
    bytes.extend(&PNG[33..]);
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit))
}

#[test]
fn a_logo_is_drawn_or_left_out_but_never_in_the_way() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let plain = sheet(&document, &stamp);
    let without = pdf(&plain).unwrap();
    for (logo, drawn) in [
        (PNG, true),
        (JPEG, true),
        (&PNG[..PNG.len() / 2], false),
        (b"\x89PNG\r\n\x1a\nnothing".as_slice(), false),
        (b"", false),
    ] {
        let with = pdf(&Sheet { logo: Some(logo), ..plain }).unwrap();
        assert_eq!(with != without, drawn);
        assert_eq!(
            String::from_utf8_lossy(&with).contains("/Subtype/Image"),
            drawn || has_image(&without)
        );
    }
}

fn has_image(pdf: &[u8]) -> bool {
    String::from_utf8_lossy(pdf).contains("/Subtype/Image")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_can_be_given_as_a_logo(
        png in any::<bool>(),
        cut in 0usize..3_000,
        changes in prop::collection::vec((0usize..3_000, any::<u8>()), 0..6),
    ) {
        let mut bytes = if png { PNG.to_vec() } else { JPEG.to_vec() };
        bytes.truncate(cut);
        for (place, byte) in changes {
            if let Some(old) = bytes.get_mut(place) {
                *old = byte;
            }
        }
        let (document, stamp) = (samples::invoice(1), samples::stamp());
        let sheet = Sheet { logo: Some(&bytes), ..sheet(&document, &stamp) };
        prop_assert!(pdf(&sheet).is_ok());
        let _ = logo_to_keep(bytes.clone()).err();
    }
}
