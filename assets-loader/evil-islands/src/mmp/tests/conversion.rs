//! New textures, blocks of pixels, DDS files, textures of a scene.

use ironlands_scene::{Addressing, PixelFormat};
use proptest::prelude::*;

use super::super::*;
use super::{packed, texture};
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_proof::{Rng, hex, set32};

const SEEN: [MmpFormat; 7] = [
    MmpFormat::Dxt1,
    MmpFormat::Dxt3,
    MmpFormat::Pnt3,
    MmpFormat::Rgb565,
    MmpFormat::Argb1555,
    MmpFormat::Argb4444,
    MmpFormat::Argb8888,
];

fn draft(format: MmpFormat, [width, height]: [u32; 2], rgba: &[u8]) -> Result<Mmp, FormatError> {
    Mmp::encode(&MmpDraft {
        width,
        height,
        format,
        mips: MipChain::Full,
        rgba,
        rows: PixelRows::Stored,
    })
}

/// A picture of soft gradients with a hole, each row different.
fn picture([width, height]: [u32; 2]) -> Vec<u8> {
    let pixel = |at: u32| {
        let (x, y) = (at % width * 255 / width, at / width * 255 / height);
        let alpha = if x < 40 && y < 40 { 0 } else { 255 };
        [x as u8, y as u8, 255 - x as u8, alpha]
    };
    (0..width * height).flat_map(pixel).collect()
}

fn pixel_errors(a: &[u8], b: &[u8]) -> (u8, f64) {
    let differences = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    let squares: f64 = differences().map(|it| f64::from(it).powi(2)).sum();
    (
        differences().max().unwrap_or(0),
        (squares / a.len() as f64).sqrt(),
    )
}

#[test]
fn new_textures_are_sound_and_near_their_pixels() {
    // Half a step of the coarsest channel, and what four colors on a line leave of a gradient.
    let rows = [
        (MmpFormat::Pnt3, 0),
        (MmpFormat::Argb8888, 0),
        (MmpFormat::Argb4444, 9),
        (MmpFormat::Rgb565, 5),
        (MmpFormat::Argb1555, 5),
    ];
    let opaque: Vec<u8> = picture([32, 16])
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|[r, g, b, _]| [*r, *g, *b, 255])
        .collect();
    for (format, most) in rows {
        let mmp = draft(format, [32, 16], &opaque).unwrap();
        assert_eq!(
            Mmp::read(&mmp.write().unwrap()).as_ref(),
            Ok(&mmp),
            "{format}"
        );
        assert_eq!(mmp.check(), [], "{format}");
        let n_levels = if format == MmpFormat::Pnt3 { 1 } else { 6 };
        assert_eq!(mmp.levels.len(), n_levels, "{format}");
        let (worst, _) = pixel_errors(&mmp.level_rgba(0).unwrap(), &opaque);
        assert!(worst <= most, "{format}: {worst} off");
    }
}

#[test]
fn blocks_of_soft_pictures_are_near_them() {
    let size = [64, 64];
    let rgba = picture(size);
    for format in [MmpFormat::Dxt1, MmpFormat::Dxt3] {
        let mmp = draft(format, size, &rgba).unwrap();
        assert_eq!(Mmp::read(&mmp.write().unwrap()).as_ref(), Ok(&mmp));
        let decoded = mmp.level_rgba(0).unwrap();
        let seen = |rgba: &[u8]| -> Vec<u8> {
            let pixels = rgba.as_chunks::<4>().0.iter();
            let pixels = pixels.map(|pixel| if pixel[3] == 0 { [0; 4] } else { *pixel });
            pixels.flatten().collect()
        };
        let (worst, mean) = pixel_errors(&seen(&decoded), &seen(&rgba));
        assert!(
            mean < 4.5 && worst < 24,
            "{format}: {worst} at worst, {mean} in the mean"
        );
    }
}

/// All 2^16 pairs of end points are too many; random blocks with few codes do.
#[test]
fn blocks_that_blocks_can_show_come_back_exactly() {
    let mut rng = Rng::new(5);
    for run in 0..300 {
        let mut ends = [rng.next_u64() as u16, rng.next_u64() as u16];
        if run % 3 > 0 {
            ends.sort_unstable_by(|a, b| b.cmp(a));
        }
        let codes = rng.next_u64() as u32;
        // Each row shows both end points, so that they can be found.
        let codes = codes & 0x0F0F_0F0F | 0x1010_1010;
        let block = [
            &ends[0].to_le_bytes()[..],
            &ends[1].to_le_bytes(),
            &codes.to_le_bytes(),
        ]
        .concat();
        let rgba = texture(MmpFormat::Dxt1, [4, 4], &[&block])
            .level_rgba(0)
            .unwrap();
        let again = draft(MmpFormat::Dxt1, [4, 4], &rgba)
            .unwrap()
            .level_rgba(0)
            .unwrap();
        let (worst, mean) = pixel_errors(&again, &rgba);
        assert!(
            mean <= 2.0,
            "run {run}: {block:02x?}, {worst} at worst, {mean} in the mean"
        );
    }
}

