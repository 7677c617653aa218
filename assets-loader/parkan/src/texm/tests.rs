use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Texm {
        facts: facts(),
        damage: damage(),
        // Without its `Page` block of one rectangle a texture is whole.
        truncations: Truncations::RefusedBeyond(16),
        values: any_texm(),
        growth: 8,
        runs: 2_000,
        records: records(),
        also: |texture, _| {
            for level in 0..texture.mips.len() {
                texture.to_rgba8(level as u32).unwrap();
            }
            texture.page_uvs();
            texture.mip_skip();
        },
    }
}

fn texm(format: TexmFormat, width: u32, height: u32, mips: Vec<Vec<u8>>) -> Texm {
    Texm {
        width,
        height,
        flags4: 0,
        flags5: 0,
        unknown_18: 0,
        format,
        palette: None,
        mips,
        page: None,
    }
}

fn paged() -> Texm {
    Texm {
        flags4: 32,
        flags5: 0x0400_0000,
        unknown_18: 0x0102_0304,
        page: Some(vec![PageRect {
            x: 1,
            w: 2,
            y: 0,
            h: -1,
        }]),
        ..texm(
            TexmFormat::Rgb565,
            3,
            1,
            vec![vec![1, 2, 3, 4, 5, 6], vec![7, 8]],
        )
    }
}

fn indexed() -> Texm {
    let palette = std::array::from_fn(|i| [i as u8, 2, 3, 4]);
    Texm {
        palette: Some(Box::new(palette)),
        ..texm(TexmFormat::Indexed8, 2, 1, vec![vec![0, 255]])
    }
}

/// Bytes typed from the dossier's table.
/// The header, and a rectangle.
fn records() -> [RecordPlace; 2] {
    let header = [
        ("magic", 4),
        ("width", 4),
        ("height", 4),
        ("mip count", 4),
        ("flags4", 4),
        ("flags5", 4),
        ("unknown_18", 4),
        ("format", 4),
    ];
    let rect = facts().into_iter().find_map(|fact| {
        let rect = *fact.value?.page?.first()?;
        Some(RecordPlace::from_value(&fact.bytes, &rect, ()))
    });
    [RecordPlace::from_fields(0, header), rect.unwrap()]
}

fn facts() -> Vec<Fact<Texm>> {
    #[rustfmt::skip]
    let head = |width: u8, height: u8, mips: u8, format: u16| {
        let [low, high] = format.to_le_bytes();
        vec![
            b'T', b'e', b'x', b'm', width, 0, 0, 0, height, 0, 0, 0, mips, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, 0, 0,
        ]
    };
    let plain = |format, number, pixel: &[u8]| {
        let bytes = [head(1, 1, 1, number), pixel.to_vec()].concat();
        (texm(format, 1, 1, vec![pixel.to_vec()]), bytes)
    };
    let (rgb556, rgb556_bytes) = plain(TexmFormat::Rgb556, 556, &[1, 2]);
    let (argb4444, argb4444_bytes) = plain(TexmFormat::Argb4444, 4444, &[1, 2]);
    let (la88, la88_bytes) = plain(TexmFormat::LuminanceAlpha88, 88, &[1, 2]);
    let (rgb888, rgb888_bytes) = plain(TexmFormat::Rgb888, 888, &[1, 2, 3, 4]);
    let (argb8888, argb8888_bytes) = plain(TexmFormat::Argb8888, 8888, &[1, 2, 3, 4]);
    #[rustfmt::skip]
    let paged_bytes = vec![
        0x54, 0x65, 0x78, 0x6D, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
        32, 0, 0, 0, 0, 0, 0, 4, 4, 3, 2, 1, 0x35, 2, 0, 0,
        1, 2, 3, 4, 5, 6, 7, 8,
        0x50, 0x61, 0x67, 0x65, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0xFF, 0xFF,
    ];
    let mut indexed_bytes = head(2, 1, 1, 0);
    for i in 0..=255 {
        indexed_bytes.extend([i, 2, 3, 4]);
    }
    indexed_bytes.extend([0, 255]);
    vec![
        Fact::new("565 with two levels and a page", paged(), paged_bytes),
        Fact::new("indexed", indexed(), indexed_bytes),
        Fact::new("556", rgb556, rgb556_bytes),
        Fact::new("4444", argb4444, argb4444_bytes),
        Fact::new("88", la88, la88_bytes),
        Fact::new("888", rgb888, rgb888_bytes),
        Fact::new("8888", argb8888, argb8888_bytes),
    ]
}

