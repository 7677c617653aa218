//! The editor of the window, driven without one: strokes, undo and redo, saving, the journal, and what the world shows.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::{
    Block, Cell, FlatRule, GeoCell, Nswe, Region, RegionFile, RegionId, RegionPath, Tolerance,
    convert,
};
use ironlands_scene::{TileKey, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Poses, World, WorldHit};
use ironlands_world_kind::{EditField, LevelEditor, Opened, WorldKind};
use ironlands_world_lineage2::formats::GeodataFormat;
use ironlands_world_lineage2::{Lineage2, Lineage2Options};

/// The world's point 0, 0 is the corner between the two in the north.
const WEST: (u8, u8) = (19, 18);
const EAST: (u8, u8) = (20, 18);

fn id((x, y): (u8, u8)) -> RegionId {
    RegionId::new(x, y).unwrap()
}

/// A folder of two regions in different formats, flat but for a house in the east: cells 40 to 47, 40 to 47 have a floor
/// at 0 and a roof at 240.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let west = L2j::from_region(&Region::flat(id(WEST), 0), FlatRule::Max);
    fs::write(folder.path().join("19_18.l2j"), west.write().unwrap()).unwrap();
    let mut region = Region::flat(id(EAST), 0);
    let column = [
        Cell::new(240, Nswe::ALL_SIDES),
        Cell::new(0, Nswe::ALL_SIDES),
    ];
    let house = ironlands_assets_lineage2::Multilayer::new([&column[..]; 64]).unwrap();
    region.blocks_mut()[5 * 256 + 5] = Block::Multilayer(Box::new(house));
    let l2j = RegionFile::L2j(L2j::from_region(&region, FlatRule::Max));
    let options = convert::ConvertOptions::default();
    let dat = convert::convert(&l2j, GeodataFormat::ConvDat, &options).unwrap();
    let bytes = dat.file.write().unwrap();
    fs::write(folder.path().join("20_18_conv.dat"), bytes).unwrap();
    folder
}

struct Level {
    world: Arc<dyn World>,
    editor: Box<dyn LevelEditor>,
}

fn open(folder: &Path) -> Level {
    let options = Lineage2Options::default();
    let Opened { world, editor, .. } = Lineage2::open(folder, &[], &options).unwrap();
    Level {
        world,
        editor: editor.expect("an editor"),
    }
}

/// The middle of a cell in engine axes, counted from the world's point 0, 0.
fn middle(x: i32, y: i32, z: f32) -> Vec3 {
    Vec3::new((x * 16 + 8) as f32, -((y * 16 + 8) as f32), z)
}

impl Level {
    /// What is picked straight below a height.
    fn below(&self, x: i32, y: i32, z: f32) -> WorldHit {
        let ray = Ray {
            origin: middle(x, y, z),
            direction: -Vec3::Z,
        };
        let hit = self
            .world
            .pick(&ray, 1.0e5, &Poses::default(), TileShape::Slopes);
        hit.expect("ground")
    }

    fn height(&self, x: i32, y: i32) -> f32 {
        self.below(x, y, 5000.0).position.z
    }

    /// Chooses a name in a field, or sets a number or switch.
    fn set(&mut self, wanted: &str, to: &str) {
        for field in self.editor.fields() {
            match field {
                EditField::Choice {
                    label,
                    names,
                    chosen,
                } if label == wanted => {
                    *chosen = names.iter().position(|name| *name == to).expect(to);
                    return;
                }
                EditField::Number { label, value, .. } if label == wanted => {
                    *value = to.parse().unwrap();
                    return;
                }
                EditField::Switch { label, is_on } if label == wanted => {
                    *is_on = to == "on";
                    return;
                }
                _ => {}
            }
        }
        panic!("no field {wanted}");
    }

    fn choose(&mut self, tool: &str, settings: &[(&str, &str)]) {
        self.set("tool", tool);
        for (field, value) in settings {
            self.set(field, value);
        }
    }

