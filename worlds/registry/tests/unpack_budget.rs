//! Small files that would unpack to gigabytes: each ends within the budget of its size.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use lzma_rust2::{LzmaOptions, LzmaWriter};

use ironlands_assets_core::bytes::{FormatErrorKind, Reader};
use ironlands_assets_core::unpack::{Budget, DEFAULT_LIMIT};
use ironlands_assets_evil_islands::mmp::{self, Mmp, MmpDraft, MmpFormat};
use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};
use ironlands_assets_parkan::rsli::{self, RsLi};
use ironlands_assets_proof::{peak_of, set32};
use ironlands_assets_source::bsp::{BspFile, Face, FaceSet, LumpId, Map};
use ironlands_assets_source::game_files::{DiskArchive, GameFiles};
use ironlands_assets_source::lightmap::{Atlas, light_blocks};
use ironlands_assets_source::materials::{MadeMaterials, Materials, Surface, SurfaceLight, Tint};
use ironlands_assets_source::pakfile::{Comment, Pakfile};
use ironlands_assets_source::vmt::LightRange;
use ironlands_assets_source::vpk::{VpkDirectory, VpkTree};
use ironlands_assets_source::vtf::{self, ImageFormat, TextureFlags, Vtf};

ironlands_assets_proof::count_memory!();

const MIB: usize = 1 << 20;
const LIMIT: usize = DEFAULT_LIMIT as usize;

fn lzma_lump(n_zeros: usize) -> Vec<u8> {
    let options = LzmaOptions::with_preset(0);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false).unwrap();
    let zeros = vec![0; MIB];
    for _ in 0..n_zeros / MIB {
        writer.write_all(&zeros).unwrap();
    }
    let properties = writer.props();
    let stream = writer.finish().unwrap();
    let mut lump = b"LZMA".to_vec();
    lump.extend((n_zeros as u32).to_le_bytes());
    lump.extend((stream.len() as u32).to_le_bytes());
    lump.push(properties);
    lump.extend(options.dict_size.to_le_bytes());
    lump.extend(stream);
    lump
}

#[test]
fn lumps_of_a_map_unpack_within_one_budget() {
    let lump = lzma_lump(40 * MIB);
    let packed = [
        LumpId::Lighting,
        LumpId::LightingHdr,
        LumpId::PhysCollide,
        LumpId::Visibility,
    ];
    let mut file = BspFile::new(20);
    for id in packed {
        file.set_lump(id, 0, lump.clone());
    }
    let mut bytes = file.write().unwrap();
    for id in packed {
        set32(&mut bytes, 8 + 16 * id.index() + 12, 40 * MIB as u32);
    }
    assert!(bytes.len() < MIB, "{} bytes", bytes.len());
    let file = BspFile::read(&bytes).unwrap();
    let (lens, peak) = peak_of(|| {
        let contents: Vec<_> = packed.iter().map(|id| file.content(*id)).collect();
        contents
            .into_iter()
            .map(|content| content.map(|bytes| bytes.len()))
            .collect::<Vec<_>>()
    });
    assert!(peak <= LIMIT + 8 * MIB, "{peak} bytes at once");
    assert_eq!(lens[..2], [Ok(40 * MIB), Ok(40 * MIB)]);
    let error = lens[2].as_ref().unwrap_err();
    let offset = u64::from(file.lump_offset(packed[2])) + 4;
    assert_eq!((error.offset, &*error.field), (offset, "unpacked size"));
    assert!(
        matches!(error.kind, FormatErrorKind::OverBudget { .. }),
        "{error}"
    );
    assert_eq!(error.entry.as_deref(), Some("PhysCollide"));
}

/// Deflated zeros, and an archive that says many times that they are a file of these bytes.
fn pakfile(names: &[String], data: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    let packed = encoder.finish().unwrap();
    let files: Vec<_> = names.iter().map(|name| (&**name, &packed[..])).collect();
    let mut bytes = Pakfile::draft(&files, Comment::None).unwrap().write();
    let crc = crc32fast::hash(data);
    let headers = [
        (*b"PK\x03\x04", [8, 14, 22]),
        (*b"PK\x01\x02", [10, 16, 24]),
    ];
    for (mark, [method, checksum, size]) in headers {
        let found = bytes.windows(4).enumerate().filter(|(_, it)| **it == mark);
        let starts: Vec<usize> = found.map(|(start, _)| start).collect();
        assert_eq!(starts.len(), names.len());
        for start in starts {
            bytes[start + method] = 8;
            set32(&mut bytes, start + checksum, crc);
            set32(&mut bytes, start + size, data.len() as u32);
        }
    }
    bytes
}