fn damage() -> Vec<Damage> {
    let good = paged().write().unwrap();
    let rows: [(&str, usize, &[u8], &str, u64); 11] = [
        ("other magic", 0, b"texm", "magic", 0),
        ("width 0", 4, &[0], "width", 4),
        ("height 0", 8, &[0], "height", 8),
        ("no level", 12, &[0], "mip count", 12),
        ("33 levels", 12, &[33], "mip count", 12),
        ("unknown format", 28, &[0x36], "format", 28),
        ("palette that is not there", 28, &[0, 0], "palette", 32),
        (
            "hostile size",
            4,
            &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            "mip level",
            32,
        ),
        ("one level less", 12, &[1], "page magic", 38),
        (
            "hostile page count",
            44,
            &[0xFF, 0xFF, 0xFF, 0xFF],
            "page count",
            44,
        ),
        ("page count 0", 44, &[0], "after the page rectangles", 48),
    ];
    let damaged = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    damaged.into()
}

#[test]
fn contradictions_are_not_written() {
    let refused = [
        (
            Texm {
                width: 0,
                ..paged()
            },
            "width",
        ),
        (
            Texm {
                height: 0,
                ..paged()
            },
            "height",
        ),
        (
            Texm {
                mips: Vec::new(),
                ..paged()
            },
            "mip count",
        ),
        (
            Texm {
                mips: vec![vec![0; 2]; 33],
                ..texm(TexmFormat::Rgb565, 1, 1, Vec::new())
            },
            "mip count",
        ),
        (
            Texm {
                width: 4,
                ..paged()
            },
            "mip level",
        ),
        (
            Texm {
                palette: None,
                ..indexed()
            },
            "palette",
        ),
        (
            Texm {
                palette: indexed().palette,
                ..paged()
            },
            "palette",
        ),
    ];
    for (texm, field) in refused {
        assert_eq!(texm.write().unwrap_err().field, field);
    }
}

#[test]
fn every_truncation_is_refused_but_that_of_the_page() {
    let good = paged().write().unwrap();
    for len in 0..good.len() {
        assert_eq!(Texm::read(&good[..len]).is_ok(), len == 40, "{len}");
    }
}

#[test]
fn channels_widen_exactly() {
    let pixel = |format, bytes: &[u8]| {
        let texm = texm(format, 1, 1, vec![bytes.to_vec()]);
        <[u8; 4]>::try_from(texm.to_rgba8(0).unwrap()).unwrap()
    };
    let word = |format, word: u16| pixel(format, &word.to_le_bytes());
    assert_eq!(word(TexmFormat::Rgb565, 0xF800), [255, 0, 0, 255]);
    assert_eq!(word(TexmFormat::Rgb565, 0x07E0), [0, 255, 0, 255]);
    assert_eq!(word(TexmFormat::Rgb565, 0x001F), [0, 0, 255, 255]);
    // 16 of 31 and 32 of 63: (16 * 255 + 15) / 31 = 132, (32 * 255 + 31) / 63 = 130.
    assert_eq!(
        word(TexmFormat::Rgb565, 16 << 11 | 32 << 5 | 1),
        [132, 130, 8, 255]
    );
    assert_eq!(
        word(TexmFormat::Rgb556, 16 << 11 | 1 << 6 | 32),
        [132, 8, 130, 255]
    );
    assert_eq!(word(TexmFormat::Argb4444, 0x8F1A), [255, 17, 170, 136]);
    assert_eq!(
        pixel(TexmFormat::LuminanceAlpha88, &[10, 20]),
        [20, 20, 20, 10]
    );
    assert_eq!(pixel(TexmFormat::Rgb888, &[1, 2, 3, 4]), [3, 2, 1, 255]);
    assert_eq!(pixel(TexmFormat::Argb8888, &[1, 2, 3, 4]), [3, 2, 1, 4]);
    assert_eq!(
        indexed().to_rgba8(0).unwrap(),
        [3, 2, 0, 255, 3, 2, 255, 255]
    );
}

#[test]
fn uncertain_readings_have_switches() {
    let options = PixelOptions {
        order_888: ChannelOrder::Rgb,
        order_88: LuminanceOrder::LuminanceFirst,
        palette_order: ChannelOrder::Rgb,
        palette_alpha: PaletteAlpha::Stored,
    };
    let pixel = |format, bytes: &[u8]| {
        let texm = texm(format, 1, 1, vec![bytes.to_vec()]);
        texm.to_rgba8_with(0, options).unwrap()
    };
    assert_eq!(
        pixel(TexmFormat::LuminanceAlpha88, &[10, 20]),
        [10, 10, 10, 20]
    );
    assert_eq!(pixel(TexmFormat::Rgb888, &[1, 2, 3, 4]), [1, 2, 3, 255]);
    assert_eq!(pixel(TexmFormat::Argb8888, &[1, 2, 3, 4]), [3, 2, 1, 4]);
    let indexed = indexed().to_rgba8_with(0, options).unwrap();
    assert_eq!(indexed, [0, 2, 3, 4, 255, 2, 3, 4]);
}