    /// Presses at the first of some cells, drags over the others, and releases.
    fn drag(&mut self, cells: &[(i32, i32)]) -> String {
        for (x, y) in cells {
            let hit = self.below(*x, *y, 5000.0);
            self.editor.stroke(&hit);
        }
        self.editor.end_stroke().unwrap()
    }

    fn unsaved(&self) -> String {
        self.editor.status().unsaved
    }
}

fn region_of(folder: &Path, name: &str) -> Region {
    let path = RegionPath::new(&folder.join(name)).unwrap();
    path.open(Tolerance::STRICT).unwrap().region().clone()
}

/// The layers of a cell of a region, from high to low.
fn column(region: &Region, x: u16, y: u16) -> Vec<Cell> {
    let first = region.id.first_cell();
    let cell = GeoCell {
        x: first.x + x,
        y: first.y + y,
    };
    let at = usize::from(cell.cell_index());
    let mut column = match &region.blocks()[usize::from(cell.block_index())] {
        Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::ALL_SIDES)],
        Block::Complex(cells) => vec![cells[at]],
        Block::Multilayer(block) => block.layers(at).to_vec(),
    };
    column.sort_by_key(|layer| std::cmp::Reverse(layer.height));
    column
}

#[test]
fn strokes_change_what_is_shown_at_once_and_files_only_when_saved() {
    let folder = folder();
    let before = fs::read(folder.path().join("20_18_conv.dat")).unwrap();
    let west_before = fs::read(folder.path().join("19_18.l2j")).unwrap();
    let mut level = open(folder.path());
    assert_eq!(level.editor.status(), Default::default());
    let revision = level.world.revision();
    let tile = |level: &Level| {
        let key = TileKey {
            level: 0,
            x: 40960 / 128,
            y: (65535 - 36864) / 128,
        };
        level.world.tile(key, TileShape::Slopes.into()).unwrap()
    };
    let tile_before = tile(&level);

    level.choose(
        "raise",
        &[("shape", "brush"), ("radius", "16"), ("by", "64")],
    );
    level.drag(&[(10, 10)]);
    assert_eq!(level.height(10, 10), 64.0);
    assert_eq!(level.height(11, 10), 64.0);
    assert_eq!(level.height(12, 10), 0.0);
    assert_eq!(level.unsaved(), "5 cells in 1 block of 1 region");
    assert!(level.world.revision() > revision);
    assert_ne!(tile(&level), tile_before);
    let [low, high] = level.world.changes_since(revision).unwrap()[0];
    assert_eq!((low.x, high.y), (128.0, -128.0));
    assert_eq!(level.world.ground_below(168.0, -168.0, 500.0), Some(64.0));
    assert_eq!(
        fs::read(folder.path().join("20_18_conv.dat")).unwrap(),
        before
    );

    // Under the roof, where the reach ends below it.
    level.choose("lower", &[("by", "16")]);
    let floor = level.below(43, 43, 100.0);
    level.editor.stroke(&floor);
    level.editor.end_stroke().unwrap();
    assert_eq!(level.below(43, 43, 100.0).position.z, -16.0);
    assert_eq!(level.height(43, 43), 240.0);

    let text = level.editor.save().unwrap();
    assert_eq!(text, "saved: 10 cells in 2 blocks of 1 region");
    assert_eq!(level.unsaved(), "");
    let backup = fs::read(folder.path().join("20_18_conv.dat.bak")).unwrap();
    assert_eq!(backup, before);
    assert_eq!(
        fs::read(folder.path().join("19_18.l2j")).unwrap(),
        west_before
    );
    assert!(!folder.path().join("geodata-edit.journal").exists());

    // Every cell of the file: what was edited, and nothing else.
    let saved = region_of(folder.path(), "20_18_conv.dat");
    for x in 0..2048 {
        for y in 0..2048 {
            let near = |cx: i32, cy: i32| (x - cx).abs() + (y - cy).abs() <= 1;
            let heights = column(&saved, x as u16, y as u16);
            let heights: Vec<i16> = heights.iter().map(|layer| layer.height).collect();
            let expected = match (near(10, 10), near(43, 43)) {
                (true, _) => vec![64],
                (_, true) => vec![240, -16],
                _ if (40..48).contains(&x) && (40..48).contains(&y) => vec![240, 0],
                _ => vec![0],
            };
            assert_eq!(heights, expected, "{x} {y}");
        }
    }

    // What was saved can still be taken back, and is unsaved then.
    level.editor.undo().unwrap();
    level.editor.undo().unwrap();
    assert_eq!(level.unsaved(), "10 cells in 2 blocks of 1 region");
    level.choose("raise", &[]);
    level.set("keep a backup when saving", "off");
    level.editor.save().unwrap();
    assert_eq!(
        fs::read(folder.path().join("20_18_conv.dat")).unwrap(),
        before
    );
    assert!(!folder.path().join("20_18_conv.dat.bak1").exists());
}

