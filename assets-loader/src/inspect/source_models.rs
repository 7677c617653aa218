//! Files of studio models of the Source engine, and whether those of one model fit together.

use std::path::Path;

use super::{Report, refusal};
use crate::bytes::{Finding, FormatError, Severity};
use crate::source::ani::Ani;
use crate::source::mdl::Mdl;
use crate::source::phy::Phy;
use crate::source::studio_model::{ModelError, OpenFile, StudioModel};
use crate::source::vhv::Vhv;
use crate::source::vtx::Vtx;
use crate::source::vvd::Vvd;
use crate::vfs::{Vfs, VfsError, read_file};

/// A model with the files beside it on disk, without which it cannot be shown.
pub(super) fn tell_mdl(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let path = report.path.clone();
    // The other files are named after the model, whatever the case of its extension.
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}.mdl");
    let beside = |name: &str| beside(&path, name);
    tell_mdl_among(report, data, (&name, Severity::Error), &beside)
}

/// A model whose path and the severity of a missing file are given, and that `open` finds the other files of.
pub(super) fn tell_mdl_among(
    report: &mut Report,
    data: &[u8],
    (path, missing): (&str, Severity),
    open: OpenFile<'_>,
) -> Result<(), FormatError> {
    let mdl = Mdl::read(data)?;
    report.fact("version", mdl.header.version);
    report.fact("checksum", format!("{:08x}", mdl.header.checksum));
    report.fact("bones", mdl.bones.len());
    report.findings.extend(mdl.check());
    report.findings.extend(mdl.check_tables());
    if !mdl.has_meshes() {
        report.fact("meshes", "none");
        return Ok(());
    }
    match StudioModel::open_rest(path, &mdl, open) {
        Ok(model) => {
            let n_vertices: usize = model.meshes.iter().map(|it| it.positions.len()).sum();
            report.fact("meshes", model.meshes.len());
            report.fact("vertices", n_vertices);
        }
        Err(error @ ModelError::Missing { .. }) => {
            let message = format!("{error}, without which the model cannot be shown");
            report.findings.push(Finding::new(missing, "mdl", message));
        }
        // What does not fit together is told at its place in the model.
        Err(ModelError::Broken { path: at, error }) if at == path => {
            report.findings.push(refusal(&error));
        }
        Err(error) => {
            let message = error.to_string();
            report
                .findings
                .push(Finding::new(Severity::Error, "mdl", message));
        }
    }
    Ok(())
}

/// A file beside another one: that of the very name, else one whose name differs in the case of letters.
fn beside(path: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
    let same = path.with_file_name(name);
    if same.is_file() {
        return read_file(&same).map(Some).map_err(|it| it.to_string());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let found = Vfs::of_folder(folder).and_then(|vfs| vfs.find_file(name));
    match found.and_then(|file| read_file(&file)) {
        Ok(data) => Ok(Some(data)),
        Err(VfsError::FileMissing { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Vertices.
pub(super) fn tell_vvd(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vvd = Vvd::read(data)?;
    report.fact("checksum", format!("{:08x}", vvd.checksum));
    report.fact("levels of detail", vvd.n_lods);
    report.fact("vertices", vvd.vertices.len());
    report.findings.extend(vvd.check());
    let wild = vvd.vertices.iter().enumerate();
    let mut wild = wild.filter_map(|(i, vertex)| vvd.refuse_wild_vertex(i, vertex).err());
    if let Some(first) = wild.next() {
        report.findings.push(refusal(&first));
        let n_more = wild.count();
        if n_more > 0 {
            let message = format!("{n_more} more vertices of the kind before");
            report
                .findings
                .push(Finding::new(Severity::Error, "vvd", message));
        }
    }
    Ok(())
}

/// Faces.
pub(super) fn tell_vtx(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vtx = Vtx::read(data)?;
    report.fact("checksum", format!("{:08x}", vtx.checksum));
    report.fact("levels of detail", vtx.n_lods);
    report.fact("body parts", vtx.body_parts.len());
    report.findings.extend(vtx.check());
    Ok(())
}

/// Collision shapes.
pub(super) fn tell_phy(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let phy = Phy::read(data)?;
    report.fact("checksum", format!("{:08x}", phy.checksum));
    report.fact("solids", phy.solids.len());
    report.findings.extend(phy.check());
    Ok(())
}

/// Animations.
pub(super) fn tell_ani(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let ani = Ani::read(data)?;
    report.fact("version", ani.version);
    Ok(())
}

/// Baked light of a prop.
pub(super) fn tell_vhv(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vhv = Vhv::read(data)?;
    report.fact("checksum", format!("{:08x}", vhv.checksum));
    report.fact("meshes", vhv.meshes.len());
    report.fact("vertices", vhv.n_vertices);
    report.findings.extend(vhv.check());
    Ok(())
}