#[test]
fn every_stored_value_survives_widening_and_narrowing() {
    let words: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for format in [TexmFormat::Rgb565, TexmFormat::Rgb556, TexmFormat::Argb4444] {
        let all = texm(format, 256, 256, vec![words.clone()]);
        let rgba = all.to_rgba8(0).unwrap();
        let back = Texm::from_rgba8(format, 256, 256, &rgba, MipChain::LevelZero).unwrap();
        assert_eq!(back, all, "{format:?}");
    }
}

#[test]
fn narrowing_takes_the_nearest_value() {
    let gray: Vec<u8> = (0..=255).flat_map(|v| [v, v, v, v]).collect();
    for (format, max_error) in [
        (TexmFormat::Rgb565, 4),
        (TexmFormat::Rgb556, 4),
        (TexmFormat::Argb4444, 8),
        (TexmFormat::LuminanceAlpha88, 0),
        (TexmFormat::Rgb888, 0),
        (TexmFormat::Argb8888, 0),
        (TexmFormat::Indexed8, 0),
    ] {
        let texm = Texm::from_rgba8(format, 256, 1, &gray, MipChain::LevelZero).unwrap();
        let back = texm.to_rgba8(0).unwrap();
        for (value, pixel) in (0u8..=255).zip(back.chunks(4)) {
            for channel in 0..3 {
                let error = pixel[channel].abs_diff(value);
                assert!(error <= max_error, "{format:?}: {value} became {pixel:?}");
            }
            let alpha = if format.has_alpha() { value } else { 255 };
            assert!(
                pixel[3].abs_diff(alpha) <= max_error,
                "{format:?}: {pixel:?}"
            );
        }
    }
}

#[test]
fn full_chains_halve_down_to_one_pixel_by_box_filter() {
    // 3 x 2: the second level is 1 x 1 and covers all six pixels.
    let rgba: Vec<u8> = [0, 10, 20, 30, 40, 50]
        .iter()
        .flat_map(|v| [*v, 0, 0, 255])
        .collect();
    let texm = Texm::from_rgba8(TexmFormat::Argb8888, 3, 2, &rgba, MipChain::Full).unwrap();
    assert_eq!(texm.mips.len(), 2);
    assert_eq!(texm.to_rgba8(1).unwrap(), [25, 0, 0, 255]);

    // An invisible green pixel dilutes the alpha of a red one, not its color.
    let rgba = [255, 0, 0, 255, 0, 255, 0, 0];
    let texm = Texm::from_rgba8(TexmFormat::Argb8888, 2, 1, &rgba, MipChain::Full).unwrap();
    assert_eq!(texm.to_rgba8(1).unwrap(), [255, 0, 0, 128]);

    let texm = Texm::from_rgba8(TexmFormat::Indexed8, 64, 16, &[7; 4096], MipChain::Full).unwrap();
    let sizes: Vec<_> = texm.mips.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1024, 256, 64, 16, 4, 2, 1]);
    assert_eq!(Texm::read(&texm.write().unwrap()), Ok(texm));
}

#[test]
fn wrong_pixels_are_refused() {
    let from = |width, height, rgba: &[u8]| {
        Texm::from_rgba8(TexmFormat::Rgb565, width, height, rgba, MipChain::Full)
    };
    assert!(from(1, 1, &[0; 4]).is_ok());
    assert!(from(0, 1, &[]).is_err());
    assert!(from(1, 1, &[0; 5]).is_err());
    assert!(from(u32::MAX, u32::MAX, &[0; 4]).is_err());
    assert!(paged().to_rgba8(2).is_err());
    assert!(
        Texm {
            width: 9,
            ..paged()
        }
        .to_rgba8(0)
        .is_err()
    );
    assert!(
        Texm {
            palette: None,
            ..indexed()
        }
        .to_rgba8(0)
        .is_err()
    );
}

