//! Textures of two files, as they lie in folders, archives and maps.

use ironlands_assets_proof::folder_with;

use super::*;
use crate::tth::{Tth, TthPlace};
use crate::ttz::Ttz;
use crate::vpk::VpkDirectory;

/// A texture of 8 x 8 pixels of one shade of gray: the two smaller mips in the first file, the others in the second.
fn two_files(shade: u8) -> [Vec<u8>; 2] {
    let draft = Draft {
        width: 8,
        height: 8,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: vec![vec![shade; 8 * 8 * 4]],
    };
    let mut vtf = Vtf::draft(&draft).unwrap();
    vtf.version = 1;
    vtf.header_tail = vec![0];
    let vtf = vtf.write().unwrap();
    let n_header = 64;
    let begins = [0, 4, 20, 84].map(|at| n_header + at);
    let (beginning, rest) = vtf.split_at(begins[2]);
    let larger = rest.split_at(64);
    let (ttz, places) = Ttz::draft(&[larger.0, larger.1]).unwrap();
    let ttz_offsets = [0, 0, places[0], places[1]];
    let place = |(vtf_offset, ttz_offset): (usize, usize)| TthPlace {
        vtf_offset: vtf_offset as u32,
        ttz_offset: ttz_offset as u32,
    };
    let tth = Tth {
        n_inline_mips: 2,
        mips: begins.into_iter().zip(ttz_offsets).map(place).collect(),
        end: place((vtf.len(), places[2])),
        beginning: beginning.to_vec(),
        trailer: Vec::new(),
    };
    assert_eq!(tth.check(), []);
    [tth.write().unwrap(), ttz.write().unwrap()]
}

const VMT: &[u8] = br#"UnlitGeneric { "$basetexture" "gray" }"#;

/// The texture that the material of these files shows, and what is reported.
fn shown(files: &GameFiles) -> (Vec<Texture>, Vec<Finding>) {
    let mut materials = Materials::new(files, LightRange::Ldr);
    materials.surface(surface("wall")).unwrap();
    let made = materials.finish();
    (made.textures, made.findings)
}

#[test]
fn textures_of_two_files_are_found_in_maps_folders_and_archives() {
    let [tth, ttz] = two_files(77);
    let entries: [(&str, &[u8]); 3] = [
        ("materials/wall.vmt", VMT),
        ("materials/gray.tth", &tth),
        ("materials/Gray.TTZ", &ttz),
    ];
    let pakfile = Pakfile::draft(&entries, Comment::None).unwrap();
    let in_map = GameFiles::new(Some(pakfile), &[]).unwrap();
    let folder = folder_with(&entries);
    let in_folder = GameFiles::new(None, &[folder.path().to_owned()]).unwrap();
    let vpk = VpkDirectory::draft(&entries).unwrap().write().unwrap();
    let archive = folder_with(&[("x_dir.vpk", &vpk)]);
    let in_archive = GameFiles::new(None, &[archive.path().to_owned()]).unwrap();
    for files in [in_map, in_folder, in_archive] {
        let (textures, findings) = shown(&files);
        assert_eq!(findings, []);
        let [texture] = &*textures else {
            panic!("{textures:?}");
        };
        assert_eq!((texture.width, texture.mips.len()), (8, 4));
        assert!(texture.mips.iter().flatten().all(|it| *it == 77));
    }
}

#[test]
fn a_texture_of_one_file_comes_first() {
    let [tth, ttz] = two_files(77);
    let draft = Draft {
        width: 4,
        height: 4,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: vec![vec![200; 64]],
    };
    let vtf = Vtf::draft(&draft).unwrap().write().unwrap();
    let folder = folder_with(&[
        ("materials/wall.vmt", VMT),
        ("materials/gray.tth", &tth),
        ("materials/gray.ttz", &ttz),
        ("materials/gray.vtf", &vtf),
    ]);
    let files = GameFiles::new(None, &[folder.path().to_owned()]).unwrap();
    assert_eq!(shown(&files).0[0].width, 4);
}

#[test]
fn a_texture_without_its_second_file_is_reported() {
    let [tth, _] = two_files(77);
    let folder = folder_with(&[("materials/wall.vmt", VMT), ("materials/gray.tth", &tth)]);
    let files = GameFiles::new(None, &[folder.path().to_owned()]).unwrap();
    let (textures, findings) = shown(&files);
    assert!(textures.is_empty());
    assert!(findings[0].message.contains("TTZ"), "{findings:?}");
}
