//! `*.vmf`: a map as its editor has it, before it is compiled. Dossier section 12.4. Map axes and units, +Z up.
//!
//! The text is that of [`key_values`](super::key_values). Known keys become typed fields; all others are kept in order,
//! and an untouched text is written byte for byte as it was read.

mod displacement;
mod entity;
mod fields;
mod solid;
#[cfg(test)]
mod tests;

pub use displacement::{AllowedVerts, DisplacementRows, VmfDisplacement};
pub use entity::{Connections, VmfEntity};
pub use fields::Kept;
pub use solid::{Editor, Side, Solid, TextureAxis};

use self::fields::{Fields, Known, numeric, pair, spaced};
use super::key_values::{Entry, KeyValues, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Vmf::NAME;

/// A whole map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vmf {
    /// Of what it was written.
    pub version_info: Option<VersionInfo>,
    /// Groups that can be hidden.
    pub visgroups: Option<VisGroups>,
    /// How the editor shows it.
    pub view_settings: Option<ViewSettings>,
    /// The world: its keys and what is solid and never moves.
    pub world: VmfEntity,
    /// All else.
    pub entities: Vec<VmfEntity>,
    /// Where the editor looks from.
    pub cameras: Option<Cameras>,
    /// The part that is compiled alone.
    pub cordon: Option<Cordon>,
    /// All else.
    pub kept: Kept,
    /// How the text is encoded and ends.
    pub(super) text: KeyValues,
}

/// Block `versioninfo`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VersionInfo {
    /// Version of the editor, times 100.
    pub editor_version: Option<u32>,
    /// Build of the editor.
    pub editor_build: Option<u32>,
    /// How often the map was saved.
    pub map_version: Option<u32>,
    /// Version of the format, times 100.
    pub format_version: Option<u32>,
    /// 1 = a prefab.
    pub prefab: Option<u32>,
    /// All else.
    pub kept: Kept,
}

/// Block `visgroups`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VisGroups {
    /// Groups to show and hide parts in the editor.
    pub groups: Vec<VisGroup>,
    /// All else.
    pub kept: Kept,
}

/// A group that can be hidden.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VisGroup {
    /// Name in the editor.
    pub name: Option<String>,
    /// Number that solids and entities refer to.
    pub id: Option<u32>,
    /// Red, green, blue, 0 to 255.
    pub color: Option<[f64; 3]>,
    /// Groups within.
    pub groups: Vec<VisGroup>,
    /// All else.
    pub kept: Kept,
}

/// Block `viewsettings`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewSettings {
    /// 1 = edits snap to the grid.
    pub snap_to_grid: Option<u32>,
    /// 1 = the grid is shown.
    pub show_grid: Option<u32>,
    /// 1 = the grid of the logical view is shown.
    pub show_logical_grid: Option<u32>,
    /// Units.
    pub grid_spacing: Option<u32>,
    /// 1 = the grid is shown in the 3D view.
    pub show_3d_grid: Option<u32>,
    /// All else.
    pub kept: Kept,
}

/// Block `cameras`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cameras {
    /// The camera in use; -1 = none.
    pub active: Option<i32>,
    /// Cameras of the editor.
    pub cameras: Vec<Camera>,
    /// All else.
    pub kept: Kept,
}

/// A camera.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Camera {
    /// Place.
    pub position: [f64; 3],
    /// What it looks at.
    pub look: [f64; 3],
    /// All else.
    pub kept: Kept,
}

/// Block `cordon`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cordon {
    /// Smallest corner.
    pub mins: [f64; 3],
    /// Largest corner.
    pub maxs: [f64; 3],
    /// 1 = only what is inside is compiled.
    pub active: Option<u32>,
    /// All else.
    pub kept: Kept,
}

impl Format for Vmf {
    type Context = ();

    const NAME: &'static str = "vmf";
    const EXTENSIONS: &'static [&'static str] = &["vmf"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".vmf").then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        let solids = self.entities.iter().chain([&self.world]);
        report.fact("solids", solids.map(|it| it.solids.len()).sum::<usize>());
        report.fact("entities", self.entities.len());
    }
}

impl Vmf {
    /// Reads a whole text.
    ///
    /// # Errors
    /// What [`KeyValues`] refuse; a map without a world; known keys whose values are not what they should be, named by
    /// their place in the tree of blocks.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut text = KeyValues::read_with(FORMAT, data, Tolerance::empty())?;
        let entries = std::mem::take(&mut text.entries);
        let mut fields = Fields::new("map", entries);
        let world = fields.block("world")?;
        let world = fields.need("world", world)?;
        let entities = fields.blocks("entity").into_iter().map(VmfEntity::read);
        Ok(Self {
            version_info: fields
                .block("versioninfo")?
                .map(VersionInfo::read)
                .transpose()?,
            visgroups: fields
                .block("visgroups")?
                .map(VisGroups::read)
                .transpose()?,
            view_settings: fields
                .block("viewsettings")?
                .map(ViewSettings::read)
                .transpose()?,
            world: VmfEntity::read(world)?,
            entities: entities.collect::<Result<_, _>>()?,
            cameras: fields.block("cameras")?.map(Cameras::read).transpose()?,
            cordon: fields.block("cordon")?.map(Cordon::read).transpose()?,
            kept: fields.finish(),
            text,
        })
    }

    /// Writes the text.
    ///
    /// # Errors
    /// Names and values with quotes in them, which the text cannot hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            version_info,
            visgroups,
            view_settings,
            world,
            entities,
            cameras,
            cordon,
            kept,
            text,
        } = self;
        let mut known = Vec::from_iter(version_info.as_ref().map(VersionInfo::write));
        known.extend(visgroups.as_ref().map(VisGroups::write));
        known.extend(view_settings.as_ref().map(ViewSettings::write));
        known.push(world.write("world"));
        known.extend(entities.iter().map(|entity| entity.write("entity")));
        known.extend(cameras.as_ref().map(Cameras::write));
        known.extend(cordon.as_ref().map(Cordon::write));
        let known = known.into_iter().map(Known::from).collect();
        let mut text = text.clone();
        text.entries = kept.merge(known);
        text.write()
    }

    /// What is unusual about the map: numbers that stand for two things, and solids of fewer than four sides.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut ids = std::collections::HashSet::new();
        let warning = |message: String| Finding::new(Severity::Warning, FORMAT, message);
        let entities = [&self.world].into_iter().chain(&self.entities);
        for solid in entities.flat_map(|entity| &entity.solids) {
            if solid.sides.len() < 4 {
                let (id, n_sides) = (solid.id.unwrap_or(0), solid.sides.len());
                findings.push(warning(format!("solid {id} has {n_sides} sides")));
            }
            for id in solid.sides.iter().filter_map(|side| side.id) {
                if !ids.insert(id) {
                    findings.push(warning(format!("two sides have the number {id}")));
                }
            }
        }
        findings
    }
}