#[test]
fn mip_skips_follow_the_table() {
    let skip = |flags5: u32, side: u32, n_levels: usize| {
        let mips = vec![Vec::new(); n_levels];
        Texm {
            flags5,
            ..texm(TexmFormat::Rgb565, side, side, mips)
        }
        .mip_skip()
    };
    let rows = [
        (0x0200_0000, 8, 1, 0),
        (0x0200_0000, 8, 2, 1),
        (0x0200_0000, 8, 3, 2),
        (0x1000_0000, 8, 4, 1),
        (0x2000_0000, 128, 4, 0),
        (0x2000_0000, 256, 4, 1),
        (0x4000_0000, 64, 4, 0),
        (0x4000_0000, 128, 4, 1),
        (0x4000_0000, 256, 2, 1),
        (0x4000_0000, 256, 3, 2),
        (0x0400_0000, 256, 4, 0),
        (0x0080_0000, 256, 4, 0),
        (0x3000_0000, 256, 4, 0),
    ];
    for (flags5, side, n_levels, expected) in rows {
        assert_eq!(
            skip(flags5, side, n_levels),
            expected,
            "{flags5:#x} {side} {n_levels}"
        );
    }
    let tall = Texm {
        height: 256,
        flags5: 0x4000_0000,
        ..texm(TexmFormat::Rgb565, 64, 0, vec![Vec::new(); 3])
    };
    assert_eq!(tall.mip_skip(), 0);
}

#[test]
fn pages_begin_with_the_whole_texture() {
    let mut texm = texm(TexmFormat::Rgb565, 64, 32, Vec::new());
    assert_eq!(texm.page_uvs(), [[0.0, 0.0, 1.0, 1.0]]);
    texm.page = Some(vec![PageRect {
        x: 16,
        w: 32,
        y: 8,
        h: 16,
    }]);
    assert_eq!(texm.page_uvs()[1], [0.25, 0.25, 0.5, 0.5]);
}

/// The original divides by the side that is left after the skip, shifted back up (dossier section 9.1).
#[test]
fn pages_are_where_they_were_however_many_levels_are_skipped() {
    let rect = |[x, y, w, h]: [i16; 4]| PageRect { x, w, y, h };
    let rects = [
        [0, 0, 64, 32],
        [16, 8, 32, 16],
        [63, 31, 1, 1],
        [1, 2, 3, 4],
    ];
    for (flags5, n_levels, expected_skip) in [
        (0, 6, 0),
        (0x1000_0000, 6, 1),
        (0x0200_0000, 2, 1),
        (0x0200_0000, 6, 2),
    ] {
        let texm = Texm {
            flags5,
            page: Some(rects.map(rect).to_vec()),
            ..texm(TexmFormat::Rgb565, 64, 32, vec![Vec::new(); n_levels])
        };
        let skip = texm.mip_skip();
        assert_eq!(skip, expected_skip, "{flags5:#x}");
        let [width, height] = texm.level_size(skip).map(|side| (side << skip) as f32);
        let uvs = texm.page_uvs();
        assert_eq!(uvs.len(), 1 + rects.len());
        assert_eq!(uvs[0], [0.0, 0.0, 1.0, 1.0]);
        for (uv, rect) in uvs[1..].iter().zip(rects) {
            let [x, y, w, h] = rect.map(f32::from);
            assert_eq!(
                *uv,
                [x / width, y / height, w / width, h / height],
                "{skip}"
            );
        }
    }
}

#[test]
fn unusual_textures_are_found() {
    let usual = texm(TexmFormat::Rgb565, 8, 8, vec![vec![0; 128]]);
    assert_eq!(usual.check(), []);
    let unusual = Texm {
        flags4: 1,
        flags5: 1,
        page: Some(vec![
            PageRect {
                x: 0,
                w: 4,
                y: 0,
                h: 1,
            },
            PageRect {
                x: 0,
                w: 3,
                y: 0,
                h: 1,
            },
        ]),
        ..texm(
            TexmFormat::Rgb556,
            3,
            1,
            vec![vec![0; 6], vec![0; 2], vec![0; 2]],
        )
    };
    assert_eq!(unusual.check().len(), 6, "{:#?}", unusual.check());
}

prop_compose! {
    fn any_texm()(
        format in prop::sample::select(&TexmFormat::ALL[..]),
        [width, height] in prop::array::uniform2(1u32..20),
        n_levels in 1u32..8,
        words in any::<[u32; 3]>(),
        fill in any::<u8>(),
        page in prop::option::of(prop::collection::vec(any::<[i16; 4]>(), 0..4)),
    ) -> Texm {
        let [flags4, flags5, unknown_18] = words;
        let level = |level| {
            let size = level_size(width, height, level).map(|side| side as usize);
            (0..size[0] * size[1] * format.bytes_per_pixel()).map(|i| fill.wrapping_add(i as u8)).collect()
        };
        let palette = || Box::new(std::array::from_fn(|i| [i as u8, fill, 1, 2]));
        let rect = |[x, w, y, h]: [i16; 4]| PageRect { x, w, y, h };
        Texm {
            width, height, flags4, flags5, unknown_18, format,
            palette: (format == TexmFormat::Indexed8).then(palette),
            mips: (0..n_levels).map(level).collect(),
            page: page.map(|rects| rects.into_iter().map(rect).collect()),
        }
    }
}
