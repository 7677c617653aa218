//! What a model says of itself, and whether the file of its faces fits it.

use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{
    FileKind, Format, Input, Match, Reference, inherent_methods, read_and_check, stem,
};
use ironlands_assets_core::report::Report;

use super::VtmbMdl;
use crate::mdl::{
    beside, describe_attachments, describe_motion, describe_opened, material_references,
};
use crate::studio_file::text_of;
use crate::studio_model::{OpenFile, StudioModel};

impl Format for VtmbMdl {
    type Context = ();

    const NAME: &'static str = "vtmb_mdl";
    const EXTENSIONS: &'static [&'static str] = &["mdl"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write);

    fn recognize(_: &str, head: &[u8]) -> Option<Match> {
        Self::is_one(head).then_some(Match::Name)
    }

    fn check(&self) -> Vec<Finding> {
        let mut findings = self.check();
        // The model can be shown at rest.
        findings.extend(self.motion().err().map(|error| {
            let message = format!("its sequences cannot be played: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings.extend(self.flexes().err().map(|error| {
            let message = format!("its face cannot be moved: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings.extend(self.parts().err().map(|error| {
            let message = format!("its hit boxes and attachments cannot be shown: {error}");
            Finding::new(Severity::Warning, Self::NAME, message).at(error.offset)
        }));
        findings
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", super::VERSION);
        report.fact("checksum", format!("{:08x}", self.header.checksum));
        report.fact("bones", self.bones.len());
        for part in self.body_parts.iter().filter(|it| it.models.len() > 1) {
            let names = part.models.iter().map(|model| text_of(&model.name));
            let names: Vec<String> = names.collect();
            let fact = format!("{}: {}", part.name.text(), names.join(", "));
            report.fact("body part", fact);
        }
        report.fact("skins", self.skins().count());
        let parts = self.parts().unwrap_or_default();
        for set in &parts.hit_box_sets {
            report.fact("hit boxes", format!("{}: {}", set.name, set.boxes.len()));
        }
        describe_attachments(&parts, self.bones.iter().map(|it| it.name.text()), report);
        for controller in self.flexes().unwrap_or_default().controllers {
            report.fact("flex controller", controller);
        }
        if let Ok(motion) = self.motion() {
            describe_motion(&motion, report);
        }
    }

    /// The file of its faces beside it on disk.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        let stem = input.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.mdl");
        let open = |name: &str| beside(input.path, name);
        describe_files(self, (&name, Severity::Error), &open, report);
    }

    /// Its other files, and each material in each folder that it may lie in.
    fn references(&self, path: &Path) -> Vec<Reference> {
        let stem = stem(path);
        let parts = [".dx80.vtx", ".phy"];
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
    let (mdl, findings) = read_and_check::<VtmbMdl>(data, &())?;
    mdl.describe(report);
    report.findings.extend(findings);
    describe_files(&mdl, path, open, report);
    Ok(())
}

fn describe_files(
    mdl: &VtmbMdl,
    (path, missing): (&str, Severity),
    open: OpenFile<'_>,
    report: &mut Report,
) {
    if !mdl.has_meshes() {
        return report.fact("meshes", "none");
    }
    let opened = StudioModel::open_vtmb(path, mdl, open);
    describe_opened(VtmbMdl::NAME, opened, (path, missing), report);
}
