//! The editor of the window: strokes of the mouse become edits of an [`EditSession`](crate::edit::EditSession), and the
//! world follows them.
//!
//! In: places that were hit, and files that changed. Out: edits, previews of them, and saved files. Deliberately absent:
//! what edits do, which is the session's, and the window.

mod doors;
mod preview;
mod reload;
#[cfg(test)]
mod tests;
mod tool;
mod watch;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironlands_assets_lineage2::{Block, GeoCell, RegionId, RegionPath, Tolerance};
use ironlands_scene::TileShape;
use ironlands_sim_geodata::GeoPoint;
use ironlands_sim_world::{World, WorldHit};
use ironlands_world_kind::{
    EditDecision, EditField, EditPreview, EditReply, EditStatus, LevelEditor,
};

use self::doors::door_lines;
use self::preview::{OutlineColor, highlight, level_highlight, outline};
use self::reload::Reload;
use self::tool::{Shape, Tool, ToolSettings, n_cells_around, pasted_area};
use crate::edit::{
    Area, Backup, BlockChange, Edit, EditCounts, EditSession, Journal, LayerChoice, save_region,
};
use crate::server::DoorSet;
use crate::{Lineage2Error, SharedWorld};

/// Cells beyond this many are not counted or highlighted while a stroke continues.
const MAX_PREVIEWED: usize = 1 << 16;

/// Edits a level of geodata.
pub struct GeodataEditor {
    world: Arc<SharedWorld>,
    session: EditSession<'static>,
    journal_path: PathBuf,
    /// A journal of an earlier session is there.
    is_interrupted: bool,
    settings: ToolSettings,
    /// What the stroke is of.
    stroke_of: (Tool, Shape),
    /// Where the mouse went; of a path, where it was clicked.
    stroke: Vec<GeoPoint>,
    /// Where the mouse is, while it is pressed.
    mouse: Option<GeoPoint>,
    copied: Option<Area>,
    /// As they are on the ground of the world.
    doors: DoorSet,
    /// The door that a click would open or close.
    pointed_door: Option<u32>,
    /// What differs from the files.
    counts: EditCounts,
    /// Counted for the stroke as it is.
    would_change: Option<EditCounts>,
    shown: Option<Shown>,
    reload: Reload,
}

/// What was shown last, to be shown again while nothing changes.
struct Shown {
    of: (Vec<GeoPoint>, ToolSettings, TileShape, u64),
    preview: EditPreview,
}

impl GeodataEditor {
    /// For a world that was loaded from files of a level, which is at a path. Nothing is read or written yet.
    pub fn new(world: Arc<SharedWorld>, path: &Path, files: &[RegionPath]) -> Self {
        let journal_path = Journal::path_of_level(path);
        let of_session = files.to_vec();
        let load = move |id| {
            let file = of_session.iter().find(|file| file.name.id == id);
            file.map(|file| file.open(Tolerance::STRICT)).transpose()
        };
        Self {
            world,
            session: EditSession::new(load, None),
            is_interrupted: journal_path.exists(),
            journal_path,
            stroke_of: (Tool::Raise, Shape::Brush),
            settings: ToolSettings::default(),
            stroke: Vec::new(),
            mouse: None,
            copied: None,
            doors: DoorSet::default(),
            pointed_door: None,
            counts: EditCounts::default(),
            would_change: None,
            shown: None,
            reload: Reload::new(files),
        }
    }

    /// The stroke as it would be if the mouse were pressed at a place.
    fn stroke_at(&self, at: Option<&WorldHit>) -> Vec<GeoPoint> {
        let mut stroke = self.stroke.clone();
        if stroke.is_empty() || self.settings.shape() == Shape::Path {
            stroke.extend(at.map(point_of));
        }
        stroke
    }

