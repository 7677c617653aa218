//! The browser without a window: listing, searching, previews, references and exports of the demo's files.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::listing::Item;
use super::*;
use crate::assets::format::AnyFormat;
use crate::console::output::Existing;
use crate::test_world::PATIENCE;

/// Opening all that a test waits for takes this many times as long on a busy machine.
const PATIENCE_FACTOR: u32 = 12;

fn browser(root: &str) -> Browser {
    let root = std::path::absolute(root).unwrap();
    let mut browser = Browser::new(&root, None, &crate::worlds::registry());
    settle(&mut browser);
    browser
}

/// Until nothing is at work any more.
fn settle(browser: &mut Browser) {
    let since = Instant::now();
    browser.update();
    while browser.is_busy() {
        assert!(
            since.elapsed() < PATIENCE * PATIENCE_FACTOR,
            "still at work"
        );
        std::thread::yield_now();
        browser.update();
    }
}

fn names(browser: &Browser) -> Vec<&str> {
    let rows = browser.tree.rows().iter();
    rows.map(|row| &*browser.tree.node(*row).name).collect()
}

fn go_to(browser: &mut Browser, path: &str) -> usize {
    browser.go_to(&std::path::absolute(path).unwrap());
    settle(browser);
    let focus = browser.focus().expect(path);
    assert!(
        browser
            .tree
            .is_at(focus, &std::path::absolute(path).unwrap())
    );
    focus
}

#[test]
fn folders_and_archives_open_when_they_are_asked_for() {
    let mut browser = browser("DATA");
    let shown = names(&browser);
    assert_eq!(shown[0], "DATA");
    assert!(
        shown.contains(&"Textures.lib") && shown.contains(&"MAPS"),
        "{shown:?}"
    );
    let archive = go_to(&mut browser, "DATA/Material.lib");
    let n_before = browser.tree.rows().len();
    browser.toggle(archive);
    settle(&mut browser);
    let materials = browser.tree.rows().len() - n_before;
    assert!(materials > 10, "{materials}");
    let member = go_to(&mut browser, "DATA/Material.lib/GRASS");
    assert_eq!(browser.tree.node(member).kind, FileKind::Material);
    assert!(browser.tree.node(member).size > Some(0));
    browser.toggle(archive);
    browser.update();
    assert_eq!(browser.tree.rows().len(), n_before);
}

#[test]
fn a_search_looks_everywhere_and_kinds_are_known_of_members() {
    let mut browser = browser("DATA");
    browser.search = "material grass".to_owned();
    settle(&mut browser);
    assert!(names(&browser).contains(&"GRASS"), "{:?}", names(&browser));
    browser.search = String::new();
    for kind in [
        FileKind::Texture,
        FileKind::Model,
        FileKind::Sound,
        FileKind::Effect,
    ] {
        browser.kind = Some(kind);
        settle(&mut browser);
        let rows = browser
            .tree
            .rows()
            .iter()
            .map(|row| browser.tree.node(*row));
        let n_of_kind = rows.filter(|node| node.kind == kind).count();
        assert!(n_of_kind > 2, "{}: {n_of_kind}", kind.name());
    }
}

#[test]
fn ten_thousand_members_are_filed_and_laid_out_at_once() {
    let registry = crate::worlds::registry();
    let root = std::path::absolute("DATA").unwrap();
    let mut tree = Tree::new(&root, &registry);
    let format: Option<&'static dyn AnyFormat> = registry.formats().all().next();
    let items = (0..10_000).map(|number| Item {
        name: format!("folder{}/member{number}", number % 100),
        shape: Shape::File,
        size: Some(number),
        format,
        kind: FileKind::Texture,
    });
    let since = Instant::now();
    tree.fill(Tree::ROOT, items.collect());
    tree.open(Tree::ROOT);
    tree.lay_out(&tree::Filter::new("", None));
    assert_eq!(tree.rows().len(), 1 + 100);
    tree.lay_out(&tree::Filter::new("member99", None));
    // 99, 990 to 999, 9900 to 9999, their folders and the root.
    let rows = tree.rows().iter().map(|row| tree.node(*row));
    assert_eq!(rows.filter(|node| node.shape == Shape::File).count(), 111);
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    let wanted = root.join("folder7/member7");
    let node = tree.nearest(&wanted);
    assert_eq!(tree.node(node).path, wanted);
}

