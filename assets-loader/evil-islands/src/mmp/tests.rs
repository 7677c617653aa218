mod conversion;
mod pixels;

use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read, set32,
};

proof! {
    Mmp {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_texture(),
        growth: 8,
        runs: 1_000,
        records: [RecordPlace::new::<codec::Header>(4, ())],
        of_bytes: prove_tolerantly_read::<Mmp>,
    }
}

/// What is done to a sound texture.
type Change = fn(&mut Mmp);

/// A texture of a format that game files have, with its masks.
fn texture(format: MmpFormat, [width, height]: [u32; 2], levels: &[&[u8]]) -> Mmp {
    Mmp {
        width,
        height,
        level_word: match format {
            MmpFormat::Pnt3 => levels[0].len() as u32,
            _ => levels.len() as u32,
        },
        format,
        bits_per_pixel: format.bits_per_pixel().unwrap_or(0),
        channels: format.channels().unwrap_or_default(),
        extra_offset: 0,
        levels: levels.iter().map(|level| level.to_vec()).collect(),
        tail: Vec::new(),
        budget: Budget::default(),
    }
}

/// Two pixels of 5:6:5 and a level of one.
fn words() -> Mmp {
    texture(
        MmpFormat::Rgb565,
        [2, 1],
        &[&[0x10, 0x84, 0x00, 0xF8], &[0x1F, 0x00]],
    )
}

/// Three by three packed pixels (dossier section 13.4).
fn packed() -> Mmp {
    let stream = hex("33 22 11 FF 10 00 00 00 66 55 44 80 FF FF FF FF 08 00 00 00");
    texture(MmpFormat::Pnt3, [3, 3], &[&stream])
}

/// Typed from the dossier's tables.
fn facts() -> Vec<Fact<Mmp>> {
    let block = hex("00 F8 1F 00 E4 E4 E4 E4");
    let alpha_block = [hex("10 32 54 76 98 BA DC FE"), block.clone()].concat();
    vec![
        Fact::new(
            "5650 with two levels",
            words(),
            hex(
                "4D 4D 50 00 02 00 00 00 01 00 00 00 02 00 00 00 50 56 00 00 10 00 00 00
                 00 00 00 00 00 00 00 00 00 00 00 00 00 F8 00 00 0B 00 00 00 05 00 00 00
                 E0 07 00 00 05 00 00 00 06 00 00 00 1F 00 00 00 00 00 00 00 05 00 00 00
                 00 00 00 00 10 84 00 F8 1F 00",
            ),
        ),
        Fact::new(
            "DXT1",
            texture(MmpFormat::Dxt1, [4, 4], &[&block]),
            hex(
                "4D 4D 50 00 04 00 00 00 04 00 00 00 01 00 00 00 44 58 54 31 04 00 00 00
                 00 80 00 00 0F 00 00 00 01 00 00 00 00 7C 00 00 0A 00 00 00 05 00 00 00
                 E0 03 00 00 05 00 00 00 05 00 00 00 1F 00 00 00 00 00 00 00 05 00 00 00
                 00 00 00 00 00 F8 1F 00 E4 E4 E4 E4",
            ),
        ),
        Fact::new(
            "DXT3",
            texture(MmpFormat::Dxt3, [3, 2], &[&alpha_block]),
            hex(
                "4D 4D 50 00 03 00 00 00 02 00 00 00 01 00 00 00 44 58 54 33 08 00 00 00
                 00 F0 00 00 0C 00 00 00 04 00 00 00 00 0F 00 00 08 00 00 00 04 00 00 00
                 F0 00 00 00 04 00 00 00 04 00 00 00 0F 00 00 00 00 00 00 00 04 00 00 00
                 00 00 00 00 10 32 54 76 98 BA DC FE 00 F8 1F 00 E4 E4 E4 E4",
            ),
        ),
        Fact::new(
            "PNT3",
            packed(),
            hex(
                "4D 4D 50 00 03 00 00 00 03 00 00 00 14 00 00 00 50 4E 54 33 00 00 00 00
                 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                 00 00 00 00 33 22 11 FF 10 00 00 00 66 55 44 80 FF FF FF FF 08 00 00 00",
            ),
        ),
    ]
}

#[test]
fn sound_textures_have_no_findings() {
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
}