#[test]
fn one_color_is_as_near_as_blocks_allow() {
    for value in 0..=255_u8 {
        let rgba = [value, value, value, 255].repeat(16);
        let again = draft(MmpFormat::Dxt1, [4, 4], &rgba)
            .unwrap()
            .level_rgba(0)
            .unwrap();
        let (worst, _) = pixel_errors(&again, &rgba);
        // Between steps of 8.2 lie two more: nothing is farther than half of a third, and rounding.
        assert!(worst <= 3, "{value}: {worst} off");
    }
}

#[test]
fn holes_are_holes_and_the_rest_is_not() {
    let mut rng = Rng::new(9);
    for _ in 0..200 {
        let rgba: Vec<u8> = (0..64).map(|_| rng.next_u64() as u8).collect();
        let again = draft(MmpFormat::Dxt1, [4, 4], &rgba)
            .unwrap()
            .level_rgba(0)
            .unwrap();
        for (before, after) in rgba.as_chunks::<4>().0.iter().zip(again.as_chunks::<4>().0) {
            assert_eq!(after[3], if before[3] >= 128 { 255 } else { 0 });
        }
        let again = draft(MmpFormat::Dxt3, [4, 4], &rgba)
            .unwrap()
            .level_rgba(0)
            .unwrap();
        for (before, after) in rgba.as_chunks::<4>().0.iter().zip(again.as_chunks::<4>().0) {
            assert!(before[3].abs_diff(after[3]) <= 8);
        }
    }
}

/// Against the best of all pairs of end points of a gray block, found by trying them all.
#[test]
fn end_points_are_nearly_the_best() {
    let mut rng = Rng::new(3);
    for run in 0..8 {
        let grays: Vec<u8> = (0..16).map(|_| rng.next_u64() as u8).collect();
        let rgba: Vec<u8> = grays.iter().flat_map(|v| [*v, 0, 0, 255]).collect();
        let again = draft(MmpFormat::Dxt1, [4, 4], &rgba)
            .unwrap()
            .level_rgba(0)
            .unwrap();
        let error = |shown: &[f64]| -> f64 {
            let nearest = |v: &u8| {
                shown
                    .iter()
                    .map(|s| (s - f64::from(*v)).powi(2))
                    .fold(f64::MAX, f64::min)
            };
            grays.iter().map(nearest).sum()
        };
        let mut best = f64::MAX;
        for (a, b) in (0..32).flat_map(|a| (0..=a).map(move |b| (f64::from(a), f64::from(b)))) {
            let mix = |t: f64| (a + (b - a) * t) * 255.0 / 31.0;
            best = best.min(error(&[mix(0.0), mix(1.0), mix(1.0 / 3.0), mix(2.0 / 3.0)]));
            best = best.min(error(&[mix(0.0), mix(1.0), mix(0.5)]));
        }
        let found = pixel_errors(&again, &rgba).1.powi(2) * 64.0;
        assert!(
            found <= best * 1.25 + 16.0,
            "run {run}: {found}, the best is {best}"
        );
    }
}

#[test]
fn drafts_of_nonsense_are_refused() {
    assert_eq!(
        draft(MmpFormat::Dxt1, [0, 4], &[]).unwrap_err().field,
        "width"
    );
    assert_eq!(
        draft(MmpFormat::Dxt1, [4, 16_385], &[]).unwrap_err().field,
        "height"
    );
    assert_eq!(
        draft(MmpFormat::Dxt1, [4, 4], &[0; 63]).unwrap_err().field,
        "pixels"
    );
    for format in MmpFormat::ALL {
        let made = draft(format, [4, 4], &[0; 64]);
        assert_eq!(made.is_ok(), SEEN.contains(&format), "{format}");
        if let Err(error) = made {
            assert!(
                matches!(error.kind, FormatErrorKind::Unsupported { .. }),
                "{error}"
            );
        }
    }
}

