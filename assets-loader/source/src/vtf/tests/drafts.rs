//! Textures made from drafts.

use super::*;

/// The bytes of a new texture of one white pixel: its mean is white as well.
#[rustfmt::skip]
#[test]
fn new_textures_are_of_version_7_2() {
    let draft = Draft {
        width: 1,
        height: 1,
        format: ImageFormat::Bgra8888,
        flags: TextureFlags::CLAMP_T,
        mips: MipChain::Full,
        pictures: vec![vec![255, 255, 255, 128]],
    };
    let expected = [
        b'V', b'T', b'F', 0, 7, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0, 1, 0, 1, 0, 8, 0, 0, 0,
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0x80, 0x3F,
        12, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        255, 255, 255, 128,
    ];
    assert_eq!(Vtf::draft(&draft).unwrap().write().unwrap(), expected);
}

#[test]
fn new_textures_have_the_pixels_that_they_were_made_of() {
    let picture: Vec<u8> = (0..4 * 2 * 4).map(|i| i * 8).collect();
    let opaque: Vec<u8> = picture
        .chunks(4)
        .flat_map(|p| [p[0], p[1], p[2], 255])
        .collect();
    let with_alpha = [
        ImageFormat::Rgba8888,
        ImageFormat::Abgr8888,
        ImageFormat::Argb8888,
        ImageFormat::Bgra8888,
    ];
    let without = [
        ImageFormat::Bgrx8888,
        ImageFormat::Rgb888,
        ImageFormat::Bgr888,
    ];
    let mut draft = Draft {
        width: 4,
        height: 2,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: vec![picture.clone(); 2],
    };
    for format in with_alpha.into_iter().chain(without) {
        draft.format = format;
        let texture = Vtf::draft(&draft).unwrap();
        assert_eq!(Vtf::read(&texture.write().unwrap()).as_ref(), Ok(&texture));
        let expected = if without.contains(&format) {
            &opaque
        } else {
            &picture
        };
        assert_eq!(
            texture.decode_rgba8(0, 1, 0).as_ref(),
            Ok(expected),
            "{format:?}"
        );
        assert_eq!([texture.n_mips.into(), texture.n_frames], [3, 2]);
    }
    // Alphas 24, 56, 152 and 184 over the first 2x2 pixels; their sum by four is 104.
    draft.format = ImageFormat::Rgba8888;
    let smaller = Vtf::draft(&draft).unwrap().decode_rgba8(1, 0, 0).unwrap();
    assert_eq!((smaller.len(), smaller[3]), (8, 104));
    draft.flags = TextureFlags::CUBEMAP;
    draft.mips = MipChain::LevelZero;
    draft.pictures = (0..6).map(|face| vec![face; 32]).collect();
    let cube = Vtf::draft(&draft).unwrap();
    assert_eq!(
        [
            cube.n_faces(),
            u32::from(cube.n_frames),
            u32::from(cube.n_mips)
        ],
        [6, 1, 1]
    );
    assert_eq!(cube.picture(0, 0, 4), Some(&[4; 32][..]));
}

#[test]
fn impossible_drafts_are_refused() {
    let good = Draft {
        width: 1,
        height: 1,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: vec![vec![0; 4]],
    };
    assert!(Vtf::draft(&good).is_ok());
    let refused = [
        (
            Draft {
                width: 0,
                ..good.clone()
            },
            "width",
        ),
        (
            Draft {
                height: 16_385,
                ..good.clone()
            },
            "height",
        ),
        (
            Draft {
                pictures: Vec::new(),
                ..good.clone()
            },
            "frame count",
        ),
        (
            Draft {
                flags: TextureFlags::CUBEMAP,
                ..good.clone()
            },
            "frame count",
        ),
        (
            Draft {
                format: ImageFormat::Dxt1,
                ..good.clone()
            },
            "image format",
        ),
        (Draft { width: 2, ..good }, "pixels"),
    ];
    for (draft, field) in refused {
        assert_eq!(Vtf::draft(&draft).unwrap_err().field, field);
    }
}