/// The table of dossier section 5.2: the code of each format, its masks, bits and bytes of a level of 8x8.
#[test]
fn formats_are_those_of_the_table() {
    use MmpFormat as F;
    let rgb = |a: [u32; 3], r: [u32; 3], g: [u32; 3], b: [u32; 3]| Some([a, r, g, b]);
    let five = rgb(
        [0x8000, 15, 1],
        [0x7C00, 10, 5],
        [0x3E0, 5, 5],
        [0x1F, 0, 5],
    );
    let four = rgb([0xF000, 12, 4], [0xF00, 8, 4], [0xF0, 4, 4], [0xF, 0, 4]);
    let rows = [
        (F::Dxt1, 0x3154_5844, five, Some(4), Some(32)),
        (F::Dxt3, 0x3354_5844, four, Some(8), Some(64)),
        (F::Pnt3, 0x3354_4E50, None, None, None),
        (
            F::Rgb565,
            0x5650,
            rgb([0; 3], [0xF800, 11, 5], [0x7E0, 5, 6], [0x1F, 0, 5]),
            Some(16),
            Some(128),
        ),
        (F::Argb1555, 0x5551, five, Some(16), Some(128)),
        (F::Argb4444, 0x4444, four, Some(16), Some(128)),
        (
            F::Argb8888,
            0x8888,
            rgb(
                [0xFF00_0000, 24, 8],
                [0xFF_0000, 16, 8],
                [0xFF00, 8, 8],
                [0xFF, 0, 8],
            ),
            Some(32),
            Some(256),
        ),
        (F::Rgb555, 0x5550, None, Some(16), Some(128)),
        (
            F::Dxt2,
            u32::from_le_bytes(*b"DXT2"),
            None,
            Some(8),
            Some(64),
        ),
        (
            F::Dxt4,
            u32::from_le_bytes(*b"DXT4"),
            None,
            Some(8),
            Some(64),
        ),
        (
            F::Dxt5,
            u32::from_le_bytes(*b"DXT5"),
            None,
            Some(8),
            Some(64),
        ),
        (
            F::DxtUnnumbered,
            u32::from_le_bytes(*b"DXT\0"),
            None,
            None,
            None,
        ),
        (F::Pnt2, u32::from_le_bytes(*b"PNT2"), None, None, None),
        (
            F::PntUnnumbered,
            u32::from_le_bytes(*b"PNT\0"),
            None,
            None,
            None,
        ),
    ];
    assert_eq!(rows.len(), F::ALL.len());
    for (format, fourcc, masks, bits, n_bytes) in rows {
        assert_eq!(format.fourcc(), u32::to_le_bytes(fourcc), "{format}");
        let channels = format.channels().map(|it| {
            [it.alpha, it.red, it.green, it.blue].map(|it| [it.mask, it.shift, it.n_bits])
        });
        assert_eq!(channels, masks, "{format}");
        assert_eq!(format.bits_per_pixel(), bits, "{format}");
        assert_eq!(format.level_bytes([8, 8]), n_bytes, "{format}");
    }
    let names = F::ALL.map(|format| format.to_string());
    assert_eq!(names[0], "DXT1");
    assert_eq!(names[9], "5650");
}

/// 256x256 pixels of DXT1 in nine levels (dossier section 5.3).
#[test]
fn levels_halve_down_to_one_block() {
    let sizes = [32_768, 8192, 2048, 512, 128, 32, 8, 8, 8];
    let levels: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; *size]).collect();
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    let bytes = texture(MmpFormat::Dxt1, [256, 256], &levels)
        .write()
        .unwrap();
    assert_eq!(bytes.len(), 43_780);
    let read = Mmp::read(&bytes).unwrap();
    assert_eq!(read.levels.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
    assert_eq!(read.level_size(2), [64, 64]);
    assert_eq!(read.level_size(8), [1, 1]);
}

/// What is broken, at which word, by what; the field that must be named, and where it stands.
type Row = (&'static str, usize, u32, &'static str, u64);