    /// Makes an edit.
    fn apply(&mut self, edit: &Edit) -> Result<String, Lineage2Error> {
        if self.session.would_change(edit)?.n_cells == 0 {
            return Ok("nothing changes there".to_owned());
        }
        self.begin_journal()?;
        self.session.apply(edit)?;
        let changes = self.session.done().last().map(Vec::as_slice);
        let blocks = changes.map_or_else(Vec::new, |changes| blocks_of(changes, |it| &it.after));
        self.follow(blocks);
        Ok(format!("unsaved: {}", self.counts))
    }

    /// Every change is on the disk from now on, before it is made.
    fn begin_journal(&mut self) -> Result<(), Lineage2Error> {
        if self.is_interrupted {
            return Err(Lineage2Error::EditInterrupted);
        }
        if !self.session.has_journal() {
            self.session
                .set_journal(Some(Journal::new(&self.journal_path)?));
        }
        Ok(())
    }

    /// The world has blocks as the session has them.
    fn follow(&mut self, blocks: Vec<(RegionId, u16, Block)>) {
        self.world.change_blocks(blocks);
        self.recount();
    }

    fn recount(&mut self) {
        self.counts = self.session.counts();
        self.would_change = None;
        self.shown = None;
    }

    fn take_back(&mut self) -> Result<String, Lineage2Error> {
        self.begin_journal()?;
        self.session.undo()?;
        let changes = self.session.undone().last().map(Vec::as_slice);
        let blocks = changes.map_or_else(Vec::new, |changes| blocks_of(changes, |it| &it.before));
        self.follow(blocks);
        Ok(format!("taken back; {} left", self.session.done().len()))
    }

    fn make_again(&mut self) -> Result<String, Lineage2Error> {
        self.begin_journal()?;
        self.session.redo()?;
        let changes = self.session.done().last().map(Vec::as_slice);
        let blocks = changes.map_or_else(Vec::new, |changes| blocks_of(changes, |it| &it.after));
        self.follow(blocks);
        Ok(format!("made again; {} left", self.session.undone().len()))
    }

    fn write_files(&mut self) -> Result<String, Lineage2Error> {
        if self.counts.n_blocks == 0 {
            return Ok("there is nothing to save".to_owned());
        }
        let backup = match self.settings.keeps_backup {
            true => Backup::Keep,
            false => Backup::None,
        };
        for (id, file) in self.session.changed_files() {
            if let Some(path) = self.reload.path(id) {
                save_region(path, file, backup)?;
                self.reload.note_written(id);
            }
        }
        let saved = self.counts;
        self.end_journal()?;
        self.session.note_saved();
        self.recount();
        Ok(format!("saved: {saved}"))
    }

    /// All that the journal has is in the files, or was taken back.
    fn end_journal(&mut self) -> Result<(), Lineage2Error> {
        if self.session.has_journal() {
            self.session.set_journal(None);
            Journal::remove(&self.journal_path)?;
        }
        Ok(())
    }

    /// Makes the edits again that an earlier session did not save.
    fn recover(&mut self) -> Result<String, Lineage2Error> {
        let (journal, records) = Journal::resume(&self.journal_path)?;
        self.session.recover(&records)?;
        self.session.set_journal(Some(journal));
        self.is_interrupted = false;
        let changes = self.session.done().last().map(Vec::as_slice);
        let blocks = changes.map_or_else(Vec::new, |changes| blocks_of(changes, |it| &it.after));
        self.follow(blocks);
        Ok(format!("recovered, unsaved: {}", self.counts))
    }

    fn discard(&mut self) -> Result<String, Lineage2Error> {
        Journal::remove(&self.journal_path)?;
        self.is_interrupted = false;
        Ok("discarded".to_owned())
    }

    /// Takes the stroke on to a place; whether it has another form then.
    fn extend(&mut self, place: GeoPoint) -> bool {
        let Some(last) = self.stroke.last().copied() else {
            self.stroke.push(place);
            return true;
        };
        match self.stroke_of {
            (Tool::Paste | Tool::Door, _) => self.stroke = vec![place],
            (_, Shape::Rectangle) => self.stroke.splice(1.., [place]).for_each(drop),
            (_, Shape::Brush) => {
                let far = i64::from(place.x - last.x).pow(2) + i64::from(place.y - last.y).pow(2);
                if far < i64::from(self.settings.stride()).pow(2) {
                    return false;
                }
                self.stroke.push(place);
            }
            // Points of a path are where the mouse is released.
            (_, Shape::Path | Shape::Fill) => return false,
        }
        last != place
    }

