use ironlands_assets_core::format::{ConversionOptions, ConversionRequest, Exported};
use ironlands_assets_core::mips::MipChain;

use super::super::{Draft, ImageFormat, TextureFlags, Vtf};
use super::{dds, picture};
use std::path::Path;

fn request(options: &ConversionOptions) -> ConversionRequest<'_> {
    ConversionRequest {
        file: Path::new("folder/wall.vtf"),
        interchange: Path::new("folder/wall.dds"),
        options,
    }
}

fn pictures(n: usize, n_pixels: usize) -> Vec<Vec<u8>> {
    let byte = |at: usize| (at * 37 % 251) as u8;
    let picture = |number: usize| {
        (0..4 * n_pixels)
            .map(|at| byte(at + 100 * number))
            .collect()
    };
    (0..n).map(picture).collect()
}

fn texture(flags: TextureFlags, n_pictures: usize) -> Vtf {
    let draft = Draft {
        width: 8,
        height: 8,
        format: ImageFormat::Bgra8888,
        flags,
        mips: MipChain::Full,
        pictures: pictures(n_pictures, 64),
    };
    Vtf::draft(&draft).unwrap()
}

fn exported(texture: &Vtf, export: super::Exporter) -> Exported {
    let options = ConversionOptions::default();
    export(&texture.write().unwrap(), &request(&options)).unwrap()
}

fn only_file(exported: &Exported) -> &[u8] {
    let [(path, bytes)] = &exported.files[..] else {
        panic!("{} files", exported.files.len());
    };
    assert_eq!(path, Path::new("folder/wall.dds"));
    bytes
}

fn imported(data: &[u8], import: super::Importer) -> Vtf {
    let options = ConversionOptions::default();
    Vtf::read(&import(data, &request(&options)).unwrap()).unwrap()
}

#[test]
fn mips_and_faces_go_to_dds_and_come_back_as_they_were() {
    for (flags, n_pictures) in [(TextureFlags::empty(), 1), (TextureFlags::CUBEMAP, 6)] {
        let whole = texture(flags, n_pictures);
        let file = exported(&whole, dds::to_dds);
        assert_eq!(&only_file(&file)[..4], b"DDS ");
        let back = imported(only_file(&file), dds::from_dds);
        assert_eq!(back.flags, flags);
        assert_eq!((back.n_mips, back.format), (4, ImageFormat::Bgra8888));
        assert_eq!(back.body, whole.body);
    }
}

#[test]
fn a_dds_file_has_its_faces_one_after_the_other() {
    let whole = texture(TextureFlags::CUBEMAP, 6);
    let file = exported(&whole, dds::to_dds);
    // A header of 128 bytes; 85 pixels in all mips of a face.
    let pixels = &only_file(&file)[128..];
    assert_eq!(pixels.len(), 6 * 85 * 4);
    for face in 0..6 {
        let first = &pixels[face * 85 * 4..][..64 * 4];
        assert_eq!(Some(first), whole.picture(0, 0, face as u32));
    }
}

#[test]
fn blocks_keep_their_bytes_and_their_name() {
    let whole = Vtf {
        format: ImageFormat::Dxt1,
        n_mips: 1,
        flags: TextureFlags::NO_MIPS,
        body: (0..32).collect(),
        ..texture(TextureFlags::NO_MIPS, 1)
    };
    let file = exported(&whole, dds::to_dds);
    // Dossier section 10.3: four blocks of 8 bytes. The name is at byte 84 of the header.
    assert_eq!(&only_file(&file)[84..88], b"DXT1");
    assert_eq!(imported(only_file(&file), dds::from_dds).body, whole.body);
}

#[test]
fn frames_and_faces_are_pictures_of_their_own() {
    let frames = exported(&texture(TextureFlags::empty(), 2), picture::to_png);
    let names: Vec<_> = frames
        .files
        .iter()
        .map(|(path, _)| path.to_str().unwrap())
        .collect();
    assert_eq!(names, ["folder/wall-000.dds", "folder/wall-001.dds"]);
    let faces = exported(&texture(TextureFlags::CUBEMAP, 6), picture::to_tga);
    let last = faces.files.last().unwrap();
    assert_eq!(last.0, Path::new("folder/wall-nz.dds"));
}

#[test]
fn pictures_come_back_with_the_pixels_that_they_had() {
    let whole = texture(TextureFlags::EIGHT_BIT_ALPHA, 1);
    let ways: [(super::Exporter, super::Importer); 2] = [
        (picture::to_png, picture::from_png),
        (picture::to_tga, picture::from_tga),
    ];
    for (export, import) in ways {
        let file = exported(&whole, export);
        let back = imported(only_file(&file), import);
        assert_eq!(back.format, ImageFormat::Bgra8888);
        assert_eq!(back.flags, TextureFlags::EIGHT_BIT_ALPHA);
        assert_eq!(back.body, whole.body);
    }
}