fn damage() -> Vec<Damage> {
    let rows: [Row; 11] = [
        ("other magic", 0, 0, "magic", 0),
        ("width 0", 4, 0, "width", 4),
        ("width 16385", 4, 16_385, "width", 4),
        ("height 0", 8, 0, "height", 8),
        ("more pixels than bytes", 8, 9, "level", 76),
        ("no level", 12, 0, "level count", 12),
        ("16 levels", 12, 16, "level count", 12),
        ("three levels", 12, 3, "level", 82),
        ("unknown format", 16, 0x5652, "pixel format", 16),
        ("15 bits", 20, 15, "bits of a pixel", 20),
        ("another mask", 36, 0xF000, "channel masks", 24),
    ];
    let packed_rows: [Row; 3] = [
        (
            "more packed bytes than there are",
            12,
            24,
            "packed pixels",
            76,
        ),
        ("a run beyond the picture", 92, 12, "packed pixels", 76),
        ("a picture beyond the runs", 8, 4, "packed pixels", 76),
    ];
    let damaged = |good: &Mmp, (name, at, word, field, offset): Row| {
        let mut bad = good.write().unwrap();
        set32(&mut bad, at, word);
        Damage::new(name, bad, field, offset)
    };
    let rows = rows.into_iter().map(|row| damaged(&words(), row));
    let packed_rows = packed_rows.into_iter().map(|row| damaged(&packed(), row));
    rows.chain(packed_rows).collect()
}

#[test]
fn missing_levels_are_waived_by_name_and_what_is_left_is_kept() {
    let good = words().write().unwrap();
    for (len, n_levels) in [(81, 1), (80, 1), (79, 0), (76, 0)] {
        let read = Mmp::read_with(&good[..len], Tolerance::MISSING_LEVELS).unwrap();
        assert_eq!(read.levels.len(), n_levels);
        assert_eq!(read.write().as_deref(), Ok(&good[..len]));
        assert!(!read.check().is_empty());
    }
    let packed = packed().write().unwrap();
    let read = Mmp::read_with(&packed[..92], Tolerance::MISSING_LEVELS).unwrap();
    assert_eq!(read.write().as_deref(), Ok(&packed[..92]));
    assert!(read.level_rgba(0).is_err());
}

#[test]
fn other_leniencies_are_waived_by_name() {
    let rows: [(&str, usize, u32, Tolerance); 3] = [
        ("bits", 20, 24, Tolerance::OTHER_BITS_PER_PIXEL),
        ("masks", 24, 0x8000, Tolerance::OTHER_MASKS),
        ("packing", 92, 12, Tolerance::BROKEN_PACKING),
    ];
    for (name, at, word, tolerance) in rows {
        let mut bytes = match name {
            "packing" => packed().write().unwrap(),
            _ => words().write().unwrap(),
        };
        set32(&mut bytes, at, word);
        assert!(
            Mmp::read_with(&bytes, Tolerance::all().difference(tolerance)).is_err()
                || name == "packing",
            "{name}"
        );
        let read = Mmp::read_with(&bytes, tolerance).unwrap();
        assert_eq!(read.write(), Ok(bytes), "{name}");
    }
}

#[test]
fn bytes_after_the_levels_belong_to_the_user_if_the_header_says_so() {
    let mut bytes = words().write().unwrap();
    bytes.extend(*b"..mine");
    let error = Mmp::read(&bytes).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("after the last level", 82));
    let read = Mmp::read_with(&bytes, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!((read.user_data(), &*read.tail), (None, &b"..mine"[..]));
    assert_eq!(read.write().as_ref(), Ok(&bytes));
    set32(&mut bytes, 72, 84);
    let read = Mmp::read(&bytes).unwrap();
    assert_eq!(read.user_data(), Some(&b"mine"[..]));
    assert_eq!(read.write().as_ref(), Ok(&bytes));
    set32(&mut bytes, 72, 89);
    assert!(Mmp::read(&bytes).is_err(), "beyond the end");
    set32(&mut bytes, 72, 75);
    let read = Mmp::read_with(&bytes, Tolerance::TRAILING_BYTES).unwrap();
    assert!(
        read.check()
            .iter()
            .any(|it| it.message.contains("in the header"))
    );
}

/// The packed length stands at byte 12; at byte 20 if only that one is right.
#[test]
fn the_packed_length_may_stand_in_another_word() {
    let mut bytes = packed().write().unwrap();
    set32(&mut bytes, 12, 1);
    set32(&mut bytes, 20, 20);
    let read = Mmp::read(&bytes).unwrap();
    assert_eq!(read.levels, packed().levels);
    assert_eq!(read.write(), Ok(bytes));
}

