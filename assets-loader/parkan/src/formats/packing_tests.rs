//! Files put into archives: what is replaced, added, removed, and what stays as it is.

use crate::mat0::{self, Mat0};
use crate::nres::{Entry, NRes};
use crate::rsli::{self, Method, RsLi};
use crate::texm;
use ironlands_assets_core::format::{Format, PackOptions, PackRequest, Packed};

fn pack<F: Format>(
    file_name: &str,
    base: Option<&[u8]>,
    files: &[(&str, &[u8])],
    replace_all: bool,
) -> Result<Packed, String> {
    let files = files.iter();
    let files: Vec<_> = files
        .map(|(name, data)| ((*name).to_owned(), data.to_vec()))
        .collect();
    let request = PackRequest {
        file_name,
        base,
        files: &files,
        replace_all,
        options: &PackOptions::default(),
    };
    assert!(F::packs(&request));
    F::pack(&request).map_err(|error| error.to_string())
}

fn entry(type_id: u32, attrs: [u32; 3], name: &str, data: &[u8]) -> Entry {
    let [attr1, attr2, attr3] = attrs;
    Entry::new(type_id, attr1, attr2, attr3, name, data.to_vec()).unwrap()
}

/// A mixed archive of three entries.
fn archive() -> Vec<u8> {
    let entries = vec![
        entry(7, [1, 2, 3], "tank.ndp", b"one"),
        entry(8, [4, 5, 6], "tank.fml", b"two"),
        entry(9, [0; 3], "Tank", b"three"),
    ];
    NRes::from_entries(entries).write().unwrap()
}

#[test]
fn nothing_put_into_an_archive_leaves_every_byte() {
    let base = archive();
    let packed = pack::<NRes>("x.rlb", Some(&base), &[], false).unwrap();
    assert_eq!(packed.bytes, base);
    let same: &[(&str, &[u8])] = &[("tank.ndp", b"one")];
    let packed = pack::<NRes>("x.rlb", Some(&base), same, false).unwrap();
    assert_eq!(packed.bytes, base);
}

#[test]
fn files_replace_entries_whose_words_stay() {
    let files: &[(&str, &[u8])] = &[("TANK.NDP", b"longer than one"), ("gun.fml", b"new")];
    let packed = pack::<NRes>("x.rlb", Some(&archive()), files, false).unwrap();
    let read = NRes::read(&packed.bytes).unwrap();
    let expected = [
        entry(7, [1, 2, 3], "tank.ndp", b"longer than one"),
        entry(8, [4, 5, 6], "tank.fml", b"two"),
        entry(9, [0; 3], "Tank", b"three"),
        // As the entry with the same ending.
        entry(8, [4, 5, 6], "gun.fml", b"new"),
    ];
    assert_eq!(read.entries, expected);
    assert_eq!(packed.content, "4 entries, 2 files");
}

#[test]
fn entries_without_a_file_are_removed_on_request() {
    let files: &[(&str, &[u8])] = &[("tank.fml", b"two"), ("gun.fml", b"new")];
    let packed = pack::<NRes>("x.rlb", Some(&archive()), files, true).unwrap();
    assert_eq!(packed.removed, ["tank.ndp", "Tank"]);
    let read = NRes::read(&packed.bytes).unwrap();
    let names: Vec<_> = read
        .entries
        .iter()
        .map(|it| it.name_text().into_owned())
        .collect();
    assert_eq!(names, ["tank.fml", "gun.fml"]);
}

#[test]
fn a_file_of_unknown_type_is_refused() {
    let files: &[(&str, &[u8])] = &[("gun.xyz", b"new")];
    let error = pack::<NRes>("x.rlb", Some(&archive()), files, false).unwrap_err();
    assert!(
        error.starts_with("gun.xyz: nothing says of what type it is"),
        "{error}"
    );
}

#[test]
fn libraries_say_what_new_entries_are() {
    let of = |name: &str, files: &[(&str, &[u8])]| {
        let packed = pack::<NRes>(name, None, files, false).unwrap();
        NRes::read(&packed.bytes).unwrap().entries.remove(0)
    };
    let material = of("Material.lib", &[("GRASS.mat0", b"x")]);
    assert_eq!(material, entry(mat0::TYPE_ID, [0, 6, 0], "GRASS", b"x"));
    let texture = of("any.rlb", &[("GRASS.0", b"Texm...")]);
    assert_eq!(texture, entry(texm::TYPE_ID, [0; 3], "GRASS.0", b"Texm..."));
    // How another material blends is no concern of a new one.
    let base = NRes::from_entries(vec![entry(mat0::TYPE_ID, [8, 6, 0], "GLOW", b"x")]);
    let base = base.write().unwrap();
    let packed = pack::<NRes>("Material.lib", Some(&base), &[("GRASS", b"y")], false).unwrap();
    let entries = NRes::read(&packed.bytes).unwrap().entries;
    assert_eq!(entries[0].attr1, 8);
    assert_eq!(entries[1], entry(mat0::TYPE_ID, [0, 6, 0], "GRASS", b"y"));
}

#[test]
fn files_are_put_into_rsli_libraries_by_the_method_of_their_entry() {
    let entries = [("A.TEX", Method::Deflate), ("B.TEX", Method::XorLzss)];
    let entries = entries.map(|(name, method)| rsli::Entry::new(name, method, b"old").unwrap());
    let base = RsLi::from_entries(entries.to_vec()).write().unwrap();
    let same = pack::<RsLi>("x.lib", Some(&base), &[("b.tex", b"old")], false).unwrap();
    assert_eq!(same.bytes, base);
    let files: &[(&str, &[u8])] = &[("b.tex", b"another"), ("c.tex", b"new")];
    let packed = pack::<RsLi>("x.lib", Some(&base), files, false).unwrap();
    let read = RsLi::read(&packed.bytes).unwrap();
    let found = read
        .entries
        .iter()
        .map(|it| (it.name_text(), it.method(), it.unpack().unwrap()));
    let found: Vec<_> = found.collect();
    let expected = [
        ("A.TEX".into(), Some(Method::Deflate), b"old".to_vec()),
        ("B.TEX".into(), Some(Method::XorLzss), b"another".to_vec()),
        ("C.TEX".into(), Some(Method::Deflate), b"new".to_vec()),
    ];
    assert_eq!(found, expected);
    let packed = pack::<RsLi>("x.lib", Some(&base), &[("B.TEX", b"old")], true).unwrap();
    assert_eq!(packed.removed, ["A.TEX"]);
}

#[test]
fn a_material_reads_back_from_its_archive() {
    let mut material = Mat0::read(&[0; 14], 6).unwrap();
    material.speed_factor = 0.5;
    let data = material.write().unwrap();
    let packed = pack::<NRes>("Material.lib", None, &[("SLOW.mat0", &data)], false).unwrap();
    let read = NRes::read(&packed.bytes).unwrap();
    assert_eq!(
        Mat0::read(&read.entries[0].data, read.entries[0].attr2),
        Ok(material)
    );
}
