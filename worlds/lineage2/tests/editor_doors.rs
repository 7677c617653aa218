//! Doors of a server in the editor of the window, driven without one: clicks open and close them, and the world follows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::Vec3;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::{FlatRule, Region};
use ironlands_scene::TileShape;
use ironlands_sim_core::Ray;
use ironlands_sim_geodata::test_world::{Ground, open};
use ironlands_sim_world::{Poses, World, WorldHit};
use ironlands_world_kind::{EditField, LevelEditor, Opened, WorldKind};
use ironlands_world_lineage2::{Lineage2, Lineage2Options};

/// Across the gap of the wall, whose cells are 19 and 20 to the south.
const DOOR: &str = "<door id='5' name='gap' default_status='open' node1='300,300' node2='320,300' node3='320,340' \
                    node4='300,340' nodeZ='0'/>";

const NO_PATH: &str = "none: no way leads there";

struct Level {
    world: Arc<dyn World>,
    editor: Box<dyn LevelEditor>,
}

/// A wall of towers from north to south with a gap of two cells.
fn gap() -> Region {
    let mut ground = Ground::new();
    for y in 0..256 {
        ground.flat(2, y, 400, 400);
    }
    ground.block(2, 2, |_, y| match y {
        3 | 4 => vec![open(0)],
        _ => vec![open(400)],
    });
    ground.region
}

fn write_files(folder: &Path) -> (PathBuf, PathBuf) {
    let (land, doors) = (folder.join("20_18.l2j"), folder.join("doors.xml"));
    let file = L2j::from_region(&gap(), FlatRule::Max);
    fs::write(&land, file.write().unwrap()).unwrap();
    fs::write(&doors, format!("<list>{DOOR}</list>")).unwrap();
    (land, doors)
}

fn open_level(land: &Path, doors: Vec<PathBuf>) -> Level {
    let options = Lineage2Options {
        doors,
        ..Lineage2Options::default()
    };
    let Opened { world, editor, .. } = Lineage2::open(land, &[], &options).unwrap();
    Level {
        world,
        editor: editor.expect("an editor"),
    }
}

impl Level {
    /// What is picked in the middle of a cell.
    fn at(&self, x: i32, y: i32) -> WorldHit {
        let ray = Ray {
            origin: Vec3::new((x * 16 + 8) as f32, -((y * 16 + 8) as f32), 5000.0),
            direction: -Vec3::Z,
        };
        let hit = self
            .world
            .pick(&ray, 1.0e5, &Poses::default(), TileShape::Slopes);
        hit.expect("ground")
    }

    /// The path from one side of the gap to the other, in the words of the panel.
    fn path(&self) -> String {
        let (from, to) = (self.at(4, 20), self.at(60, 20));
        let canceled = AtomicBool::new(false);
        let relation = self.world.relate(&from, &to, TileShape::Slopes, &canceled);
        let facts = relation.expect("two places").facts;
        let path = facts.iter().find(|fact| fact.label == "path");
        path.expect("a path or why there is none").value.clone()
    }

    /// The names of tools; chooses one of them.
    fn tools(&mut self, chosen_name: &str) -> Vec<String> {
        for field in self.editor.fields() {
            if let EditField::Choice {
                label: "tool",
                names,
                chosen,
            } = field
            {
                *chosen = names
                    .iter()
                    .position(|it| *it == chosen_name)
                    .unwrap_or(*chosen);
                return names.into_iter().map(str::to_owned).collect();
            }
        }
        panic!("no tools");
    }

    fn click(&mut self, x: i32, y: i32) -> String {
        let hit = self.at(x, y);
        self.editor.stroke(&hit);
        self.editor.end_stroke().unwrap()
    }

    /// Lines around doors.
    fn n_lines(&mut self) -> usize {
        self.editor.preview(None, TileShape::Slopes).lines.len() / 2
    }
}

#[test]
fn clicks_open_and_close_doors_and_paths_picks_and_walks_follow() {
    let folder = tempfile::tempdir().unwrap();
    let (land, doors) = write_files(folder.path());
    let bytes = fs::read(&land).unwrap();
    let mut level = open_level(&land, vec![doors]);
    level.tools("doors");
    let path_through = level.path();
    assert_eq!(level.n_lines(), 12, "a box");
    let ground = |level: &Level| level.world.ground_below(310.0, -320.0, 5000.0);
    assert_eq!(ground(&level), Some(0.0));

    // Beside it, as one points through an open door at the ground behind it.
    let beside = level.at(21, 20);
    let preview = level.editor.preview(Some(&beside), TileShape::Slopes);
    assert_eq!(preview.highlight.len(), 12, "four sides and the top");
    assert_eq!(level.editor.status().stroke, "door 5 (gap), which is open");
    let revision = level.world.revision();
    assert_eq!(level.click(21, 20), "door 5 (gap) is closed now");
    assert_eq!(level.n_lines(), 20, "its sides are crossed");
    assert_eq!(ground(&level), Some(150.0), "the top of the door");
    assert_eq!(level.at(19, 20).position.z, 150.0);
    assert!(!level.world.changes_since(revision).unwrap().is_empty());
    assert_ne!(path_through, NO_PATH);
    assert_eq!(level.path(), NO_PATH);

    assert_eq!(level.click(19, 20), "door 5 (gap) is open now");
    assert_eq!(level.path(), path_through);
    assert_eq!(ground(&level), Some(0.0));
    assert_eq!(level.click(40, 20), "no door is there");
    let status = level.editor.status();
    assert_eq!((status.n_done, &*status.unsaved), (0, ""), "no edit");
    assert_eq!(fs::read(&land).unwrap(), bytes);
}

#[test]
fn doors_stay_over_edits_and_are_closed_at_first_as_their_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let (land, doors) = write_files(folder.path());
    fs::write(
        &doors,
        format!("<list>{}</list>", DOOR.replace("'open'", "'closed'")),
    )
    .unwrap();
    let mut without = open_level(&land, Vec::new());
    assert!(!without.tools("raise").contains(&"doors".to_owned()));
    assert_eq!(without.n_lines(), 0);
    drop(without);

    let mut level = open_level(&land, vec![doors]);
    assert_eq!(level.path(), NO_PATH);
    level.tools("raise");
    level.click(17, 20);
    assert_eq!(level.path(), NO_PATH, "it is closed over the edit");
    assert_eq!(level.at(19, 20).position.z, 150.0);
    level.tools("doors");
    level.click(19, 20);
    assert_eq!(level.at(19, 20).position.z, 8.0, "what was raised");
    level.editor.save().unwrap();
}