#[test]
fn textures_of_a_map_are_drawn_within_one_budget() {
    let side = 511;
    let draft = vtf::Draft {
        width: side,
        height: side,
        format: ImageFormat::Bgra8888,
        flags: TextureFlags::empty(),
        mips: vtf::MipChain::LevelZero,
        pictures: vec![vec![0; usize::from(side) * usize::from(side) * 4]],
    };
    let texture = Vtf::draft(&draft).unwrap().write().unwrap();
    let names: Vec<String> = (0..40).map(|n| format!("materials/t{n}.vtf")).collect();
    let bytes = pakfile(&names, &texture);
    assert!(bytes.len() < MIB, "{} bytes", bytes.len());
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("materials")).unwrap();
    for number in 0..names.len() {
        let text = format!("UnlitGeneric {{ \"$basetexture\" \"t{number}\" }}");
        let path = folder.path().join(format!("materials/t{number}.vmt"));
        std::fs::write(path, text).unwrap();
    }
    let assets = [folder.path().to_owned()];
    let budget = Budget::with_limit(16 * MIB as u64, 0);
    let pakfile = Pakfile::read_within(&bytes, &budget).unwrap();
    let files = GameFiles::new(Some(pakfile), &assets).unwrap();
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let (n_bytes, peak) = peak_of(|| {
        for number in 0..names.len() {
            materials.surface(Surface {
                name: format!("t{number}"),
                light: SurfaceLight::FullBright,
                tint: Tint::default(),
                fallback: [0; 3],
                is_water: false,
                is_overlay: false,
                fades: false,
                is_model: false,
                is_seen_through: false,
                is_eye: false,
                probe: None,
            });
        }
        let MadeMaterials {
            textures, findings, ..
        } = materials.finish();
        let is_reported = |it: &ironlands_assets_core::bytes::Finding| {
            it.message.contains("exceeds the unpack limit")
        };
        assert!(findings.iter().any(is_reported), "{findings:?}");
        let mips = textures.iter().flat_map(|texture| &texture.mips);
        mips.map(Vec::len).sum::<usize>()
    });
    assert!(
        n_bytes > 0 && n_bytes <= 16 * MIB,
        "{n_bytes} bytes of textures"
    );
    assert!(peak <= 32 * MIB, "{peak} bytes at once");
}

#[test]
fn faces_that_share_their_light_are_lit_within_one_budget() {
    let face = Face {
        light_offset: 0,
        styles: [0, 255, 255, 255, 255, 255, 255, 255],
        lightmap_size: [63, 63],
        ..Face::default()
    };
    let map = Map {
        faces: vec![face; 10_000],
        lighting: vec![1; 64 * 64 * 4],
        ..Map::default()
    };
    let (blocks, _, _) = light_blocks(&map, FaceSet::Ldr);
    let budget = Budget::with_limit(100 * MIB as u64, 0);
    let (atlas, peak) = peak_of(|| Atlas::pack(&map.lighting, &blocks, &budget, |_| false));
    let lit = atlas.places.iter().flatten().count();
    assert!(lit > 0 && lit < blocks.len(), "{lit} of {}", blocks.len());
    assert!(peak <= 108 * MIB, "{peak} bytes at once");
    let last_page = atlas.places.iter().flatten().map(|place| place.page).max();
    assert_eq!(last_page, Some(atlas.pages.len() - 1));
}

#[test]
fn entries_of_a_library_unpack_within_one_budget() {
    let zeros = vec![0; 16 * MIB];
    let entry = rsli::Entry::new("A", rsli::Method::Deflate, &zeros).unwrap();
    let library = RsLi::from_entries(vec![entry; 40]).write().unwrap();
    assert!(library.len() < MIB);
    let library = RsLi::read(&library).unwrap();
    let lens = library
        .entries
        .iter()
        .map(|it| it.unpack().map(|data| data.len()));
    let (sound, refused): (Vec<_>, Vec<_>) = lens.partition(Result::is_ok);
    let n_sound = LIMIT / zeros.len();
    assert_eq!((sound.len(), refused.len()), (n_sound, 40 - n_sound));
    let errors = library.check();
    assert!(
        errors.iter().any(|it| it.message.contains("unpack limit")),
        "{errors:?}"
    );
}