    /// What is highlighted of the cells of a stroke.
    fn stroke_preview(&mut self, stroke: &[GeoPoint], shape: TileShape) -> EditPreview {
        let world = self.world.newest();
        let Some(place) = stroke.first() else {
            return EditPreview::default();
        };
        let area = match (self.settings.tool(), &self.copied) {
            (Tool::Paste, Some(copied)) => pasted_area(copied, place),
            _ => self.settings.area(stroke),
        };
        let n_cells = area.as_ref().map_or(0, n_cells_around);
        let Some(area) = area.filter(|_| n_cells <= MAX_PREVIEWED) else {
            return EditPreview::default();
        };
        let cells = match &area {
            // It is looked for once the mouse is pressed.
            Area::Fill(_) if self.stroke.is_empty() => Vec::new(),
            area => self.session.cells(area).unwrap_or_default(),
        };
        let layers = match self.settings.tool() {
            Tool::Copy | Tool::Paste => LayerChoice::All,
            _ if self.settings.shape() == Shape::Fill => LayerChoice::Near {
                z: place.z,
                reach: i32::MAX,
            },
            _ => self.settings.layers(place),
        };
        let highlight = match self.settings.edit(stroke, None) {
            Some(Edit::AddLayer { height, .. }) => level_highlight(&cells, height),
            _ => highlight(&world, &cells, layers, shape),
        };
        let z = place.z.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let cells: HashMap<GeoCell, i16> = cells.into_iter().map(|cell| (cell, z)).collect();
        EditPreview {
            highlight,
            lines: outline(&world, &cells, shape, OutlineColor::Stroke),
        }
    }

    fn finish(&mut self) -> Result<String, Lineage2Error> {
        let mouse = self.mouse.take();
        if let (Shape::Path, Some(mouse)) = (self.settings.shape(), mouse) {
            let is_twice = self
                .stroke
                .last()
                .is_some_and(|last| same_cell(last, &mouse));
            if !is_twice {
                self.stroke.push(mouse);
                self.count_stroke();
                return Ok("click on, and twice where the path ends".to_owned());
            }
        }
        let stroke = std::mem::take(&mut self.stroke);
        self.would_change = None;
        self.shown = None;
        if let (Tool::Door, Some(place)) = (self.settings.tool(), stroke.last()) {
            return self.use_door(place);
        }
        if self.settings.tool() == Tool::Copy {
            self.copied = self.settings.area(&stroke);
            let n_cells = self.copied.as_ref().map_or(0, n_cells_around);
            return Ok(format!("copied: {n_cells} cells"));
        }
        match self.settings.edit(&stroke, self.copied.as_ref()) {
            Some(edit) => self.apply(&edit),
            None if stroke.is_empty() => Ok(String::new()),
            None => Ok("nothing was copied yet".to_owned()),
        }
    }

    /// Counts what the stroke would change, once for each of its forms.
    fn count_stroke(&mut self) {
        let area = self.settings.area(&self.stroke);
        let is_small = area.is_some_and(|area| n_cells_around(&area) <= MAX_PREVIEWED);
        let edit = self.settings.edit(&self.stroke, self.copied.as_ref());
        let counted = edit
            .filter(|_| is_small)
            .map(|edit| self.session.would_change(&edit));
        self.would_change = counted.and_then(Result::ok);
    }
}

