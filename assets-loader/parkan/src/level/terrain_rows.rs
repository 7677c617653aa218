//! What the material rows of terrain faces lead to (dossier section 4.4).

use std::collections::{BTreeMap, BTreeSet};

use super::FORMAT;
use crate::land_msh::{Face, NO_OVERLAY};
use crate::material_table::{DEFAULT, MaterialResolver};
use crate::wear::Wear;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Our name for the material of the microtexture; the original's is unknown (Q-M6), and no retail library
/// has this one.
const MICROTEXTURE: &[u8] = b"MICROTEX";

/// Indices of materials by the rows that faces name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TerrainRows {
    /// For each row of `Land2.wea`, and for each row that a face names beyond it.
    pub base: BTreeMap<u8, usize>,
    /// For each row of `Land1.wea`. A row that a face names beyond it has no overlay.
    pub overlay: BTreeMap<u8, usize>,
    /// Of the microtexture, if the game has one.
    pub microtexture: Option<usize>,
}

impl TerrainRows {
    /// Resolves all rows of both tables, and the rows that faces name beyond them.
    pub(super) fn resolve(
        resolver: &mut MaterialResolver<'_>,
        faces: &[Face],
        base: Option<&Wear>,
        overlay: Option<&Wear>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut rows = Self {
            base: rows_of(resolver, base),
            overlay: rows_of(resolver, overlay),
            microtexture: None,
        };
        rows.go_beyond_the_tables(resolver, faces, findings);
        if resolver.has_material(MICROTEXTURE) {
            rows.microtexture = Some(resolver.material(MICROTEXTURE));
        }
        rows
    }

    /// Base rows beyond the table are `DEFAULT`; overlay rows beyond it are left out, since `DEFAULT` over
    /// everything would hide the base, which is known.
    fn go_beyond_the_tables(
        &mut self,
        resolver: &mut MaterialResolver<'_>,
        faces: &[Face],
        findings: &mut Vec<Finding>,
    ) {
        let base: BTreeSet<u8> = faces.iter().map(|face| face.base_material).collect();
        let missing: Vec<u8> = base
            .into_iter()
            .filter(|row| !self.base.contains_key(row))
            .collect();
        findings.extend(missing_rows("base", &missing, "Land2.wea; DEFAULT is used"));
        for row in missing {
            self.base.insert(row, resolver.material(DEFAULT));
        }
        let overlay: BTreeSet<u8> = faces.iter().map(|face| face.overlay_material).collect();
        let missing: Vec<u8> = overlay
            .into_iter()
            .filter(|row| *row != NO_OVERLAY && !self.overlay.contains_key(row))
            .collect();
        findings.extend(missing_rows("overlay", &missing, "Land1.wea; not drawn"));
    }
}

fn rows_of(resolver: &mut MaterialResolver<'_>, wear: Option<&Wear>) -> BTreeMap<u8, usize> {
    let rows = wear.map_or(&[][..], |wear| &wear.materials);
    // Faces name rows by one byte; the rows after 255 cannot be meant.
    let rows = rows.get(..=usize::from(u8::MAX)).unwrap_or(rows);
    (0..=u8::MAX).zip(resolver.rows(rows)).collect()
}

/// One finding for all rows: without a table they are as many as it had.
fn missing_rows(layer: &str, rows: &[u8], table_and_instead: &str) -> Option<Finding> {
    let message = match rows {
        [] => return None,
        [row] => format!("{layer} material row {row} is not in {table_and_instead}"),
        [first, .., last] => format!(
            "{} {layer} material rows, {first} to {last}, are not in {table_and_instead}",
            rows.len()
        ),
    };
    Some(Finding::new(Severity::Warning, FORMAT, message))
}
