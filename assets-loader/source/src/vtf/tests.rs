mod decoding;
mod drafts;
mod sheets;

use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Vtf {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vtf(),
        growth: 16,
        runs: 2_000,
        records: records(),
        also: use_texture,
    }
}

/// A texture of one I8 pixel in version 7.2.
fn plain() -> Vtf {
    Vtf {
        version: 2,
        width: 1,
        height: 1,
        flags: TextureFlags::empty(),
        n_frames: 1,
        first_frame: 0,
        unknown_1c: [1, 2, 3, 4],
        reflectivity: [0.5, 0.25, 0.0],
        unknown_2c: [5, 6, 7, 8],
        bump_scale: 1.0,
        format: ImageFormat::I8,
        n_mips: 1,
        thumbnail_format: None,
        thumbnail_size: [0, 0],
        depth: 1,
        unknown_41: Default::default(),
        resources: Vec::new(),
        header_tail: vec![0; 15],
        body: vec![77],
    }
}

/// Two mips of I8 in version 7.0.
fn oldest() -> Vtf {
    Vtf {
        version: 0,
        width: 2,
        flags: TextureFlags::CLAMP_S | TextureFlags::from_bits_retain(0x8000_0000),
        n_mips: 2,
        header_tail: vec![9],
        body: vec![50, 10, 20],
        ..plain()
    }
}

/// Two slices of BGR888 and a thumbnail in version 7.2.
fn volume() -> Vtf {
    Vtf {
        format: ImageFormat::Bgr888,
        thumbnail_format: Some(ImageFormat::Dxt1),
        thumbnail_size: [4, 4],
        depth: 2,
        body: vec![1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60],
        ..plain()
    }
}

/// A checksum, key values and a picture in version 7.4.
fn with_resources() -> Vtf {
    let resource = |tag, flags, value| Resource { tag, flags, value };
    Vtf {
        version: 4,
        format: ImageFormat::Rgba8888,
        unknown_41: ([1, 1, 1], [2; 8]),
        resources: vec![
            resource(*b"CRC", 2, 0xDEAD_BEEF),
            resource(*b"KVD", 0, 104),
            resource(Resource::IMAGE, 0, 111),
        ],
        header_tail: Vec::new(),
        body: vec![3, 0, 0, 0, b'a', b'b', b'c', 10, 20, 30, 40],
        ..plain()
    }
}

/// The header of all versions, and a resource.
fn records() -> [RecordPlace; 2] {
    let header = [
        ("magic", 4),
        ("major version", 4),
        ("version", 4),
        ("header size", 4),
        ("width", 2),
        ("height", 2),
        ("flags", 4),
        ("frame count", 2),
        ("first frame", 2),
        ("padding", 4),
        ("reflectivity", 12),
        ("padding", 4),
        ("bump scale", 4),
        ("image format", 4),
        ("mip count", 1),
        ("thumbnail format", 4),
        ("thumbnail size", 2),
    ];
    let (file, resources) = (
        with_resources().write().unwrap(),
        with_resources().resources,
    );
    [
        RecordPlace::from_fields(0, header),
        RecordPlace::from_value(&file, &resources[1], ()),
    ]
}

/// Name, value, bytes typed from the dossier's table.
#[rustfmt::skip]
fn facts() -> Vec<Fact<Vtf>> {
    vec![
        Fact::new("7.0 with two mips", oldest(), vec![
            b'V', b'T', b'F', 0, 7, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 2, 0, 1, 0, 4, 0, 0, 0x80,
            1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0x80, 0x3F,
            5, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 9,
            50, 10, 20,
        ]),
        Fact::new("7.2 with a thumbnail and two slices", volume(), vec![
            b'V', b'T', b'F', 0, 7, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0,
            1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0x80, 0x3F,
            3, 0, 0, 0, 1, 13, 0, 0, 0, 4, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60,
        ]),
        Fact::new("7.4 with resources", with_resources(), vec![
            b'V', b'T', b'F', 0, 7, 0, 0, 0, 4, 0, 0, 0, 104, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0,
            1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0x80, 0x3F,
            0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1, 0, 1, 1, 1, 3, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2,
            b'C', b'R', b'C', 2, 0xEF, 0xBE, 0xAD, 0xDE,
            b'K', b'V', b'D', 0, 104, 0, 0, 0,
            0x30, 0, 0, 0, 111, 0, 0, 0,
            3, 0, 0, 0, b'a', b'b', b'c', 10, 20, 30, 40,
        ]),
    ]
}

