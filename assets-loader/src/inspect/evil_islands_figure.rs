//! Figures of Evil Islands: textures, and what parts of models are made of.

#[cfg(test)]
mod tests;

use std::path::Path;

use super::files::strict_or;
use super::{Kind, Report};
use crate::bytes::{Finding, FormatError};
use crate::evil_islands::anm::{self, Anm};
use crate::evil_islands::bon::{self, Bon};
use crate::evil_islands::fig::{self, Fig};
use crate::evil_islands::lnk::{self, Lnk};
use crate::evil_islands::mmp::{self, Mmp};
use crate::text::decode_cp1251;

/// What a file that is no archive is by its lower-case name and first bytes.
pub(super) fn sniff(name: &str, head: &[u8]) -> Option<Kind> {
    if head.starts_with(&mmp::MAGIC) {
        return Some(Kind::Mmp);
    }
    if head.starts_with(b"FIG1") || head.starts_with(b"FIG8") {
        return Some(Kind::Fig);
    }
    Some(match name.rsplit_once('.')?.1 {
        "mmp" => Kind::Mmp,
        "fig" => Kind::Fig,
        "lnk" => Kind::Lnk,
        "bon" => Kind::Bon,
        "anm" => Kind::Anm,
        _ => return None,
    })
}

/// What an entry of an archive of one of these kinds holds, in words, and what is wrong with it.
///
/// # Errors
/// What even the tolerant reader refuses.
pub(super) fn look_into(kind: Kind, data: &[u8]) -> Result<(String, Vec<Finding>), FormatError> {
    let mut report = Report::new(Path::new(""), kind);
    match kind {
        Kind::Mmp => tell_mmp(&mut report, data)?,
        Kind::Fig => tell_fig(&mut report, data)?,
        Kind::Lnk => tell_lnk(&mut report, data)?,
        Kind::Bon => tell_bon(&mut report, data)?,
        Kind::Anm => tell_anm(&mut report, data)?,
        _ => {}
    }
    let facts = report
        .facts
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    Ok((facts.collect::<Vec<_>>().join(", "), report.findings))
}

/// A texture.
pub(super) fn tell_mmp(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let texture = strict_or(report, Mmp::read(data), || {
        Mmp::read_with(data, mmp::Tolerance::all())
    })?;
    report.fact("size", format!("{} x {}", texture.width, texture.height));
    report.fact("format", texture.format);
    report.fact("levels", texture.levels.len());
    report.fact("rows", format!("{:?}", texture.row_order()));
    report.findings.extend(texture.check());
    Ok(())
}

/// The mesh of a part.
pub(super) fn tell_fig(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let fig = strict_or(report, Fig::read(data), || {
        Fig::read_with(data, fig::Tolerance::all())
    })?;
    report.fact("states", fig.states.len());
    report.fact("vertices", fig.n_vertices());
    report.fact("components", fig.components.len());
    report.fact("triangles", fig.n_triangles());
    report.fact("moving vertices", fig.morphs.len());
    report.fact("group", fig.group);
    report.fact("texture", fig.texture);
    report.findings.extend(fig.check());
    Ok(())
}

/// The tree of a figure.
pub(super) fn tell_lnk(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let lnk = strict_or(report, Lnk::read(data), || {
        Lnk::read_with(data, lnk::Tolerance::all())
    })?;
    let names = lnk.links.iter().map(|link| decode_cp1251(&link.name.bytes));
    report.fact("parts", names.collect::<Vec<_>>().join(", "));
    report.findings.extend(lnk.check());
    Ok(())
}

/// Where a part stands.
pub(super) fn tell_bon(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let bon = strict_or(report, Bon::read(data), || {
        Bon::read_with(data, bon::Tolerance::all())
    })?;
    report.fact("states", bon.offsets.len());
    report.findings.extend(bon.check());
    Ok(())
}

/// One animation of one part.
pub(super) fn tell_anm(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let anm = strict_or(report, Anm::read(data), || {
        Anm::read_with(data, anm::Tolerance::all())
    })?;
    report.fact("frames", anm.n_frames());
    report.fact("frames of moving vertices", anm.n_morph_frames);
    report.fact("moving vertices", anm.n_morphs.unwrap_or(0));
    report.findings.extend(anm.check());
    Ok(())
}
