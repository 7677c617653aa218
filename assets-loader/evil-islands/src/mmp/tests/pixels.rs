//! Pixels of every format, and packed ones, against values typed from the dossier.

use super::super::*;
use super::{packed, texture};
use ironlands_assets_proof::hex;

/// Dossier section 13.5, and what follows from 5.2.
#[test]
fn words_are_widened_with_halves_upward() {
    use MmpFormat as F;
    let rows: [(F, &[u8], [u8; 4]); 9] = [
        (F::Rgb565, &[0x10, 0x84], [132, 130, 132, 255]),
        (F::Argb1555, &[0x10, 0xC2], [132, 132, 132, 255]),
        (F::Argb1555, &[0xFF, 0x7F], [255, 255, 255, 0]),
        (F::Argb4444, &[0x21, 0x84], [68, 34, 17, 136]),
        (
            F::Argb8888,
            &[0x11, 0x22, 0x33, 0x44],
            [0x33, 0x22, 0x11, 0x44],
        ),
        (F::Rgb565, &[0x00, 0xF8], [255, 0, 0, 255]),
        (F::Rgb565, &[0xE0, 0x07], [0, 255, 0, 255]),
        (F::Rgb565, &[0x1F, 0x00], [0, 0, 255, 255]),
        (F::Rgb565, &[0x41, 0x08], [8, 8, 8, 255]),
    ];
    for (format, bytes, expected) in rows {
        let found = texture(format, [1, 1], &[bytes]).level_rgba(0).unwrap();
        assert_eq!(found, expected, "{format} {bytes:02x?}");
    }
}

#[test]
fn masks_of_the_file_decide_and_broken_ones_show_nothing() {
    let mut mmp = texture(MmpFormat::Rgb565, [1, 1], &[&[0x0F, 0xF0]]);
    mmp.channels = Channels {
        alpha: Channel {
            mask: 0,
            shift: 40,
            n_bits: 1,
        },
        red: Channel {
            mask: 0xF000,
            shift: 12,
            n_bits: 4,
        },
        green: Channel {
            mask: 0xFFFF,
            shift: 32,
            n_bits: 4,
        },
        blue: Channel {
            mask: 0x000F,
            shift: 0,
            n_bits: 0,
        },
    };
    assert_eq!(mmp.level_rgba(0), Ok(vec![255, 0, 0, 255]));
}

/// Dossier section 13.4.
#[test]
fn packed_pixels_unpack_as_in_the_worked_example() {
    let expected = [
        hex("11 22 33 FF"),
        vec![0; 16],
        hex("44 55 66 80 FF FF FF FF"),
        vec![0; 8],
    ]
    .concat();
    assert_eq!(packed().level_rgba(0).as_ref(), Ok(&expected));
    let words = hex("33 22 11 FF 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         66 55 44 80 FF FF FF FF 00 00 00 00 00 00 00 00");
    let plain = texture(MmpFormat::Pnt3, [3, 3], &[&words]);
    assert_eq!(plain.level_rgba(0), Ok(expected));
    let flushed = texture(MmpFormat::Pnt3, [1, 1], &[&hex("33 22 11 FF")]);
    assert_eq!(flushed.level_rgba(0), Ok(hex("11 22 33 FF")));
}

#[test]
fn literals_at_the_end_and_zeros_among_them_count() {
    // A run of two pixels, a literal zero, two literals.
    let stream = hex("08 00 00 00 00 00 00 00 33 22 11 FF 40 42 0F 01");
    let mmp = texture(MmpFormat::Pnt3, [5, 1], &[&stream]);
    let expected = [vec![0; 12], hex("11 22 33 FF 0F 42 40 01")].concat();
    assert_eq!(mmp.level_rgba(0), Ok(expected));
    // The largest run, and the smallest number that is none.
    assert_eq!(
        pnt3::unpacked(&hex("40 42 0F 00"), 1_000_000),
        Ok(vec![0; 1_000_000])
    );
    let literal = hex("41 42 0F 00 08 00 00 00");
    assert_eq!(
        pnt3::unpacked(&literal, 12),
        Ok(hex("41 42 0F 00 00 00 00 00 00 00 00 00"))
    );
}