#[test]
fn upright_pixels_come_back_upright() {
    let size = [8, 4];
    let rgba = [[255, 0, 0, 255].repeat(8), [0, 0, 255, 255].repeat(24)].concat();
    for format in SEEN {
        let mmp = Mmp::encode(&MmpDraft {
            width: size[0],
            height: size[1],
            format,
            mips: MipChain::LevelZero,
            rgba: &rgba,
            rows: PixelRows::Upright,
        })
        .unwrap();
        assert_eq!(mmp.upright_rgba(0).as_ref(), Ok(&rgba), "{format}");
        let is_first = mmp.level_rgba(0).unwrap()[..4] == [255, 0, 0, 255];
        assert_eq!(is_first, format == MmpFormat::Argb8888, "{format}");
    }
}

/// The header of a DDS file, word by word.
#[test]
fn dds_headers_say_what_every_reader_requires() {
    let dxt1 = texture(MmpFormat::Dxt1, [8, 4], &[&[0; 16], &[0; 8]]);
    let dds = dxt1.to_dds(PixelRows::Upright).unwrap();
    assert_eq!(dds.len(), 128 + 24);
    let word = |dds: &[u8], at: usize| u32::from_le_bytes(dds[at..at + 4].try_into().unwrap());
    let head = [0, 4, 8, 12, 16, 20, 24, 28].map(|at| word(&dds, at));
    assert_eq!(head, [0x2053_4444, 124, 0xA_1007, 4, 8, 16, 0, 2]);
    assert_eq!([76, 80, 84].map(|at| word(&dds, at)), [32, 4, 0x3154_5844]);
    assert_eq!(word(&dds, 108), 0x40_1008);
    let wide = texture(MmpFormat::Argb8888, [2, 1], &[&[1, 2, 3, 4, 5, 6, 7, 8]]);
    let dds = wide.to_dds(PixelRows::Upright).unwrap();
    let format = [76, 80, 84, 88, 92, 96, 100, 104, 108].map(|at| word(&dds, at));
    assert_eq!(
        format,
        [
            32,
            0x41,
            0,
            32,
            0xFF_0000,
            0xFF00,
            0xFF,
            0xFF00_0000,
            0x1000
        ]
    );
    assert_eq!([8, 20, 28].map(|at| word(&dds, at)), [0x2_100F, 8, 1]);
    assert_eq!(dds[128..], [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn textures_go_to_dds_and_back_byte_for_byte() {
    let mut rng = Rng::new(1);
    for format in SEEN {
        for size in [[16, 8], [4, 4], [8, 2], [1, 1], [4, 16]] {
            let noise: Vec<u8> = (0..size[0] * size[1] * 4)
                .map(|_| rng.next_u64() as u8)
                .collect();
            let mut mmp = draft(format, size, &noise).unwrap();
            mmp.extra_offset = 76 + mmp.levels.iter().map(Vec::len).sum::<usize>() as u32;
            mmp.tail = b"mine".to_vec();
            for rows in [PixelRows::Upright, PixelRows::Stored] {
                let dds = mmp.to_dds(rows).unwrap();
                let again = Mmp::from_dds(&dds, rows).unwrap();
                assert_eq!(again.write(), mmp.write(), "{format} {size:?} {rows:?}");
            }
        }
    }
    let dds = packed().to_dds(PixelRows::Upright).unwrap();
    let again = Mmp::from_dds(&dds, PixelRows::Upright).unwrap();
    assert_eq!(again.format, MmpFormat::Pnt3);
    assert_eq!(again.level_rgba(0), packed().level_rgba(0));
}

#[test]
fn bytes_that_were_added_to_a_dds_file_are_refused() {
    let noise = vec![7; 4 * 4 * 4];
    let mut mmp = draft(MmpFormat::Dxt1, [4, 4], &noise).unwrap();
    for tail in [&b""[..], b"mine"] {
        mmp.tail = tail.to_vec();
        let mut dds = mmp.to_dds(PixelRows::Upright).unwrap();
        let end = dds.len() as u64;
        dds.extend(b"more");
        let error = Mmp::from_dds(&dds, PixelRows::Upright).unwrap_err();
        assert_eq!((error.format, error.offset), ("dds", end), "{error}");
        dds.truncate(dds.len() - 4 - tail.len());
        let cut = Mmp::from_dds(&dds, PixelRows::Upright);
        assert_eq!(
            cut.is_err(),
            !tail.is_empty(),
            "the texture's own bytes are cut off"
        );
    }
}

/// Rows of blocks, alpha too, against turning over decoded pixels.
#[test]
fn turned_blocks_show_the_picture_upside_down() {
    let mut rng = Rng::new(2);
    for format in [
        MmpFormat::Dxt1,
        MmpFormat::Dxt3,
        MmpFormat::Dxt5,
        MmpFormat::Dxt2,
        MmpFormat::Dxt4,
    ] {
        for height in [1, 2, 3, 4, 8, 12] {
            let n_bytes = format.level_bytes([8, height]).unwrap();
            let bytes: Vec<u8> = (0..n_bytes).map(|_| rng.next_u64() as u8).collect();
            let mmp = texture(format, [8, height], &[&bytes]);
            let turned = mmp.flipped_level(0).unwrap();
            let turned_mmp = texture(format, [8, height], &[&turned]);
            let mut expected = mmp.level_rgba(0).unwrap();
            reverse_rows(&mut expected, 32);
            assert_eq!(
                turned_mmp.level_rgba(0),
                Ok(expected),
                "{format}, {height} rows"
            );
            assert_eq!(turned_mmp.flipped_level(0), Ok(bytes), "twice is as before");
        }
    }
}

#[test]
fn blocks_over_the_edge_can_only_stay_in_stored_order() {
    let mmp = texture(MmpFormat::Dxt1, [4, 6], &[&[0; 16]]);
    let error = mmp.to_dds(PixelRows::Upright).unwrap_err();
    assert!(
        matches!(error.kind, FormatErrorKind::Unsupported { .. }),
        "{error}"
    );
    let dds = mmp.to_dds(PixelRows::Stored).unwrap();
    assert_eq!(Mmp::from_dds(&dds, PixelRows::Stored), Ok(mmp));
}

/// A DDS file of another program: no mark of ours, no levels stated.
fn foreign(flags: u32, n_bits: u32, masks: [u32; 4], pixels: &[u8]) -> Vec<u8> {
    let mut dds = vec![0; 128];
    dds[..4].copy_from_slice(b"DDS ");
    let words = [
        (4, 124),
        (8, 0x1007),
        (12, 1),
        (16, 2),
        (76, 32),
        (80, flags),
        (88, n_bits),
        (108, 0x1000),
    ];
    let masks = [92, 96, 100, 104].into_iter().zip(masks);
    for (at, word) in words.into_iter().chain(masks) {
        set32(&mut dds, at, word);
    }
    dds.extend(pixels);
    dds
}

#[test]
fn dds_of_others_become_textures_of_the_game() {
    let opaque = foreign(
        0x40,
        32,
        [0xFF_0000, 0xFF00, 0xFF, 0],
        &[1, 2, 3, 0, 4, 5, 6, 0],
    );
    let mmp = Mmp::from_dds(&opaque, PixelRows::Upright).unwrap();
    assert_eq!(mmp.format, MmpFormat::Argb8888);
    assert_eq!(mmp.level_rgba(0), Ok(vec![3, 2, 1, 255, 6, 5, 4, 255]));
    let no_alpha = foreign(0x40, 16, [0x7C00, 0x3E0, 0x1F, 0], &hex("00 7C 1F 00"));
    let mmp = Mmp::from_dds(&no_alpha, PixelRows::Upright).unwrap();
    assert_eq!(mmp.format, MmpFormat::Argb1555);
    assert_eq!(mmp.level_rgba(0), Ok(vec![255, 0, 0, 255, 0, 0, 255, 255]));
    for (flags, n_bits, masks, format) in [
        (0x41, 16, [0xF00, 0xF0, 0xF, 0xF000], MmpFormat::Argb4444),
        (0x40, 16, [0xF800, 0x7E0, 0x1F, 0], MmpFormat::Rgb565),
        (0x41, 16, [0x7C00, 0x3E0, 0x1F, 0x8000], MmpFormat::Argb1555),
    ] {
        let mmp =
            Mmp::from_dds(&foreign(flags, n_bits, masks, &[0; 4]), PixelRows::Upright).unwrap();
        assert_eq!(mmp.format, format);
        assert_eq!(Mmp::read(&mmp.write().unwrap()), Ok(mmp));
    }
}

#[test]
fn dds_that_textures_cannot_hold_are_named() {
    let good = foreign(0x41, 32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], &[0; 8]);
    let rows: [(&str, usize, u32, &str, u64); 10] = [
        ("other magic", 0, 0, "magic", 0),
        ("other header", 4, 123, "header size", 4),
        ("no height", 12, 0, "height", 12),
        ("a width beyond", 16, 16_385, "width", 16),
        ("other pixel format", 76, 31, "size of the pixel format", 76),
        ("24 bits", 88, 24, "pixel format", 76),
        ("blue first", 92, 0xFF, "pixel format", 76),
        ("a name of others", 80, 4, "pixel format", 76),
        ("a cube", 112, 0x200, "caps 2", 108),
        ("more rows than bytes", 12, 2, "level", 128),
    ];
    assert!(Mmp::from_dds(&good, PixelRows::Upright).is_ok());
    for (name, at, word, field, offset) in rows {
        let mut bad = good.clone();
        set32(&mut bad, at, word);
        let error = Mmp::from_dds(&bad, PixelRows::Upright).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset),
            "{name}: {error}"
        );
    }
    let mut longer = good.clone();
    longer.push(0);
    assert_eq!(
        Mmp::from_dds(&longer, PixelRows::Upright)
            .unwrap_err()
            .offset,
        136
    );
    let mut deep = good;
    set32(&mut deep, 8, 0x2_1007);
    set32(&mut deep, 28, 16);
    assert_eq!(
        Mmp::from_dds(&deep, PixelRows::Upright).unwrap_err().offset,
        28
    );
}