#[test]
fn pixels_of_packed_textures_come_within_one_budget() {
    let draft = MmpDraft {
        width: 1024,
        height: 1024,
        format: MmpFormat::Pnt3,
        mips: mmp::MipChain::LevelZero,
        rgba: &vec![0; 1024 * 1024 * 4],
        rows: mmp::PixelRows::Stored,
    };
    let texture = Mmp::encode(&draft).unwrap().write().unwrap();
    assert!(texture.len() < 4096, "{} bytes", texture.len());
    let budget = Budget::with_limit(16 * MIB as u64, 0);
    let read = || Mmp::read_within(&texture, mmp::Tolerance::empty(), &budget).unwrap();
    for _ in 0..4 {
        assert_eq!(read().level_rgba(0).unwrap().len(), 4 * MIB);
    }
    let error = read().level_rgba(0).unwrap_err();
    assert!(
        matches!(error.kind, FormatErrorKind::OverBudget { .. }),
        "{error}"
    );
    // A check unpacks nothing.
    let (findings, peak) = peak_of(|| read().check());
    assert_eq!(findings, []);
    assert!(peak < MIB, "{peak} bytes at once");
}

#[test]
fn files_of_a_vpk_that_share_their_bytes_are_read_within_one_budget() {
    let data = vec![7; 2 * MIB];
    let names: Vec<String> = (0..400).map(|number| format!("a/{number}.txt")).collect();
    let files: Vec<(&str, &[u8])> = (names.iter().enumerate())
        .map(|(index, name)| (&**name, if index == 0 { &data[..] } else { &[] }))
        .collect();
    let mut directory = VpkDirectory::draft(&files).unwrap();
    let entries = directory.tree.extensions.iter_mut();
    let mut entries: Vec<_> = entries
        .flat_map(|extension| &mut extension.folders)
        .flat_map(|folder| &mut folder.files)
        .collect();
    let first = entries
        .iter()
        .find(|it| it.length > 0)
        .map(|it| (**it).clone());
    let first = first.unwrap();
    for entry in &mut entries {
        let name = std::mem::take(&mut entry.name);
        **entry = ironlands_assets_source::vpk::VpkEntry {
            name,
            ..first.clone()
        };
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a_dir.vpk");
    let bytes = directory.write().unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let archive = DiskArchive::open(&path).unwrap();
    let n_read = archive
        .paths()
        .filter(|path| archive.read(path).is_ok())
        .count();
    // 64 bytes for each that was read, if that is more.
    let limit = LIMIT.max(64 * bytes.len());
    assert_eq!(n_read, limit / data.len());
    let error = archive.read("a/5.txt").unwrap_err().to_string();
    assert!(error.contains("(entry a/5.txt): byte"), "{error}");
}

#[test]
fn names_that_share_their_bytes_are_refused() {
    // Two rows whose names are the same, longest name: 22 bytes would stand for 65,535.
    let long = vec![b'a'; 0xFFFF];
    let archive = ResArchive::draft(vec![(long, Vec::new()); 1], NamesOrder::Insertion);
    let one = archive.write().unwrap();
    assert!(ResArchive::read(&one).is_ok());
    let row = one[16..16 + 22].to_vec();
    let mut file = one[..16].to_vec();
    set32(&mut file, 4, 5);
    file.extend(row.repeat(5));
    file.extend(&one[16 + 22..]);
    let error = ResArchive::read(&file).unwrap_err();
    assert_eq!((error.offset, &*error.field), (16 + 22 + 16, "name length"));

    let mut r = Reader::new("vpk", &[]);
    assert!(VpkTree::read_from(&mut r, 0).is_err());
    let folder = "b".repeat(261);
    let tree = format!("txt\0{folder}\0a\0");
    let mut r = Reader::nested("vpk", tree.as_bytes(), 12);
    let error = VpkTree::read_from(&mut r, tree.len() as u32).unwrap_err();
    assert_eq!((error.offset, &*error.field), (16, "folder"));
}
