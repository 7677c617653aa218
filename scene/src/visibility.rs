//! What can be seen from where: a tree that leads a point to a cell, and for each cell the cells that it sees.

/// Known visibility. Points in no cell (inside walls, outside the level) see everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Visibility {
    /// The tree; the first node is its root. Empty: all points are in leaf 0.
    pub nodes: Vec<VisNode>,
    /// The cell of each leaf; `None`: nothing is known of what it sees.
    pub leaf_cells: Vec<Option<u32>>,
    /// For each cell where its row begins in `coded`; `None`: it sees every cell.
    pub rows: Vec<Option<u32>>,
    /// Rows of bits, one for each cell, the lowest bit of a byte first. A zero byte and the byte after it are as many
    /// zero bytes as that one says.
    pub coded: Vec<u8>,
}

/// A plane that divides space.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct VisNode {
    /// Unit normal and distance from the origin: `xyz . point - w >= 0` is in front.
    pub plane: [f32; 4],
    /// What is in front, and what is behind: a node that stands later in the list, or `-1 - leaf`.
    pub children: [i32; 2],
}

impl Visibility {
    /// The cell that a point is in.
    pub fn cell_at(&self, point: [f32; 3]) -> Option<u32> {
        let mut child = if self.nodes.is_empty() { -1 } else { 0 };
        while let Ok(node) = usize::try_from(child) {
            let VisNode {
                plane: [a, b, c, w],
                children,
            } = *self.nodes.get(node)?;
            let distance = a * point[0] + b * point[1] + c * point[2] - w;
            child = if distance >= 0.0 {
                children[0]
            } else {
                children[1]
            };
        }
        let leaf = usize::try_from(-1 - i64::from(child)).ok()?;
        *self.leaf_cells.get(leaf)?
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.rows.len()
    }

    /// Whether each cell is seen from `cell`, into `is_visible`, which replaces what it was. From no cell, and where a
    /// row is cut short, everything is seen.
    pub fn visible_from(&self, cell: Option<u32>, is_visible: &mut Vec<bool>) {
        is_visible.clear();
        let row = cell.and_then(|cell| *self.rows.get(cell as usize)?);
        let mut coded = row
            .and_then(|row| self.coded.get(row as usize..))
            .unwrap_or_default()
            .iter();
        while is_visible.len() < self.n_cells() {
            match coded.next() {
                Some(0) => {
                    let n_bytes = coded.next().copied().unwrap_or(u8::MAX);
                    let n_bits = 8 * usize::from(n_bytes);
                    is_visible.resize(is_visible.len() + n_bits, false);
                }
                Some(byte) => is_visible.extend((0..8).map(|bit| byte >> bit & 1 != 0)),
                None => is_visible.resize(self.n_cells(), true),
            }
        }
        is_visible.truncate(self.n_cells());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves() -> Visibility {
        Visibility {
            nodes: vec![VisNode {
                plane: [1.0, 0.0, 0.0, 5.0],
                children: [-1, -2],
            }],
            leaf_cells: vec![Some(9), None],
            rows: vec![Some(0), None, Some(4)],
            coded: vec![0b101, 0, 0, 0b1, 0, 1],
        }
    }

    #[test]
    fn points_are_led_to_the_cell_of_their_leaf_and_ties_to_the_front() {
        let visibility = halves();
        assert_eq!(visibility.cell_at([5.0, 1.0, 2.0]), Some(9));
        assert_eq!(visibility.cell_at([4.9, 1.0, 2.0]), None);
    }

    #[test]
    fn rows_are_bits_with_runs_of_zero_bytes() {
        let visibility = halves();
        let mut seen = vec![true; 7];
        visibility.visible_from(Some(0), &mut seen);
        assert_eq!(seen, [true, false, true]);
        visibility.visible_from(Some(2), &mut seen);
        assert_eq!(seen, [false; 3]);
        for everything in [None, Some(1), Some(77)] {
            visibility.visible_from(everything, &mut seen);
            assert_eq!(seen, [true; 3], "{everything:?}");
        }
    }
}