#[test]
fn every_tool_does_in_the_window_what_its_edit_does() {
    let folder = folder();
    let mut level = open(folder.path());
    // A drag along a row: as wide as the brush.
    level.choose("level", &[("radius", "8"), ("over the place", "48")]);
    level.drag(&[(100, 10), (104, 10), (110, 10)]);
    assert_eq!(
        (100..111).map(|x| level.height(x, 10)).sum::<f32>(),
        11.0 * 48.0
    );
    assert_eq!((level.height(99, 10), level.height(105, 12)), (0.0, 0.0));

    level.choose(
        "smooth",
        &[("reach up and down", "200"), ("shape", "rectangle")],
    );
    level.drag(&[(110, 9), (112, 11)]);
    assert!(
        (8.0..48.0).contains(&level.height(110, 10)),
        "{}",
        level.height(110, 10)
    );

    level.choose("add a layer", &[("over the place", "96"), ("south", "off")]);
    level.drag(&[(200, 20), (203, 21)]);
    assert_eq!(level.height(203, 21), 96.0);
    let facts = level.world.describe(&level.below(203, 21, 5000.0));
    let open = facts
        .iter()
        .find(|fact| fact.label == "open sides")
        .unwrap();
    assert_eq!(open.value, "NWE");

    level.choose("remove a layer", &[("shape", "brush"), ("radius", "0")]);
    level.drag(&[(200, 20)]);
    assert_eq!((level.height(200, 20), level.height(201, 20)), (0.0, 96.0));

    level.choose(
        "close sides",
        &[("shape", "path"), ("width", "16"), ("south", "on")],
    );
    for place in [(300, 30), (305, 30), (305, 34)] {
        assert_eq!(
            level.drag(&[place]),
            "click on, and twice where the path ends"
        );
    }
    level.drag(&[(305, 34)]);
    let sides = |level: &Level, x, y| {
        let facts = level.world.describe(&level.below(x, y, 5000.0));
        let fact = facts
            .iter()
            .find(|fact| fact.label == "open sides")
            .unwrap();
        fact.value.clone()
    };
    assert_eq!(sides(&level, 302, 30), "none");
    assert_eq!(sides(&level, 305, 33), "none");
    assert_eq!(sides(&level, 302, 33), "NSWE");
    level.choose("open sides", &[("shape", "rectangle"), ("south", "off")]);
    level.drag(&[(300, 30), (302, 30)]);
    assert_eq!(sides(&level, 302, 30), "NWE");

    // What is connected to the top of the new layer, which its open sides lead around.
    level.choose(
        "raise",
        &[("shape", "fill"), ("largest step", "8"), ("by", "8")],
    );
    level.drag(&[(201, 20)]);
    assert_eq!(
        (level.height(203, 20), level.height(203, 21)),
        (104.0, 96.0)
    );
    level.set("most layers", "1");
    let hit = level.below(201, 20, 5000.0);
    level.editor.stroke(&hit);
    let refused = level.editor.end_stroke().unwrap_err();
    assert_eq!(refused.to_string(), "the regions cannot be edited");

    // From the region in the east into that in the west.
    level.choose("paste", &[]);
    assert_eq!(level.drag(&[(-100, 50)]), "nothing was copied yet");
    level.choose("copy", &[]);
    assert_eq!(level.drag(&[(40, 40), (47, 47)]), "copied: 64 cells");
    level.choose("paste", &[]);
    level.drag(&[(-100, 50)]);
    assert_eq!(
        (level.height(-100, 50), level.height(-93, 57)),
        (240.0, 240.0)
    );
    assert_eq!((level.height(-101, 50), level.height(-92, 57)), (0.0, 0.0));
    assert_eq!(level.below(-95, 55, 100.0).position.z, 0.0, "the floor too");
    assert!(
        level.unsaved().ends_with("of 2 regions"),
        "{}",
        level.unsaved()
    );

    // Undo and redo have no end.
    let n_done = level.editor.status().n_done;
    assert_eq!(n_done, 8);
    for _ in 0..n_done {
        level.editor.undo().unwrap();
    }
    assert_eq!(
        (level.unsaved(), level.height(104, 10)),
        (String::new(), 0.0)
    );
    assert!(level.editor.undo().is_err());
    for _ in 0..n_done {
        level.editor.redo().unwrap();
    }
    assert_eq!(level.height(-93, 57), 240.0);
    assert!(level.editor.redo().is_err());
    level.editor.save().unwrap();
    let west = region_of(folder.path(), "19_18.l2j");
    assert_eq!(column(&west, 2048 - 100, 50).len(), 2);
    assert_eq!(column(&west, 2048 - 101, 50).len(), 1);
}