impl VersionInfo {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        Ok(Self {
            editor_version: fields.number("editorversion")?,
            editor_build: fields.number("editorbuild")?,
            map_version: fields.number("mapversion")?,
            format_version: fields.number("formatversion")?,
            prefab: fields.number("prefab")?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            editor_version,
            editor_build,
            map_version,
            format_version,
            prefab,
            kept,
        } = self;
        let known = [
            pair("editorversion", editor_version),
            pair("editorbuild", editor_build),
            pair("mapversion", map_version),
            pair("formatversion", format_version),
            pair("prefab", prefab),
        ];
        let known = known.into_iter().flatten().collect();
        Entry::block("versioninfo", kept.merge(known))
    }
}

impl VisGroups {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let groups = fields.blocks("visgroup").into_iter().map(VisGroup::read);
        Ok(Self {
            groups: groups.collect::<Result<_, _>>()?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self { groups, kept } = self;
        let known = groups.iter().map(|group| group.write().into()).collect();
        Entry::block("visgroups", kept.merge(known))
    }
}

impl VisGroup {
    /// Blocks are nested no deeper than [`KeyValues`] allow.
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let groups = fields.blocks("visgroup").into_iter().map(Self::read);
        Ok(Self {
            groups: groups.collect::<Result<_, _>>()?,
            name: fields.text("name"),
            id: fields.number("visgroupid")?,
            color: fields.array("color")?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            name,
            id,
            color,
            groups,
            kept,
        } = self;
        let name = name.as_ref().map(|name| Entry::text("name", name).into());
        let mut known: Vec<Known> = name.into_iter().collect();
        known.extend(pair("visgroupid", id));
        known.extend(pair("color", &color.map(spaced)));
        known.extend(groups.iter().map(|group| group.write().into()));
        Entry::block("visgroup", kept.merge(known))
    }
}

impl ViewSettings {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        Ok(Self {
            snap_to_grid: fields.number("bSnapToGrid")?,
            show_grid: fields.number("bShowGrid")?,
            show_logical_grid: fields.number("bShowLogicalGrid")?,
            grid_spacing: fields.number("nGridSpacing")?,
            show_3d_grid: fields.number("bShow3DGrid")?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            snap_to_grid,
            show_grid,
            show_logical_grid,
            grid_spacing,
            show_3d_grid,
            kept,
        } = self;
        let known = [
            pair("bSnapToGrid", snap_to_grid),
            pair("bShowGrid", show_grid),
            pair("bShowLogicalGrid", show_logical_grid),
            pair("nGridSpacing", grid_spacing),
            pair("bShow3DGrid", show_3d_grid),
        ];
        let known = known.into_iter().flatten().collect();
        Entry::block("viewsettings", kept.merge(known))
    }
}

impl Cameras {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let cameras = fields.blocks("camera").into_iter().map(Camera::read);
        Ok(Self {
            cameras: cameras.collect::<Result<_, _>>()?,
            active: fields.number("activecamera")?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            active,
            cameras,
            kept,
        } = self;
        let mut known = Vec::from_iter(pair("activecamera", active));
        known.extend(cameras.iter().map(|camera| camera.write().into()));
        Entry::block("cameras", kept.merge(known))
    }
}

impl Camera {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let position = fields.array("position")?;
        let look = fields.array("look")?;
        Ok(Self {
            position: fields.need("position", position)?,
            look: fields.need("look", look)?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            position,
            look,
            kept,
        } = self;
        let known = vec![
            numeric("position", format!("[{}]", spaced(position))),
            numeric("look", format!("[{}]", spaced(look))),
        ];
        Entry::block("camera", kept.merge(known))
    }
}

impl Cordon {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let mins = fields.array("mins")?;
        let maxs = fields.array("maxs")?;
        Ok(Self {
            mins: fields.need("mins", mins)?,
            maxs: fields.need("maxs", maxs)?,
            active: fields.number("active")?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            mins,
            maxs,
            active,
            kept,
        } = self;
        let mut known = vec![
            numeric("mins", format!("({})", spaced(mins))),
            numeric("maxs", format!("({})", spaced(maxs))),
        ];
        known.extend(pair("active", active));
        Entry::block("cordon", kept.merge(known))
    }
}