#[test]
fn high_dynamic_range_comes_back_within_its_precision() {
    let values = [0.0, 0.03, 0.5, 1.0, 7.25, 100.0_f32];
    let halves = (0..4).flat_map(|pixel| {
        [values[pixel], values[pixel + 1], values[pixel + 2], 1.0].map(half::f16::from_f32)
    });
    let whole = Vtf {
        width: 2,
        height: 2,
        format: ImageFormat::Rgba16161616F,
        n_mips: 1,
        body: halves.flat_map(half::f16::to_le_bytes).collect(),
        ..texture(TextureFlags::NO_MIPS, 1)
    };
    let file = exported(&whole, picture::to_hdr);
    let back = imported(only_file(&file), picture::from_hdr);
    let floats = |texture: &Vtf| -> Vec<f32> {
        let halves = texture.decode_rgba16f(0, 0, 0).unwrap();
        let (halves, _) = halves.as_chunks::<2>();
        halves
            .iter()
            .map(|half| half::f16::from_le_bytes(*half).to_f32())
            .collect()
    };
    // Three mantissas of eight bits share the exponent of the largest.
    for (pixel, found) in floats(&whole).chunks(4).zip(floats(&back).chunks(4)) {
        let step = pixel[..3].iter().fold(0.0_f32, |max, it| max.max(*it)) / 127.0;
        for (expected, found) in pixel.iter().zip(found) {
            assert!((expected - found).abs() <= step, "{pixel:?}, found {found}");
        }
    }
}

#[test]
fn textures_of_low_range_become_linear_light() {
    let draft = Draft {
        width: 1,
        height: 1,
        format: ImageFormat::Bgr888,
        flags: TextureFlags::empty(),
        mips: MipChain::LevelZero,
        pictures: vec![vec![255, 186, 0, 255]],
    };
    let file = exported(&Vtf::draft(&draft).unwrap(), picture::to_hdr);
    let back = imported(only_file(&file), picture::from_hdr);
    let halves = back.decode_rgba16f(0, 0, 0).unwrap();
    let green = half::f16::from_le_bytes([halves[2], halves[3]]).to_f32();
    // 186 / 255 is half of the light; red is all of it, and eight bits share its exponent.
    assert!((green - 0.5).abs() < 1.0 / 127.0, "{green}");
}

#[test]
fn a_base_gives_what_pictures_lack() {
    let base = Vtf {
        flags: TextureFlags::NORMAL | TextureFlags::CLAMP_S | TextureFlags::EIGHT_BIT_ALPHA,
        bump_scale: 2.5,
        ..texture(TextureFlags::empty(), 1)
    };
    let opaque = Draft {
        width: 8,
        height: 8,
        format: ImageFormat::Bgr888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: pictures(1, 64),
    };
    let file = exported(&Vtf::draft(&opaque).unwrap(), picture::to_png);
    let options = ConversionOptions {
        base: Some(base.write().unwrap()),
        pixel_format: Some("bgr888".to_owned()),
        ..ConversionOptions::default()
    };
    let back = picture::from_png(only_file(&file), &request(&options)).unwrap();
    let back = Vtf::read(&back).unwrap();
    assert_eq!(back.flags, TextureFlags::NORMAL | TextureFlags::CLAMP_S);
    assert_eq!((back.bump_scale, back.format), (2.5, ImageFormat::Bgr888));
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let options = ConversionOptions {
        base: Some(texture(TextureFlags::CUBEMAP, 6).write().unwrap()),
        ..ConversionOptions::default()
    };
    let file = exported(&texture(TextureFlags::empty(), 1), picture::to_png);
    let error = picture::from_png(only_file(&file), &request(&options)).unwrap_err();
    assert!(error.to_string().contains("several pictures"), "{error}");
    let options = ConversionOptions {
        pixel_format: Some("dxt9".to_owned()),
        ..ConversionOptions::default()
    };
    let error = picture::from_png(only_file(&file), &request(&options)).unwrap_err();
    assert!(error.to_string().contains("\"dxt9\""), "{error}");
    // A file of which the last mips are cut off.
    let file = exported(&texture(TextureFlags::empty(), 1), dds::to_dds);
    let cut = &only_file(&file)[..200];
    let options = ConversionOptions::default();
    assert!(dds::from_dds(cut, &request(&options)).is_err());
}
