//! Files that change on the disk while they are edited.

use super::*;
use crate::{GeodataWorld, load_regions, profile_of_formats};
use glam::Vec3;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::{Cell, FlatRule, Nswe, Region, ZERO_REGION};
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Longest that a test waits for another thread.
const PATIENCE: Duration = Duration::from_secs(20);

/// A region at a height, of which each has another size: so it shows whatever the clock of the file system is.
fn write(path: &Path, height: i16) {
    let mut region = Region::flat(ZERO_REGION, height);
    let complex = Block::Complex(Box::new([Cell::new(height, Nswe::ALL_SIDES); 64]));
    let n_complex = height as usize / 8;
    region.blocks_mut()[999..999 + n_complex].fill(complex);
    let file = L2j::from_region(&region, FlatRule::Max);
    fs::write(path, file.write().unwrap()).unwrap();
}

fn editor(path: &Path) -> GeodataEditor {
    let files = [RegionPath::new(path).unwrap()];
    let canceled = AtomicBool::new(false);
    let geodata = load_regions(&files, Tolerance::STRICT, &|_| (), &canceled).unwrap();
    let profile = profile_of_formats([files[0].name.format]);
    let world = SharedWorld::new(GeodataWorld::new(geodata, profile));
    GeodataEditor::new(Arc::new(world), path, &files)
}

fn hit(editor: &GeodataEditor) -> WorldHit {
    WorldHit {
        element: u32::from(ZERO_REGION.first_cell().x) << 16
            | u32::from(ZERO_REGION.first_cell().y),
        t: 1.0,
        position: Vec3::new(8.0, -8.0, height(editor)),
        normal: Vec3::Z,
    }
}

fn height(editor: &GeodataEditor) -> f32 {
    let ground = editor.world.ground_below(8.0, -8.0, 9000.0);
    ground.expect("ground")
}

fn click(editor: &mut GeodataEditor) {
    let at = hit(editor);
    editor.stroke(&at);
    editor.end_stroke().unwrap();
}

/// Looks at the files twice, and waits for what is read.
fn look(editor: &mut GeodataEditor) -> String {
    for _ in 0..2 {
        let changed = editor.reload.watch.look();
        if let Some(text) = editor.take_changed(&changed) {
            return text;
        }
    }
    wait(editor)
}

fn wait(editor: &mut GeodataEditor) -> String {
    let start = Instant::now();
    loop {
        if let Some(text) = editor.take_changed(&[]) {
            return text;
        }
        assert!(start.elapsed() < PATIENCE, "it never comes");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_file_that_changes_is_read_again_and_what_was_saved_here_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("20_18.l2j");
    write(&path, 0);
    let mut editor = editor(&path);
    click(&mut editor);
    editor.save().unwrap();
    assert_eq!(height(&editor), 8.0);
    for _ in 0..3 {
        assert!(editor.reload.watch.look().is_empty(), "written here");
    }
    write(&path, 88);
    assert!(editor.reload.watch.look().is_empty(), "it may not be done");
    let text = look(&mut editor);
    assert_eq!(text, "20_18.l2j changed on the disk and was read again");
    assert_eq!(height(&editor), 88.0);
    assert_eq!(editor.session.done().len(), 0, "of blocks that are gone");
    click(&mut editor);
    assert_eq!(height(&editor), 96.0, "edits are of the new file");
    editor.undo().unwrap();

    fs::write(&path, b"no region").unwrap();
    let text = look(&mut editor);
    assert!(text.contains("cannot be read"), "{text}");
    assert_eq!(height(&editor), 88.0);
    fs::remove_file(&path).unwrap();
    for _ in 0..3 {
        assert!(editor.reload.watch.look().is_empty(), "it may come back");
    }
}

#[test]
fn unsaved_edits_of_a_file_that_changes_are_kept_until_the_user_decides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("20_18.l2j");
    write(&path, 0);
    let mut editor = editor(&path);
    click(&mut editor);
    write(&path, 88);
    let text = look(&mut editor);
    assert_eq!(
        text,
        "20_18.l2j changed on the disk, and has unsaved edits here."
    );
    assert_eq!(height(&editor), 8.0);
    assert_eq!(editor.decision().unwrap().text, text);
    editor.decide(0).unwrap();
    assert!(editor.decision().is_none());
    assert_eq!(editor.status().unsaved, "17 cells in 1 block of 1 region");
    // Saving puts the edited file in place of the other one, which stays as the backup.
    let other = fs::read(&path).unwrap();
    editor.save().unwrap();
    assert_eq!(fs::read(path.with_extension("l2j.bak")).unwrap(), other);

    click(&mut editor);
    write(&path, 48);
    look(&mut editor);
    editor.decide(1).unwrap();
    assert_eq!(
        wait(&mut editor),
        "20_18.l2j changed on the disk and was read again"
    );
    assert_eq!(height(&editor), 48.0);
    assert_eq!(editor.status().unsaved, "");
    drop(editor);
    assert!(!folder.path().join("geodata-edit.journal").exists());
}
