//! What a model says of itself, and whether the files that it is drawn with fit it.

use std::borrow::Cow;
use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{
    FileKind, Format, Input, Match, Reference, inherent_methods, read_and_check, stem,
};
use ironlands_assets_core::report::{Report, refusal};
use ironlands_assets_core::vfs::{Vfs, VfsError, read_file};

use super::flexes::Flexes;
use super::motion::Motion;
use super::{MAGIC, Mdl, Parts, eyes};
use crate::studio_file::text_of;
use crate::studio_model::{ModelError, OpenFile, StudioModel};

impl Format for Mdl {
    type Context = ();

    const NAME: &'static str = "mdl";
    const EXTENSIONS: &'static [&'static str] = &["mdl"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".mdl").then_some(Match::Extension)
    }

    fn check(&self) -> Vec<Finding> {
        let mut findings = self.check();
        findings.extend(self.check_tables());
        // The model can be shown at rest.
        findings.extend(Motion::read(self).err().map(|error| {
            let message = format!("its sequences cannot be played: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings.extend(Flexes::read(self).err().map(|error| {
            let message = format!("its face cannot be moved: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings.extend(Parts::read(self).err().map(|error| {
            let message = format!("its hit boxes and attachments cannot be shown: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings.extend(eyes(self).err().map(|error| {
            let message = format!("its eyes are without an iris: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", self.header.version);
        report.fact("checksum", format!("{:08x}", self.header.checksum));
        report.fact("bones", self.bones.len());
        for part in self.body_parts.iter().filter(|it| it.models.len() > 1) {
            let names = part.models.iter().map(|model| text_of(&model.name));
            let names: Vec<String> = names.collect();
            report.fact(
                "body part",
                format!("{}: {}", part.name.text(), names.join(", ")),
            );
        }
        report.fact("skins", self.skins().count());
        if let Ok(parts) = Parts::read(self) {
            for set in &parts.hit_box_sets {
                report.fact("hit boxes", format!("{}: {}", set.name, set.boxes.len()));
            }
            describe_attachments(&parts, self.bones.iter().map(|it| it.name.text()), report);
        }
        if let Ok(flexes) = Flexes::read(self) {
            for controller in &flexes.controllers {
                report.fact("flex controller", controller);
            }
        }
        for eye in eyes(self).unwrap_or_default() {
            report.fact("eye", eye.eyeball.name);
        }
        if let Ok(motion) = Motion::read(self) {
            describe_motion(&motion, report);
        }
    }

    /// The files beside it on disk, without which it cannot be shown.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        // The other files are named after the model, whatever the case of its extension.
        let stem = input.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.mdl");
        let open = |name: &str| beside(input.path, name);
        describe_files(self, (&name, Severity::Error), &open, report);
    }

    /// Its other files, and each material in each folder that it may lie in.
    fn references(&self, path: &Path) -> Vec<Reference> {
        let stem = stem(path);
        let parts = [".vvd", ".dx90.vtx", ".phy"];
        let parts = parts.map(|it| Reference::new(FileKind::Model, format!("{stem}{it}")));
        let folders = self.texture_folders.iter().map(|it| it.path.text());
        let textures = self.textures.iter().map(|it| it.name.text());
        let materials = material_references(folders, textures);
        parts.into_iter().chain(materials).collect()
    }
}

/// Reports on a model whose path and the severity of a missing file are given, and that `open` finds the other files of.
pub(crate) fn inspect_among(
    data: &[u8],
    path: (&str, Severity),
    open: OpenFile<'_>,
    report: &mut Report,
) -> Result<(), FormatError> {
    let (mdl, findings) = read_and_check::<Mdl>(data, &())?;
    mdl.describe(report);
    report.findings.extend(findings);
    describe_files(&mdl, path, open, report);
    Ok(())
}

fn describe_files(
    mdl: &Mdl,
    (path, missing): (&str, Severity),
    open: OpenFile<'_>,
    report: &mut Report,
) {
    if !mdl.has_meshes() {
        return report.fact("meshes", "none");
    }
    let opened = StudioModel::open_rest(path, mdl, open);
    describe_opened(Mdl::NAME, opened, (path, missing), report);
}

/// Reports on attachments, given the names of all bones.
pub(crate) fn describe_attachments<'a>(
    parts: &Parts,
    bones: impl Iterator<Item = Cow<'a, str>> + Clone,
    report: &mut Report,
) {
    for attachment in &parts.attachments {
        let bone = bones.clone().nth(attachment.bone).unwrap_or_default();
        report.fact("attachment", format!("{} on {bone}", attachment.name));
    }
}

/// Reports on what moves a model.
pub(crate) fn describe_motion(motion: &Motion, report: &mut Report) {
    report.fact("animations", motion.animations.len());
    for path in &motion.includes {
        report.fact("included model", path);
    }
    for number in 0..motion.sequences.len() {
        report.fact("sequence", motion.facts(number));
    }
}

/// Each material in each folder that it may lie in.
pub(crate) fn material_references<'a>(
    folders: impl Iterator<Item = Cow<'a, str>> + Clone,
    textures: impl Iterator<Item = Cow<'a, str>>,
) -> impl Iterator<Item = Reference> {
    textures.flat_map(move |texture| {
        folders.clone().map(move |folder| {
            let folder = folder.trim_matches(['/', '\\']);
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("materials/{folder}{slash}{texture}");
            Reference::new(FileKind::Material, path).with_extensions(&[".vmt"])
        })
    })
}

/// Reports on a model that was opened with its other files, or why it cannot be shown.
pub(crate) fn describe_opened(
    format: &'static str,
    opened: Result<StudioModel, ModelError>,
    (path, missing): (&str, Severity),
    report: &mut Report,
) {
    let finding = match opened {
        Ok(model) => {
            let n_vertices: usize = model.meshes.iter().map(|it| it.positions.len()).sum();
            report.fact("meshes", model.meshes.len());
            return report.fact("vertices", n_vertices);
        }
        Err(error @ ModelError::Missing { .. }) => {
            let message = format!("{error}, without which the model cannot be shown");
            Finding::new(missing, format, message)
        }
        // What does not fit together is reported at its place in the model.
        Err(ModelError::Broken { path: at, error }) if at == path => refusal(&error),
        Err(error) => Finding::new(Severity::Error, format, error.to_string()),
    };
    report.findings.push(finding);
}

/// A file beside another one: that of the very name, else one whose name differs in the case of letters.
pub(crate) fn beside(path: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
    let same = path.with_file_name(name);
    if same.is_file() {
        return read_file(&same).map(Some).map_err(|it| it.to_string());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let found = Vfs::from_folder(folder).and_then(|vfs| vfs.find_file(name));
    match found.and_then(|file| read_file(&file)) {
        Ok(data) => Ok(Some(data)),
        Err(VfsError::FileMissing { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