#[test]
fn formats_of_known_names_are_kept_whole() {
    for format in [
        MmpFormat::DxtUnnumbered,
        MmpFormat::Pnt2,
        MmpFormat::PntUnnumbered,
    ] {
        let bytes = texture(format, [9, 9], &[b"anything"]).write().unwrap();
        let read = Mmp::read(&bytes).unwrap();
        assert_eq!(read.levels, [b"anything"]);
        let error = read.level_rgba(0).unwrap_err();
        assert!(
            matches!(error.kind, FormatErrorKind::Unsupported { .. }),
            "{error}"
        );
        assert_eq!(read.check().len(), 1, "{format} has not been seen");
        assert_eq!(read.write(), Ok(bytes));
    }
}

#[test]
fn contradictions_are_not_written() {
    let rows: [(&str, Change, &str); 5] = [
        ("no width", |it| it.width = 0, "width"),
        ("a height beyond", |it| it.height = 16_385, "height"),
        ("no level", |it| it.level_word = 0, "level count"),
        (
            "more levels than stated",
            |it| it.level_word = 1,
            "level count",
        ),
        ("a short level", |it| it.levels[1].truncate(1), "level"),
    ];
    for (name, change, field) in rows {
        let mut mmp = words();
        change(&mut mmp);
        assert_eq!(mmp.write().unwrap_err().field, field, "{name}");
    }
}

/// Sound textures: filled levels of any size, with the masks of their format.
fn any_texture() -> impl Strategy<Value = Mmp> {
    let formats = prop::sample::select(&MmpFormat::ALL[..]);
    let sizes = prop::array::uniform2(1u32..20);
    (formats, sizes, 1u32..7, any::<u8>()).prop_map(|(format, [width, height], n_levels, seed)| {
        if format == MmpFormat::Pnt3 {
            return picture(format, [width, height], seed);
        }
        let filled = |len: u64| {
            (0..len)
                .map(|at| (at as u8).wrapping_mul(seed))
                .collect::<Vec<u8>>()
        };
        let levels = (0..n_levels).map_while(|level| {
            let n_bytes = format.level_bytes(level_size(width, height, level));
            n_bytes.map(filled)
        });
        let mut levels: Vec<_> = levels.collect();
        if levels.is_empty() {
            // Of these formats only the name is known: all that there is is one level.
            levels.push(filled(40));
        }
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        texture(format, [width, height], &levels)
    })
}

/// A texture of pixels of one color.
fn picture(format: MmpFormat, [width, height]: [u32; 2], seed: u8) -> Mmp {
    let rgba = [seed, 10, 20, 255].repeat((width * height) as usize);
    let draft = MmpDraft {
        width,
        height,
        format,
        mips: MipChain::Full,
        rgba: &rgba,
        rows: PixelRows::Upright,
    };
    Mmp::encode(&draft).unwrap()
}

proptest! {
    #[test]
    fn any_texture_survives_with_any_header(
        format in prop::sample::select(&MmpFormat::ALL[..]),
        size in prop::array::uniform2(1u32..20),
        n_levels in 1u32..7,
        header: [u32; 14],
        seed: u8,
    ) {
        let [bits_per_pixel, extra_offset, masks @ ..] = header;
        let channel = |at: usize| Channel { mask: masks[at], shift: masks[at + 1], n_bits: masks[at + 2] };
        let filled = |len: u64| (0..len).map(|at| (at as u8).wrapping_mul(seed)).collect::<Vec<u8>>();
        let levels: Vec<_> = (0..n_levels)
            .map_while(|level| format.level_bytes(level_size(size[0], size[1], level)).map(filled))
            .collect();
        let levels = if levels.is_empty() { vec![filled(40)] } else { levels };
        let mmp = Mmp {
            width: size[0],
            height: size[1],
            level_word: if format == MmpFormat::Pnt3 { 40 } else { n_levels },
            format,
            bits_per_pixel,
            channels: Channels { alpha: channel(0), red: channel(3), green: channel(6), blue: channel(9) },
            extra_offset,
            levels,
            tail: Vec::new(),
            budget: Budget::default(),
        };
        let bytes = mmp.write().unwrap();
        let read = Mmp::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert_eq!(&read, &mmp);
        for level in 0..read.levels.len() {
            let [width, height] = read.level_size(level).map(|side| side as usize);
            if let Ok(rgba) = read.level_rgba(level) {
                prop_assert_eq!(rgba.len(), width * height * 4);
            }
        }
    }
}