#[test]
fn packing_loses_only_what_cannot_be_distinguished_from_a_run() {
    let mut pixels = vec![0xFF11_2233, 0, 0, 0x8044_5566, 0x000F_4240, 0, 0x000F_4241];
    let packed = pnt3::packed(&pixels);
    assert_eq!(
        packed,
        hex("33 22 11 FF 08 00 00 00 66 55 44 80 08 00 00 00 41 42 0F 00")
    );
    pixels[4] = 0;
    let bytes: Vec<u8> = pixels
        .iter()
        .flat_map(|pixel| pixel.to_le_bytes())
        .collect();
    assert_eq!(pnt3::unpacked(&packed, 28), Ok(bytes));
    // Nothing is gained here, so that nothing needs to be lost.
    let faint = [0x0000_0001, 0xFF00_0000];
    assert_eq!(pnt3::packed(&faint), hex("01 00 00 00 00 00 00 FF"));
    // Runs end at a million bytes.
    let many = pnt3::packed(&vec![0; 250_001]);
    assert_eq!(many, hex("40 42 0F 00 04 00 00 00"));
}

/// Red and blue end points; codes 0, 1, 2, 3 from the left in every row.
#[test]
fn blocks_show_their_codes_from_the_left() {
    let four = hex("00 F8 1F 00 E4 E4 E4 E4");
    let three = hex("1F 00 00 F8 E4 E4 E4 E4");
    let row = |block: &[u8]| {
        texture(MmpFormat::Dxt1, [4, 4], &[block])
            .level_rgba(0)
            .unwrap()[48..]
            .to_vec()
    };
    assert_eq!(
        row(&four),
        [
            255, 0, 0, 255, 0, 0, 255, 255, 170, 0, 85, 255, 85, 0, 170, 255
        ]
    );
    assert_eq!(row(&three)[8..], [128, 0, 128, 255, 0, 0, 0, 0]);
    // DXT3 always has four colors, and the lowest four bits of alpha on the left.
    let block = [hex("10 32 54 76 98 BA DC FE"), three].concat();
    let rgba = texture(MmpFormat::Dxt3, [4, 4], &[&block])
        .level_rgba(0)
        .unwrap();
    assert_eq!(
        rgba[..16],
        [0, 0, 255, 0, 255, 0, 0, 17, 85, 0, 170, 34, 170, 0, 85, 51]
    );
    let dxt5 = [
        hex("FF 00 01 00 00 00 00 00"),
        hex("00 F8 1F 00 E4 E4 E4 E4"),
    ]
    .concat();
    let rgba = texture(MmpFormat::Dxt5, [4, 4], &[&dxt5])
        .level_rgba(0)
        .unwrap();
    assert_eq!(rgba[..8], [255, 0, 0, 0, 0, 0, 255, 255]);
}

#[test]
fn premultiplied_colors_come_out_plain() {
    // Half alpha over half red.
    let block = [
        hex("88 88 88 88 88 88 88 88"),
        hex("00 88 00 88 00 00 00 00"),
    ]
    .concat();
    let plain = texture(MmpFormat::Dxt3, [1, 1], &[&block])
        .level_rgba(0)
        .unwrap();
    let divided = texture(MmpFormat::Dxt2, [1, 1], &[&block])
        .level_rgba(0)
        .unwrap();
    assert_eq!(
        (&plain[..], &divided[..]),
        (&[140, 0, 0, 136][..], &[255, 0, 0, 136][..])
    );
}

#[test]
fn levels_that_are_not_there_are_refused() {
    let mut mmp = texture(MmpFormat::Dxt1, [4, 4], &[&[0; 8]]);
    assert_eq!(mmp.level_rgba(1).unwrap_err().field, "level");
    mmp.levels[0].truncate(7);
    assert_eq!(mmp.level_rgba(0).unwrap_err().field, "level");
}

#[test]
fn pictures_stand_upright_but_for_those_of_32_bits() {
    let rows = [[1, 1, 1, 1], [2, 2, 2, 2]].concat();
    let wide = texture(MmpFormat::Argb8888, [1, 2], &[&rows]);
    assert_eq!(wide.upright_rgba(0), wide.level_rgba(0));
    let words = texture(MmpFormat::Argb4444, [1, 3], &[&hex("11 11 22 22 33 33")]);
    let upright = words.upright_rgba(0).unwrap();
    assert_eq!(upright, [[51; 4], [34; 4], [17; 4]].concat());
}