#[test]
fn a_crash_loses_nothing_and_closing_in_peace_leaves_nothing() {
    let folder = folder();
    let journal = folder.path().join("geodata-edit.journal");
    let mut level = open(folder.path());
    assert!(!journal.exists(), "nothing was edited");
    level.choose("raise", &[("radius", "0"), ("by", "40")]);
    level.drag(&[(10, 10)]);
    level.drag(&[(20, 10)]);
    level.editor.undo().unwrap();
    assert!(journal.exists());
    // It ends without a word, and the last line of the journal is cut.
    std::mem::forget(level.editor);
    let cut = [fs::read(&journal).unwrap(), b"[{\"region\":".to_vec()].concat();
    fs::write(&journal, cut).unwrap();

    let mut level = open(folder.path());
    assert_eq!(level.height(10, 10), 0.0);
    let decision = level.editor.decision().expect("what becomes of them");
    assert_eq!(decision.choices[0], "recover them");
    let hit = level.below(30, 30, 5000.0);
    level.editor.stroke(&hit);
    let refused = level.editor.end_stroke().unwrap_err();
    assert!(
        refused.to_string().contains("recover or discard"),
        "{refused}"
    );
    level.editor.decide(0).unwrap();
    assert_eq!((level.height(10, 10), level.height(20, 10)), (40.0, 0.0));
    assert_eq!(level.unsaved(), "1 cell in 1 block of 1 region");
    level.choose("raise", &[("radius", "0"), ("by", "8")]);
    level.drag(&[(30, 10)]);
    // Closed with unsaved edits: they are offered again, those before the crash too.
    drop(level);
    let mut level = open(folder.path());
    level.editor.decide(0).unwrap();
    assert_eq!((level.height(10, 10), level.height(30, 10)), (40.0, 8.0));
    level.editor.save().unwrap();
    assert!(!journal.exists());
    let saved = region_of(folder.path(), "20_18_conv.dat");
    assert_eq!(column(&saved, 10, 10)[0].height, 40);
    assert_eq!(column(&saved, 30, 10)[0].height, 8);

    level.choose("raise", &[]);
    level.drag(&[(50, 10)]);
    level.editor.undo().unwrap();
    drop(level);
    assert!(!journal.exists(), "all was taken back");
    let mut level = open(folder.path());
    assert!(level.editor.decision().is_none());
    level.drag(&[(60, 10)]);
    drop(level);
    let mut level = open(folder.path());
    level.editor.decide(1).unwrap();
    assert!(!journal.exists() && level.editor.decision().is_none());
    assert_eq!(level.height(60, 10), 0.0);
}

