//! What the entries of an archive hold, as far as their formats are known.

use std::path::Path;

use super::{Entry, FORMAT};
use crate::bas::Bas;
use crate::behavior_vars::{self, BehaviorVars};
use crate::ctld::{self, Ctld};
use crate::ctpt::{self, Ctpt};
use crate::dscr::{self, Description};
use crate::expl::{self, Expl};
use crate::fxid::{self, Fxid};
use crate::mat0::{self, Mat0, Track};
use crate::material_table::{MATERIAL_LIB, TextureKind};
use crate::msh::{self, Msh};
use crate::ndpr::{self, Ndpr};
use crate::registry::{self, Prototype};
use crate::texm::{self, Texm};
use crate::wav::{self, Wav};
use crate::wear::{self, Wear, WearTolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{AnyFormat, Format, Registered, read_and_check};
use ironlands_assets_core::report::{EntryRow, Report, refusal};
use ironlands_assets_core::text::decode_cp1251;

/// What an archive holds by its own name. The game finds entries by name, whatever their type word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    Prototypes,
    Materials,
    Textures,
    Effects,
    Behavior,
    Mixed,
}

impl Library {
    pub(super) fn named(archive: &Path) -> Self {
        let name = archive.file_name().unwrap_or_default();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is(registry::ARCHIVE) {
            Self::Prototypes
        } else if is(MATERIAL_LIB) {
            Self::Materials
        } else if TextureKind::ALL.iter().any(|kind| is(kind.library())) {
            Self::Textures
        } else if is(fxid::ARCHIVE) {
            Self::Effects
        } else if is(behavior_vars::ARCHIVE) {
            Self::Behavior
        } else {
            Self::Mixed
        }
    }
}

/// What an entry is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Prototype,
    Material,
    Texture,
    Table,
    Model,
    Effect,
    Control,
    Points,
    Explosion,
    NodeDamage,
    Basement,
    Sound,
    Behavior,
    Description,
}

impl Content {
    /// By the place and name that the game finds the entry by, else by its type; `None` for what is not read here.
    pub(super) fn from_entry(entry: &Entry, library: Library) -> Option<Self> {
        let by_type = match entry.type_id {
            mat0::TYPE_ID => Some(Self::Material),
            texm::TYPE_ID => Some(Self::Texture),
            wear::TYPE_ID => Some(Self::Table),
            msh::TYPE_ID => Some(Self::Model),
            fxid::TYPE_ID => Some(Self::Effect),
            ctld::TYPE_ID => Some(Self::Control),
            ctpt::TYPE_ID => Some(Self::Points),
            expl::TYPE_ID => Some(Self::Explosion),
            ndpr::TYPE_ID => Some(Self::NodeDamage),
            wav::TYPE_ID => Some(Self::Sound),
            dscr::TYPE_ID => Some(Self::Description),
            _ => None,
        };
        Self::from_name(entry.name_bytes(), library).or(by_type)
    }

    /// By the place and name alone.
    fn from_name(name: &[u8], library: Library) -> Option<Self> {
        let ends_in = |ending: &[u8; 4]| {
            let last: Option<&[u8; 4]> = name.last_chunk();
            last.is_some_and(|last| last.eq_ignore_ascii_case(ending))
        };
        match library {
            Library::Prototypes => Some(Self::Prototype),
            Library::Materials => Some(Self::Material),
            Library::Textures => Some(Self::Texture),
            Library::Effects => Some(Self::Effect),
            Library::Behavior => ends_in(behavior_vars::ENDING).then_some(Self::Behavior),
            Library::Mixed if ends_in(b".msh") => Some(Self::Model),
            Library::Mixed if ends_in(b".wea") => Some(Self::Table),
            Library::Mixed if ends_in(b".bas") => Some(Self::Basement),
            Library::Mixed => None,
        }
    }

    /// The name of the entry that a file is to become, and what it holds: by the ending of a format that files of this
    /// kind have outside of archives, which the entry has not, else by place and name.
    pub(super) fn from_file(file: &str, library: Library) -> (&str, Option<Self>) {
        let endings = [
            (".mat0", Self::Material),
            (".texm", Self::Texture),
            (".fxid", Self::Effect),
            (".proto", Self::Prototype),
            (".bvar", Self::Behavior),
            (".dscr", Self::Description),
        ];
        let known = endings.into_iter().find_map(|(ending, content)| {
            let at = file.len().checked_sub(ending.len())?;
            let (name, last) = file.split_at_checked(at)?;
            last.eq_ignore_ascii_case(ending)
                .then_some((name, Some(content)))
        });
        known.unwrap_or((file, Self::from_name(file.as_bytes(), library)))
    }

