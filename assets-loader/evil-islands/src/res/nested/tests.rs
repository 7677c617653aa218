use super::*;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Slots);
    archive.write().unwrap()
}

/// An archive as `figures.res`: a model, rest positions, animations in two levels, and files of other kinds.
fn figures() -> ResArchive {
    let model = archive(&[
        ("mesh", b"FIG8..."),
        ("a.fig", b"FIG8"),
        ("light", b"links"),
    ]);
    let bones = archive(&[("mesh", b"12 floats")]);
    let idle = archive(&[("mesh", b"frames")]);
    let animations = archive(&[("cidle", &idle), ("alone", b"frames")]);
    let hidden = archive(&[("x", b"y")]);
    let files: [(&str, &[u8]); 6] = [
        ("light.mod", &model),
        ("sub\\light.bon", &bones),
        ("light.anm", &animations),
        ("texts", &hidden),
        ("lone.bon", b"no archive"),
        ("s\\a.txt", b"text"),
    ];
    ResArchive::read(&archive(&files)).unwrap()
}

fn on_disk(archive: &ResArchive, nested: NestedArchives) -> Vec<(String, Vec<u8>)> {
    let files = archive.files("figures.res", nested).into_iter();
    files.map(|file| (file.path, file.data.to_vec())).collect()
}

#[test]
fn archives_become_folders_and_bare_files_get_extensions() {
    let files = figures().files("FIGURES.RES", NestedArchives::Unpack);
    let mut paths: Vec<(&str, &str)> = files.iter().map(|it| (&*it.name, &*it.path)).collect();
    paths.sort();
    let expected = [
        ("light.anm/alone", "light.anm/alone.anm"),
        ("light.anm/cidle/mesh", "light.anm/cidle/mesh.anm"),
        ("light.mod/a.fig", "light.mod/a.fig.fig"),
        ("light.mod/light", "light.mod/light.lnk"),
        ("light.mod/mesh", "light.mod/mesh.fig"),
        ("lone.bon", "lone.bon"),
        ("s/a.txt", "s/a.txt"),
        ("sub/light.bon/mesh", "sub/light.bon/mesh.bon"),
        // Its name does not say that it is an archive: as a folder it would come back as files of this one.
        ("texts", "texts"),
    ];
    assert_eq!(paths, expected);
    let files = figures().files("figures.res", NestedArchives::Keep);
    assert_eq!(files.len(), 6);
    let model = ResArchive::read(&figures().find("light.mod").unwrap().data).unwrap();
    let paths: Vec<String> = model
        .files("light.mod", NestedArchives::Keep)
        .into_iter()
        .map(|it| it.path)
        .collect();
    assert_eq!(paths, ["mesh.fig", "a.fig.fig", "light.lnk"]);
}

#[test]
fn what_was_taken_out_goes_back_to_the_same_bytes() {
    for nested in [NestedArchives::Keep, NestedArchives::Unpack] {
        let bytes = figures().write().unwrap();
        let mut archive = figures();
        let files = on_disk(&archive, nested);
        archive
            .put_files("figures.res", &files, Others::Remove)
            .unwrap();
        assert_eq!(archive.write().as_ref(), Ok(&bytes), "{nested:?}");
        // Into a new archive, the content is the same in another order.
        let mut fresh = ResArchive::draft(Vec::new(), NamesOrder::Insertion);
        fresh.put_files("new.res", &files, Others::Remove).unwrap();
        let fresh = ResArchive::read(&fresh.write().unwrap()).unwrap();
        let sorted = |archive: &ResArchive| {
            let mut files = on_disk(archive, NestedArchives::Unpack);
            files.sort();
            files
        };
        assert_eq!(sorted(&fresh), sorted(&figures()), "{nested:?}");
    }
}

#[test]
fn names_with_the_other_separator_stay() {
    let data = archive(&[("a/b.txt", b"first"), ("c\\d.txt", b"second")]);
    let mut figures = ResArchive::read(&data).unwrap();
    let files = on_disk(&figures, NestedArchives::Unpack);
    figures
        .put_files("figures.res", &files, Others::Keep)
        .unwrap();
    assert_eq!(figures.write(), Ok(data));
}

#[test]
fn one_file_changes_its_archive_and_no_other() {
    let mut changed = figures();
    let files = [
        ("LIGHT.mod/Mesh.fig".to_owned(), b"FIG8 new".to_vec()),
        ("light.anm/cwalk/mesh.anm".to_owned(), vec![1]),
    ];
    changed
        .put_files("figures.res", &files, Others::Keep)
        .unwrap();
    let changed = ResArchive::read(&changed.write().unwrap()).unwrap();
    let mut expected = on_disk(&figures(), NestedArchives::Unpack);
    for (path, data) in &mut expected {
        if path == "light.mod/mesh.fig" {
            *data = b"FIG8 new".to_vec();
        }
    }
    expected.push(("light.anm/cwalk/mesh.anm".to_owned(), vec![1]));
    expected.sort();
    let mut found = on_disk(&changed, NestedArchives::Unpack);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(
        changed.find("lone.bon").unwrap().mtime,
        figures().find("lone.bon").unwrap().mtime
    );
}

#[test]
fn what_is_not_on_disk_is_taken_out_on_demand() {
    let mut archive = figures();
    let files = [("light.mod/mesh.fig".to_owned(), b"FIG8...".to_vec())];
    archive
        .put_files("figures.res", &files, Others::Remove)
        .unwrap();
    assert_eq!(on_disk(&archive, NestedArchives::Unpack), files);
}

#[test]
fn names_that_cannot_be_are_refused() {
    for (paths, reported) in [
        (&["地"][..], "CP1251"),
        (&["a", "A"], "one file of that name"),
        (&["a.mod/x", "a.mod"], "one file of that name"),
        (&["lone.bon/x.bon"], "magic"),
    ] {
        let files: Vec<_> = paths
            .iter()
            .map(|path| ((*path).to_owned(), vec![1]))
            .collect();
        let error = figures()
            .put_files("figures.res", &files, Others::Keep)
            .unwrap_err();
        assert!(error.to_string().contains(reported), "{paths:?}: {error}");
    }
}

/// Archives that share their bytes are unpacked once, or a few of them in each other would hold any number of files.
#[test]
fn shared_archives_are_unpacked_once() {
    let inner = archive(&[("x", b"y")]);
    let mut outer = ResArchive::draft(
        vec![
            (b"a.mod".to_vec(), inner.clone()),
            (b"b.mod".to_vec(), inner),
        ],
        NamesOrder::Insertion,
    );
    outer.share_equal_data();
    let outer = ResArchive::read(&outer.write().unwrap()).unwrap();
    let paths: Vec<String> = outer
        .files("o.res", NestedArchives::Unpack)
        .into_iter()
        .map(|it| it.path)
        .collect();
    assert_eq!(paths, ["a.mod/x.lnk", "b.mod"]);
}

#[test]
fn archives_are_known_by_their_extensions() {
    for name in ["a.RES", "zone.mpr", "q.mq", "a.mod", "a.bon", "a.anm"] {
        assert!(is_archive_name(name), "{name}");
    }
    for name in ["a.bsp", "res", ".res", "a.res/b"] {
        assert!(!is_archive_name(name), "{name}");
    }
}
