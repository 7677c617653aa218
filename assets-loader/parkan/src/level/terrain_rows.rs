//! What the material rows of terrain faces lead to (dossier sections 4.4 and 1.1).

use std::collections::{BTreeMap, BTreeSet};

use super::FORMAT;
use crate::land_msh::{Face, NO_MATERIAL};
use crate::material_table::{DEFAULT, MaterialResolver};
use crate::wear::Wear;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Indices of materials by the rows that faces name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TerrainRows {
    /// For each row of `Land1.wea`, and for each row beyond it that a face names as its first material.
    pub surfaces: BTreeMap<u8, usize>,
    /// For each row of `Land2.wea`: what the surface of the same row takes its microtexture from.
    pub microtextures: BTreeMap<u8, usize>,
}

impl TerrainRows {
    /// Resolves all rows of both tables, and the rows that faces name beyond the first.
    pub(super) fn resolve(
        resolver: &mut MaterialResolver<'_>,
        faces: &[Face],
        surfaces: Option<&Wear>,
        microtextures: Option<&Wear>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut rows = Self {
            surfaces: rows_of(resolver, surfaces),
            microtextures: rows_of(resolver, microtextures),
        };
        rows.go_beyond_the_table(resolver, faces, findings);
        rows
    }

    /// First materials beyond the table are `DEFAULT`; second ones beyond it are left out, since `DEFAULT` over
    /// everything would hide the first, which is known.
    fn go_beyond_the_table(
        &mut self,
        resolver: &mut MaterialResolver<'_>,
        faces: &[Face],
        findings: &mut Vec<Finding>,
    ) {
        let beyond = |rows: BTreeSet<u8>, known: &Self| -> Vec<u8> {
            let unknown = |row: &u8| !known.surfaces.contains_key(row);
            rows.into_iter().filter(unknown).collect()
        };
        let second = faces.iter().map(|face| face.second_material);
        let second = second.filter(|row| *row != NO_MATERIAL).collect();
        let second = beyond(second, self);
        let first = faces.iter().map(|face| face.first_material).collect();
        let first = beyond(first, self);
        findings.extend(missing_rows("first", &first, "DEFAULT is used"));
        findings.extend(missing_rows("second", &second, "not drawn"));
        for row in first {
            self.surfaces.insert(row, resolver.material(DEFAULT));
        }
    }
}

fn rows_of(resolver: &mut MaterialResolver<'_>, wear: Option<&Wear>) -> BTreeMap<u8, usize> {
    let rows = wear.map_or(&[][..], |wear| &wear.materials);
    // Faces name rows by one byte; the rows after 255 cannot be meant.
    let rows = rows.get(..=usize::from(u8::MAX)).unwrap_or(rows);
    (0..=u8::MAX).zip(resolver.rows(rows)).collect()
}

/// One finding for all rows: without a table they are as many as it had.
fn missing_rows(layer: &str, rows: &[u8], instead: &str) -> Option<Finding> {
    let message = match rows {
        [] => return None,
        [row] => format!("{layer} material row {row} is not in Land1.wea; {instead}"),
        [first, .., last] => format!(
            "{} {layer} material rows, {first} to {last}, are not in Land1.wea; {instead}",
            rows.len()
        ),
    };
    Some(Finding::new(Severity::Warning, FORMAT, message))
}