    /// The type word of such entries; prototypes have several, and those of basements and variables are not known.
    pub(super) const fn type_id(self) -> Option<u32> {
        match self {
            Self::Prototype | Self::Basement | Self::Behavior => None,
            Self::Material => Some(mat0::TYPE_ID),
            Self::Texture => Some(texm::TYPE_ID),
            Self::Table => Some(wear::TYPE_ID),
            Self::Model => Some(msh::TYPE_ID),
            Self::Effect => Some(fxid::TYPE_ID),
            Self::Control => Some(ctld::TYPE_ID),
            Self::Points => Some(ctpt::TYPE_ID),
            Self::Explosion => Some(expl::TYPE_ID),
            Self::NodeDamage => Some(ndpr::TYPE_ID),
            Self::Sound => Some(wav::TYPE_ID),
            Self::Description => Some(dscr::TYPE_ID),
        }
    }

    /// Its format.
    pub(super) const fn format(self) -> &'static dyn AnyFormat {
        match self {
            Self::Prototype => &Registered::<Prototype>::NEW,
            Self::Material => &Registered::<Mat0>::NEW,
            Self::Texture => &Registered::<Texm>::NEW,
            Self::Table => &Registered::<Wear>::NEW,
            Self::Model => &Registered::<Msh>::NEW,
            Self::Effect => &Registered::<Fxid>::NEW,
            Self::Control => &Registered::<Ctld>::NEW,
            Self::Points => &Registered::<Ctpt>::NEW,
            Self::Explosion => &Registered::<Expl>::NEW,
            Self::NodeDamage => &Registered::<Ndpr>::NEW,
            Self::Basement => &Registered::<Bas>::NEW,
            Self::Sound => &Registered::<Wav>::NEW,
            Self::Behavior => &Registered::<BehaviorVars>::NEW,
            Self::Description => &Registered::<Description>::NEW,
        }
    }

    /// What the entry holds, and what its format finds wrong. Offsets count from the payload.
    fn look_into(self, entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
        match self {
            Self::Prototype => look_into_prototype(entry),
            Self::Material => look_into_material(entry),
            Self::Texture => look_into_texture(entry),
            Self::Table => look_into_table(entry),
            Self::Model => look_into_model(entry),
            Self::Effect => look_into_effect(entry),
            Self::Control => look_into_control(entry),
            Self::Points => look_into_points(entry),
            Self::Explosion => look_into_explosion(entry),
            Self::NodeDamage => look_into_node_damage(entry),
            Self::Basement => look_into_basement(entry),
            Self::Sound => look_into_sound(entry),
            Self::Behavior => look_into_behavior(entry),
            Self::Description => look_into_description(entry),
        }
    }
}

/// Fills in what an entry holds; what is wrong with it, at its offset in the file.
pub(super) fn look_into(entry: &Entry, row: &mut EntryRow, library: Library) -> Vec<Finding> {
    let Some(content) = Content::from_entry(entry, library) else {
        return Vec::new();
    };
    let mut located: Vec<Finding> = other_type(entry, content).into_iter().collect();
    match content.look_into(entry) {
        Ok((detail, findings)) => {
            row.detail = detail;
            located.extend(findings.into_iter().map(|finding| in_entry(finding, entry)));
        }
        Err(mut error) => {
            error.offset = error.offset.saturating_add(entry.offset());
            located.push(refusal(&error.in_entry(&entry.name_text())));
        }
    }
    located
}

/// How often the rules hold that all entries of a kind keep.
pub(super) fn add_fits(entries: &[Entry], library: Library, report: &mut Report) {
    let named = entries.iter().map(|entry| !entry.name_bytes().is_empty());
    report.fit("entries of archives have names", named);
    let of_kind = |content| {
        let entries = entries.iter();
        entries.filter(move |entry| Content::from_entry(entry, library) == Some(content))
    };
    for entry in of_kind(Content::Model) {
        if let Ok((model, _)) = read_and_check::<Msh>(&entry.data, &()) {
            model.add_fits(report);
        }
    }
    let materials = of_kind(Content::Material);
    let materials = materials.filter_map(|entry| Mat0::read(&entry.data, entry.attr2).ok());
    let tracks = materials.flat_map(|material| material.tracks);
    let rises = |track: Track| track.keys.is_sorted_by_key(|key| key.end_ms);
    report.fit(
        "keys of materials end one after the other",
        tracks.map(rises),
    );
    let effects = of_kind(Content::Effect);
    let effects = effects.filter_map(|entry| Fxid::read(&entry.data).ok());
    let windows = effects.flat_map(|effect| effect.blocks);
    let windows = windows.filter_map(|block| block.emits.window());
    let lies_inside = |[low, high]: [f32; 2]| 0.0 <= low && low <= high && high <= 1.0;
    report.fit(
        "windows of effects lie in their time",
        windows.map(lies_inside),
    );
}

/// A search by type does not find an entry whose type word is another than that of its kind.
fn other_type(entry: &Entry, content: Content) -> Option<Finding> {
    let expected = content.type_id().filter(|known| *known != entry.type_id)?;
    let message = format!(
        "its type is {:#010x}, {} is expected of its name",
        entry.type_id,
        type_name(expected)
    );
    let finding = Finding::new(Severity::Warning, FORMAT, message);
    Some(in_entry(finding, entry))
}