#[test]
fn pictures_and_findings_are_those_of_the_facts() {
    for value in [oldest(), volume(), with_resources()] {
        assert_eq!(value.check(), [], "{value:?}");
    }
    assert_eq!(oldest().picture(0, 0, 0), Some(&[10, 20][..]));
    assert_eq!(oldest().picture(1, 0, 0), Some(&[50][..]));
    assert_eq!(
        volume().picture(0, 0, 0),
        Some(&[10, 20, 30, 40, 50, 60][..])
    );
    assert_eq!(
        with_resources().picture(0, 0, 0),
        Some(&[10, 20, 30, 40][..])
    );
}

fn damage() -> Vec<Damage> {
    let good = with_resources().write().unwrap();
    let rows: [(&'static str, usize, &[u8], &'static str, u64); 24] = [
        ("other magic", 0, b"vtf", "magic", 0),
        ("major version 8", 4, &[8], "version", 4),
        ("version 7.7", 8, &[7], "version", 4),
        ("header too short", 12, &[103], "header size", 12),
        ("header too long", 12, &[200], "header", 104),
        ("width 0", 16, &[0], "width", 16),
        ("width 16385", 16, &[1, 0x40], "width", 16),
        ("height 0", 18, &[0], "height", 18),
        ("more pixels than bytes", 16, &[2], "image", 96),
        ("no frame", 24, &[0], "frame count", 24),
        ("more frames than bytes", 24, &[0xFF, 0xFF], "image", 96),
        ("unknown format", 52, &[30], "image format", 52),
        ("no mip", 56, &[0], "mip count", 56),
        ("17 mips", 56, &[17], "mip count", 56),
        (
            "unknown format of the thumbnail",
            57,
            &[30, 0, 0, 0],
            "thumbnail format",
            57,
        ),
        ("no slice", 63, &[0], "depth", 63),
        ("33 resources", 68, &[33], "resource count", 68),
        ("no picture", 96, &[0x31], "resource", 111),
        ("no resource", 68, &[0], "image", 80),
        ("picture in the header", 100, &[103], "image", 96),
        ("picture outside", 100, &[112], "image", 96),
        ("resource outside", 92, &[112], "resource size", 88),
        ("resource too long", 104, &[8], "resource", 104),
        (
            "bytes after the picture",
            100,
            &[110],
            "after the pictures",
            114,
        ),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

#[test]
fn compressed_pictures_are_not_supported() {
    let mut compressed = with_resources().write().unwrap();
    compressed[8] = 6;
    compressed[88..91].copy_from_slice(b"AXC");
    let error = Vtf::read(&compressed).unwrap_err();
    assert!(
        matches!(error.kind, FormatErrorKind::Unsupported { .. }),
        "{error}"
    );
    compressed[108..110].fill(0);
    assert!(Vtf::read(&compressed).is_ok(), "not compressed after all");
}

#[test]
fn trailing_bytes_are_waived_by_name_and_kept() {
    for fact in facts() {
        let (name, value, mut bytes) = (fact.name, fact.value.unwrap(), fact.bytes);
        bytes.push(1);
        let error = Vtf::read(&bytes).unwrap_err();
        assert_eq!(error.field, "after the pictures", "{name}");
        assert_eq!(error.offset, bytes.len() as u64 - 1, "{name}");
        let read = Vtf::read_with(&bytes, Tolerance::TRAILING_BYTES).unwrap();
        assert_eq!(read.picture(0, 0, 0), value.picture(0, 0, 0), "{name}");
        assert_eq!(read.write(), Ok(bytes), "{name}");
    }
}

#[test]
fn contradictions_are_not_written() {
    let refused = [
        (
            Vtf {
                width: 0,
                ..plain()
            },
            "width",
        ),
        (
            Vtf {
                width: 2,
                ..plain()
            },
            "image",
        ),
        (
            Vtf {
                version: 7,
                header_tail: Vec::new(),
                ..plain()
            },
            "version",
        ),
        (
            Vtf {
                n_mips: 0,
                ..plain()
            },
            "mip count",
        ),
        (
            Vtf {
                depth: 2,
                body: vec![0; 2],
                ..oldest()
            },
            "depth",
        ),
        (
            Vtf {
                resources: with_resources().resources,
                ..plain()
            },
            "resource count",
        ),
        (
            Vtf {
                unknown_41: ([1; 3], [0; 8]),
                ..plain()
            },
            "resource count",
        ),
        (
            Vtf {
                thumbnail_format: Some(ImageFormat::I8),
                thumbnail_size: [9, 9],
                ..plain()
            },
            "thumbnail",
        ),
    ];
    for (vtf, field) in refused {
        assert_eq!(vtf.write().unwrap_err().field, field);
    }
}

/// Each picture holds one byte, its place in the file: mips smallest first, in them frames, faces, slices.
#[test]
fn pictures_lie_in_the_order_of_the_document() {
    let texture = Vtf {
        flags: TextureFlags::CUBEMAP,
        first_frame: NO_SPHERE_MAP,
        n_frames: 2,
        n_mips: 3,
        depth: 2,
        body: (0..12 + 12 + 24).collect(),
        ..plain()
    };
    assert_eq!(texture.n_faces(), 6);
    assert_eq!(texture.picture(2, 0, 0), Some(&[0][..]));
    assert_eq!(texture.picture(2, 0, 5), Some(&[5][..]));
    assert_eq!(texture.picture(2, 1, 0), Some(&[6][..]));
    assert_eq!(texture.picture(1, 0, 0), Some(&[12][..]));
    assert_eq!(texture.picture(0, 0, 0), Some(&[24, 25][..]), "two slices");
    assert_eq!(texture.picture(0, 1, 5), Some(&[46, 47][..]));
    for (mip, frame, face) in [
        (3, 0, 0),
        (0, 2, 0),
        (0, 0, 6),
        (u32::MAX, u32::MAX, u32::MAX),
    ] {
        assert_eq!(texture.picture(mip, frame, face), None);
        assert_eq!(
            texture.decode_rgba8(mip, frame, face).unwrap_err().field,
            "picture"
        );
    }
}

#[test]
fn old_cubemaps_have_a_sphere_map_as_seventh_face() {
    let faces = |version, first_frame, flags| {
        let texture = Vtf {
            version,
            first_frame,
            flags,
            ..plain()
        };
        texture.n_faces()
    };
    let cubemap = TextureFlags::CUBEMAP;
    assert_eq!(faces(4, 0, TextureFlags::empty()), 1);
    assert_eq!([faces(1, 0, cubemap), faces(4, 1, cubemap)], [7, 7]);
    assert_eq!(
        [
            faces(1, 0xFFFF, cubemap),
            faces(5, 0, cubemap),
            faces(6, 0, cubemap)
        ],
        [6, 6, 6]
    );
}

#[test]
fn unusual_textures_are_found() {
    let unusual = Vtf {
        width: 3,
        flags: TextureFlags::CUBEMAP,
        first_frame: NO_SPHERE_MAP,
        n_mips: 3,
        body: vec![0; 6 * 5],
        ..plain()
    };
    assert_eq!(unusual.check().len(), 3, "{:#?}", unusual.check());
}

prop_compose! {
    fn any_vtf()(
        version in 0u32..=6,
        format in prop::sample::select(&ImageFormat::ALL[..]),
        [width, height] in prop::array::uniform2(1u16..12),
        [n_frames, depth] in prop::array::uniform2(1u16..4),
        n_mips in 1u8..6,
        first_frame in prop::sample::select(&[0u16, 0xFFFF][..]),
        flags in any::<u32>(),
        thumbnail in prop::option::of((prop::sample::select(&ImageFormat::ALL[..]), any::<[u8; 2]>())),
        reflectivity in prop::array::uniform3(-10.0f32..10.0),
        tail in prop::collection::vec(any::<u8>(), 0..9),
        key_values in prop::collection::vec(any::<u8>(), 0..9),
    ) -> Vtf {
        let thumbnail = thumbnail.map(|(format, size)| (format, size.map(|side| side % 17)));
        let mut texture = Vtf {
            version, width, height, n_frames, first_frame, format, n_mips, reflectivity,
            flags: TextureFlags::from_bits_retain(flags),
            thumbnail_format: thumbnail.map(|(format, _)| format),
            thumbnail_size: thumbnail.map_or([0; 2], |(_, size)| size),
            depth: if version < 2 { 1 } else { depth },
            header_tail: tail,
            body: Vec::new(),
            ..plain()
        };
        let n_thumbnail = thumbnail.map_or(0, |(format, size)| format.n_bytes(size.map(u32::from)));
        let n_image: u64 = (0..n_mips.into()).map(|mip| texture.mip_bytes(mip)).sum();
        let pictures = (0..n_thumbnail + n_image).map(|i| (i * 7) as u8);
        if version < 3 {
            texture.body = pictures.collect();
            return texture;
        }
        let at = |tag, flags, value: u64| Resource { tag, flags, value: value as u32 };
        texture.resources = vec![at(*b"LOD", 2, 5); 3];
        let start = texture.header_size();
        let n_pictures = n_thumbnail + n_image;
        texture.resources = vec![
            at(Resource::IMAGE, 0, start + n_thumbnail),
            at(*b"LOD", 2, 5),
            at(*b"KVD", 0, start + n_pictures),
        ];
        if thumbnail.is_some() {
            texture.resources[1] = at(Resource::THUMBNAIL, 0, start);
        }
        texture.body = pictures.collect();
        texture.body.extend((key_values.len() as u32).to_le_bytes());
        texture.body.extend(key_values);
        texture
    }
}

/// Every picture in every way that it can be had.
fn decode_all(texture: &Vtf) {
    for mip in 0..texture.n_mips.into() {
        let [width, height, depth] = texture.mip_size(mip);
        let n_pixels = (width * height * depth) as usize;
        for frame in 0..texture.n_frames.into() {
            for face in 0..texture.n_faces() {
                let rgba = texture.decode_rgba8(mip, frame, face);
                assert_eq!(rgba.is_err(), texture.format == ImageFormat::P8);
                assert!(rgba.is_err() || rgba.is_ok_and(|rgba| rgba.len() == n_pixels * 4));
                if let Ok(halves) = texture.decode_rgba16f(mip, frame, face) {
                    assert_eq!(halves.len(), n_pixels * 8);
                }
                if let Some((format, blocks)) = texture.blocks(mip, frame, face) {
                    let slice = format.n_bytes([width, height]);
                    assert_eq!(blocks.len() as u64, slice * u64::from(depth));
                }
            }
        }
    }
    if let Ok(Some(thumbnail)) = texture.decode_thumbnail() {
        let [width, height] = texture.thumbnail_size.map(usize::from);
        assert_eq!(thumbnail.len(), width * height * 4);
    }
}

/// What the tolerant reader takes is written as it is, and every picture of it can be had.
fn use_texture(texture: &Vtf, bytes: &[u8]) {
    assert!(texture.write().as_deref() == Ok(bytes), "written otherwise");
    decode_all(texture);
}

proptest! {
    #[test]
    fn any_texture_is_decoded(texture in any_vtf()) {
        decode_all(&texture);
    }
}