#[test]
fn a_renderer_gets_blocks_where_it_can_use_them() {
    let blocks = texture(
        MmpFormat::Dxt1,
        [8, 8],
        &[&[0; 32], &[0; 8], &[0; 8], &[0; 8]],
    );
    let of = |mmp: &Mmp, addressing| mmp.to_texture("t", addressing).unwrap();
    let full = of(&blocks, Addressing::Repeat);
    assert_eq!((full.format, full.mips.len()), (PixelFormat::Bc1, 4));
    let single = texture(MmpFormat::Dxt3, [8, 8], &[&[0; 64]]);
    assert_eq!(of(&single, Addressing::Clamp).format, PixelFormat::Bc2);
    // The renderer makes the smaller levels of plain pixels.
    assert_eq!(of(&single, Addressing::Repeat).format, PixelFormat::Rgba8);
    let odd = texture(MmpFormat::Dxt1, [6, 4], &[&[0; 16]]);
    assert_eq!(of(&odd, Addressing::Clamp).format, PixelFormat::Rgba8);
    let dxt5 = texture(MmpFormat::Dxt5, [4, 4], &[&[0; 16]]);
    assert_eq!(of(&dxt5, Addressing::Clamp).format, PixelFormat::Bc3);
    let dxt4 = texture(MmpFormat::Dxt4, [4, 4], &[&[0; 16]]);
    assert_eq!(of(&dxt4, Addressing::Clamp).format, PixelFormat::Rgba8);
    let plain = of(&packed(), Addressing::Repeat);
    assert_eq!(
        (plain.format, [plain.width, plain.height]),
        (PixelFormat::Rgba8, [3, 3])
    );
    assert_eq!(
        Ok(&plain.mips[0]),
        packed().level_rgba(0).as_ref(),
        "no row moves"
    );
    let deep = texture(MmpFormat::Argb4444, [1, 1], &[&[0; 2], &[0; 2]]);
    assert_eq!(of(&deep, Addressing::Repeat).mips.len(), 1);
    let nothing = Mmp {
        levels: Vec::new(),
        ..single
    };
    assert!(nothing.to_texture("t", Addressing::Clamp).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Pixels that a format can hold come back as they are.
    #[test]
    fn exact_pixels_survive(
        format in prop::sample::select(&SEEN[2..]),
        size in prop::array::uniform2(1u32..12),
        seed: u64,
    ) {
        let mut rng = Rng::new(seed);
        let noise: Vec<u8> = (0..size[0] * size[1] * 4).map(|_| rng.next_u64() as u8 | 0x10).collect();
        let once = draft(format, size, &noise).unwrap();
        let rgba = once.level_rgba(0).unwrap();
        let twice = draft(format, size, &rgba).unwrap();
        prop_assert_eq!(&twice.levels[0], &once.levels[0]);
        prop_assert_eq!(twice.level_rgba(0).unwrap(), rgba);
    }

    #[test]
    fn damaged_dds_never_panic(at in 0usize..160, word: u32) {
        let mmp = texture(MmpFormat::Dxt3, [8, 4], &[&[7; 32]]);
        let mut dds = mmp.to_dds(PixelRows::Upright).unwrap();
        let at = at.min(dds.len() - 4);
        set32(&mut dds, at, word);
        if let Ok(read) = Mmp::from_dds(&dds, PixelRows::Upright) {
            prop_assert!(read.write().is_ok());
        }
    }
}