#[test]
fn what_would_change_is_shown_before_and_after_the_stroke() {
    let folder = folder();
    let mut level = open(folder.path());
    level.choose("raise", &[("radius", "16")]);
    let hit = level.below(10, 10, 5000.0);
    let shown = level.editor.preview(Some(&hit), TileShape::Slopes);
    // Five cells of two triangles, and twelve sides around them.
    assert_eq!((shown.highlight.len(), shown.lines.len()), (10, 24));
    assert_eq!(level.editor.status().stroke, "");
    level.editor.stroke(&hit);
    assert_eq!(
        level.editor.status().stroke,
        "5 cells in 1 block of 1 region"
    );
    assert_eq!(level.height(10, 10), 0.0, "it continues");
    assert!(level.editor.cancel());
    assert!(!level.editor.cancel());
    level.drag(&[(10, 10)]);
    let shown = level.editor.preview(None, TileShape::Slopes);
    assert_eq!(
        (shown.highlight.len(), shown.lines.len()),
        (0, 24),
        "unsaved"
    );
    level.editor.save().unwrap();
    assert_eq!(
        level.editor.preview(None, TileShape::Slopes),
        Default::default()
    );
    // A new layer is shown where it would be.
    level.choose("add a layer", &[("over the place", "64")]);
    let hit = level.below(30, 10, 5000.0);
    let shown = level.editor.preview(Some(&hit), TileShape::Slopes);
    assert!(
        shown
            .highlight
            .iter()
            .flatten()
            .all(|corner| corner.z == 64.0)
    );
}

#[test]
fn walks_and_paths_follow_edits_and_picks_stay_on_the_ground() {
    let folder = folder();
    let mut level = open(folder.path());
    let (from, to) = (level.below(10, 10, 5000.0), level.below(30, 10, 5000.0));
    let relation = |level: &Level| {
        let not_canceled = std::sync::atomic::AtomicBool::new(false);
        let relation = level
            .world
            .relate(&from, &to, TileShape::Slopes, &not_canceled);
        let facts = relation.unwrap().facts;
        ["straight walk", "path"].map(|label| {
            let fact = facts.iter().find(|fact| fact.label == label).unwrap();
            fact.value.clone()
        })
    };
    let [walk, path] = relation(&level);
    assert_eq!(walk, "arrives");
    assert!(path.starts_with("cost 200, "), "{path}");
    // A fence of closed cells across the way.
    level.choose("close sides", &[("shape", "rectangle")]);
    level.drag(&[(20, 0), (20, 19)]);
    let [walk, path] = relation(&level);
    assert!(walk.starts_with("stopped by a closed side"), "{walk}");
    let cost: u32 = path[5..].split([' ', ',']).next().unwrap().parse().unwrap();
    assert!(cost > 260, "around it: {path}");
    level.editor.undo().unwrap();
    assert_eq!(relation(&level)[0], "arrives");
    assert_eq!(level.world.follow(&from), from, "nothing changed there");
    level.choose(
        "raise",
        &[("shape", "brush"), ("radius", "32"), ("by", "48")],
    );
    level.drag(&[(10, 10)]);
    assert!(level.world.describe(&from).is_empty());
    let followed = level.world.follow(&from);
    assert_eq!(followed.position.z, 48.0);
    assert!(!level.world.describe(&followed).is_empty());
    assert_eq!(level.world.place_text(&followed), "//teleport 168 168 48");
}