fn look_into_material(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let material = Mat0::read(&entry.data, entry.attr2)?;
    let textures: Vec<_> = (material.phases.iter())
        .map(|phase| decode_cp1251(phase.texture_name()))
        .collect();
    let n_tracks = material.tracks.len();
    let detail = format!("{n_tracks} tracks, phases {}", textures.join(" "));
    Ok((detail, material.check()))
}

fn look_into_texture(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let texture = Texm::read(&entry.data)?;
    let (width, height) = (texture.width, texture.height);
    let (n_levels, format) = (texture.mips.len(), texture.format);
    let detail = format!("{width} x {height}, {n_levels} levels, {format:?}");
    Ok((detail, texture.check()))
}

fn look_into_table(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let wear = Wear::read_with(&entry.data, WearTolerance::AnyGapBeforeLightmaps)?;
    let detail = format!("{} materials", wear.materials.len());
    Ok((detail, wear.check()))
}

fn look_into_model(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (model, findings) = read_and_check::<Msh>(&entry.data, &())?;
    let [n_nodes, n_vertices] = [model.nodes.len(), model.positions.len()];
    Ok((format!("{n_nodes} nodes, {n_vertices} vertices"), findings))
}

/// Adds the facts of an entry that is described by itself.
pub(super) fn describe(entry: &Entry, library: Library, report: &mut Report) {
    fn facts_of<F: Format<Context = ()>>(entry: &Entry, report: &mut Report) {
        if let Ok((file, _)) = read_and_check::<F>(&entry.data, &()) {
            file.describe(report);
        }
    }
    match Content::from_entry(entry, library) {
        Some(Content::Effect) => facts_of::<Fxid>(entry, report),
        Some(Content::Control) => facts_of::<Ctld>(entry, report),
        Some(Content::Points) => facts_of::<Ctpt>(entry, report),
        Some(Content::Explosion) => facts_of::<Expl>(entry, report),
        Some(Content::NodeDamage) => facts_of::<Ndpr>(entry, report),
        Some(Content::Basement) => facts_of::<Bas>(entry, report),
        Some(Content::Sound) => facts_of::<Wav>(entry, report),
        Some(Content::Behavior) => facts_of::<BehaviorVars>(entry, report),
        Some(Content::Description) => facts_of::<Description>(entry, report),
        _ => {}
    }
}

fn look_into_effect(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (effect, findings) = read_and_check::<Fxid>(&entry.data, &())?;
    Ok((effect.summary(), findings))
}

fn look_into_control(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (control, findings) = read_and_check::<Ctld>(&entry.data, &())?;
    Ok((control.summary(), findings))
}

fn look_into_behavior(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (set, findings) = read_and_check::<BehaviorVars>(&entry.data, &())?;
    Ok((format!("{} variables", set.variables.len()), findings))
}

fn look_into_description(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (description, findings) = read_and_check::<Description>(&entry.data, &())?;
    Ok((description.summary(), findings))
}

fn look_into_points(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (points, findings) = read_and_check::<Ctpt>(&entry.data, &())?;
    Ok((points.summary(), findings))
}

fn look_into_explosion(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (explosion, findings) = read_and_check::<Expl>(&entry.data, &())?;
    Ok((explosion.summary(), findings))
}

fn look_into_node_damage(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (damage, findings) = read_and_check::<Ndpr>(&entry.data, &())?;
    Ok((format!("{} nodes", damage.nodes.len()), findings))
}

fn look_into_basement(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (basement, findings) = read_and_check::<Bas>(&entry.data, &())?;
    let [n_inner, n_outer] = [basement.inner.len(), basement.outer.len()];
    Ok((
        format!("{n_inner} inner, {n_outer} outer contours"),
        findings,
    ))
}

fn look_into_sound(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let (sound, findings) = read_and_check::<Wav>(&entry.data, &())?;
    Ok((sound.summary(), findings))
}

/// What a prototype refers to.
fn look_into_prototype(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let prototype = Prototype::read(&entry.data)?;
    let refs = prototype.refs.iter().map(|it| {
        let [archive, resource] = [it.archive(), it.resource()].map(decode_cp1251);
        format!("{archive}/{resource}")
    });
    let refs: Vec<String> = refs.collect();
    Ok((refs.join(" "), prototype.check()))
}

/// The same finding, attributed to an entry, at its offset in the file.
fn in_entry(finding: Finding, entry: &Entry) -> Finding {
    Finding {
        offset: Some(entry.offset().saturating_add(finding.offset.unwrap_or(0))),
        message: format!("entry \"{}\": {}", entry.name_text(), finding.message),
        ..finding
    }
}

/// A fourcc as text, a chunk number as number.
pub(super) fn type_name(type_id: u32) -> String {
    let bytes = type_id.to_le_bytes();
    match std::str::from_utf8(&bytes) {
        Ok(text) if bytes.iter().all(u8::is_ascii_graphic) => text.to_owned(),
        _ => type_id.to_string(),
    }
}