impl LevelEditor for GeodataEditor {
    fn fields(&mut self) -> Vec<EditField<'_>> {
        let has_doors = self.doors.doors().len() > 0;
        self.settings.fields(has_doors)
    }

    fn stroke(&mut self, at: &WorldHit) {
        let stroke_of = (self.settings.tool(), self.settings.shape());
        if self.stroke_of != stroke_of {
            self.stroke_of = stroke_of;
            self.stroke.clear();
        }
        let place = point_of(at);
        self.mouse = Some(place);
        if stroke_of.1 != Shape::Path && self.extend(place) {
            self.count_stroke();
        }
    }

    fn end_stroke(&mut self) -> EditReply {
        Ok(self.finish()?)
    }

    fn cancel(&mut self) -> bool {
        let had_any = !self.stroke.is_empty() || self.mouse.is_some();
        self.stroke.clear();
        self.mouse = None;
        self.would_change = None;
        had_any
    }

    fn preview(&mut self, at: Option<&WorldHit>, shape: TileShape) -> EditPreview {
        let stroke = self.stroke_at(at);
        let of = (stroke, self.settings.clone(), shape, self.world.revision());
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.of == of) {
            return shown.preview.clone();
        }
        let mut preview = match self.settings.tool() {
            Tool::Door => self.door_preview(of.0.last()),
            _ => self.stroke_preview(&of.0, shape),
        };
        preview.lines.extend(door_lines(&self.doors));
        let unsaved: HashMap<GeoCell, i16> = self.session.changed_cells().collect();
        let world = self.world.newest();
        preview
            .lines
            .extend(outline(&world, &unsaved, shape, OutlineColor::Unsaved));
        self.shown = Some(Shown {
            of,
            preview: preview.clone(),
        });
        preview
    }

    fn undo(&mut self) -> EditReply {
        Ok(self.take_back()?)
    }

    fn redo(&mut self) -> EditReply {
        Ok(self.make_again()?)
    }

    fn save(&mut self) -> EditReply {
        Ok(self.write_files()?)
    }

    fn status(&self) -> EditStatus {
        let in_words = |counts: &EditCounts| match counts.n_blocks {
            0 => String::new(),
            _ => counts.to_string(),
        };
        EditStatus {
            n_done: self.session.done().len(),
            n_undone: self.session.undone().len(),
            stroke: match self.settings.tool() {
                Tool::Door => self.pointed_door_text(),
                _ => self
                    .would_change
                    .as_ref()
                    .map_or_else(String::new, in_words),
            },
            unsaved: in_words(&self.counts),
        }
    }

    fn decision(&self) -> Option<EditDecision> {
        match self.is_interrupted {
            true => Some(EditDecision {
                text: "Edits of an earlier session were not saved.".to_owned(),
                choices: &["recover them", "discard them"],
            }),
            false => self.reload.decision(),
        }
    }

    fn decide(&mut self, index: usize) -> EditReply {
        Ok(match (self.is_interrupted, index) {
            (true, 0) => self.recover()?,
            (true, _) => self.discard()?,
            (false, 0) => self.keep_edits(),
            (false, _) => self.take_file()?,
        })
    }

    fn poll(&mut self) -> Option<String> {
        self.poll_files()
    }
}

impl Drop for GeodataEditor {
    /// A journal of what the files have says nothing to the next session.
    fn drop(&mut self) {
        if self.counts.n_blocks == 0
            && let Err(error) = self.end_journal()
        {
            log::warn!("{error}");
        }
    }
}

fn blocks_of(
    changes: &[BlockChange],
    which: impl Fn(&BlockChange) -> &Block,
) -> Vec<(RegionId, u16, Block)> {
    let blocks = changes.iter();
    blocks
        .map(|change| (change.region, change.index, which(change).clone()))
        .collect()
}

fn same_cell(a: &GeoPoint, b: &GeoPoint) -> bool {
    a.cell() == b.cell()
}

/// The point of a hit in the game's numbers.
fn point_of(hit: &WorldHit) -> GeoPoint {
    let cell = crate::world::cell_of_element(hit.element);
    let (x, y) = cell.center();
    GeoPoint::new(x, y, hit.position.z.round() as i32)
}
