//! What is known of visibility.

use super::{SceneError, ensure};
use crate::Scene;

impl Scene {
    pub(super) fn validate_cells(&self) -> Result<(), SceneError> {
        let Some(visibility) = &self.visibility else {
            return Ok(());
        };
        let n_nodes = visibility.nodes.len();
        for (index, node) in visibility.nodes.iter().enumerate() {
            let finite = node.plane.iter().all(|v| v.is_finite());
            ensure(finite, "visibility.nodes", index, "a plane is finite")?;
            let lead_on = node
                .children
                .iter()
                .all(|child| match usize::try_from(*child) {
                    Ok(child) => child > index && child < n_nodes,
                    Err(_) => is_leaf(*child, visibility.leaf_cells.len()),
                });
            ensure(
                lead_on,
                "visibility.nodes",
                index,
                "a child is a later node or a leaf",
            )?;
        }
        let has_first_leaf = n_nodes > 0 || !visibility.leaf_cells.is_empty();
        ensure(
            has_first_leaf,
            "visibility.leaf_cells",
            0,
            "without nodes there is leaf 0",
        )?;
        for (index, cell) in visibility.leaf_cells.iter().enumerate() {
            let exists = self.has_cells(cell.as_slice());
            ensure(
                exists,
                "visibility.leaf_cells",
                index,
                "a leaf names a missing cell",
            )?;
        }
        for (index, row) in visibility.rows.iter().enumerate() {
            let inside = row.is_none_or(|row| (row as usize) < visibility.coded.len());
            ensure(
                inside,
                "visibility.rows",
                index,
                "a row begins inside `coded`",
            )?;
        }
        Ok(())
    }

    /// Whether all of them exist; a scene that knows nothing of visibility has no cells.
    pub(super) fn has_cells(&self, cells: &[u32]) -> bool {
        let visibility = self.visibility.as_ref();
        let n_cells = visibility.map_or(0, |visibility| visibility.n_cells());
        cells.iter().all(|cell| (*cell as usize) < n_cells)
    }
}

fn is_leaf(child: i32, n_leaves: usize) -> bool {
    let leaf = -1 - i64::from(child);
    usize::try_from(leaf).is_ok_and(|leaf| leaf < n_leaves)
}