#[test]
fn a_file_is_known_by_what_it_holds() {
    let mut browser = browser("DATA");
    go_to(&mut browser, "DATA/Material.lib/GRASS");
    let preview = browser.preview().unwrap();
    assert!(preview.forms.contains(&"json"), "{:?}", preview.forms);
    assert!(preview.texts.iter().any(|text| text.label == "json"));
    let fields: Vec<_> = preview.fields.iter().map(|field| field.name).collect();
    assert!(fields.contains(&"texture name"), "{fields:?}");
    let reference = preview.references.first().expect("its texture");
    assert_eq!(reference.kind, FileKind::Texture);

    let texture = format!("DATA/Textures.lib/{}", reference.name);
    go_to(&mut browser, &texture);
    let preview = browser.preview().unwrap();
    let sizes: Vec<_> = preview
        .pictures
        .iter()
        .map(|picture| picture.size)
        .collect();
    assert!(
        sizes.len() > 3 && sizes[1] == sizes[0].map(|side| side / 2),
        "{sizes:?}"
    );
    let largest = browser
        .picture()
        .expect("the largest is shown first")
        .clone();
    assert_eq!(largest.size, sizes[0]);
    browser.show_picture(2);
    settle(&mut browser);
    assert_eq!(browser.picture().unwrap().size, sizes[2]);
}

#[test]
fn references_lead_both_ways() {
    let mut browser = browser("DATA");
    browser.find_references();
    settle(&mut browser);
    go_to(&mut browser, "DATA/bases.rlb/WALKER.msh");
    let preview = browser.preview().unwrap();
    assert!(preview.is_model());
    let index = browser.index().expect("it is made");
    assert!(index.n_references() > 50);
    let [table] = preview.references.as_slice() else {
        panic!("{:?}", preview.references);
    };
    let [table] = index.find(table)[..] else {
        panic!("{:?}", index.find(table));
    };
    let users = index.users_of(table);
    assert!(
        users.iter().any(|user| user.path == preview.path),
        "{users:?}"
    );
    let material = std::path::absolute("DATA/Material.lib/GRASS").unwrap();
    assert!(!index.users_of(&material).is_empty());
}

fn export(browser: &mut Browser, paths: &[&str], form: Option<&'static str>, to: &Path) -> String {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| std::path::absolute(path).unwrap())
        .collect();
    browser.start_export(ExportRequest {
        paths,
        root: std::path::absolute("DATA").unwrap(),
        form,
        to: to.to_owned(),
        existing: Existing::Keep,
    });
    settle(browser);
    browser.export.as_ref().unwrap().result().unwrap()
}

#[test]
fn exports_go_where_they_are_wanted_and_replace_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path();
    let mut browser = browser("DATA");
    let grass = "DATA/Material.lib/GRASS";
    let result = export(&mut browser, &[grass], Some("json"), to);
    assert!(result.starts_with("1 files written"), "{result}");
    let written = to.join("Material.lib/GRASS.json");
    assert!(fs::read_to_string(&written).unwrap().contains("phases"));
    let result = export(&mut browser, &[grass], Some("json"), to);
    assert!(result.ends_with("1 failed"), "{result}");
    let problems = browser.export.as_ref().unwrap().problems();
    assert!(problems[0].contains("is there already"), "{problems:?}");

    // A whole archive: what comes in no such form is counted.
    let result = export(&mut browser, &["DATA/Textures.lib"], Some("png"), to);
    assert!(
        result.contains("files written") && !result.contains("failed"),
        "{result}"
    );
    let n_pictures = fs::read_dir(to.join("Textures.lib")).unwrap().count();
    assert!(n_pictures > 10, "{n_pictures}");
    let result = export(
        &mut browser,
        &["DATA/bases.rlb/WALKER.msh"],
        Some("glb"),
        to,
    );
    assert!(result.starts_with("1 files written"), "{result}");
    let result = export(&mut browser, &[grass], None, to);
    assert!(result.starts_with("1 files written"), "{result}");
    let bytes = fs::read(to.join("Material.lib/GRASS")).unwrap();
    assert!(!bytes.is_empty());
}

#[test]
fn rows_are_walked_and_chosen_in_ranges() {
    let mut browser = browser("DATA");
    let rows = browser.tree.rows().to_vec();
    browser.step(1);
    assert_eq!(browser.focus(), Some(rows[0]));
    browser.step(3);
    assert_eq!(browser.focus(), Some(rows[3]));
    browser.choose(rows[5], false, true);
    let selected: Vec<_> = browser.selected().iter().copied().collect();
    let mut expected = rows[3..=5].to_vec();
    expected.sort_unstable();
    assert_eq!(selected, expected);
    browser.choose(rows[4], true, false);
    assert!(!browser.is_selected(rows[4]));
    browser.step(-1000);
    assert_eq!(browser.focus(), Some(rows[0]));
}
