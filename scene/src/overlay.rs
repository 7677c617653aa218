//! Named debug layers of lines and areas.

/// A debug layer: lines and filled triangles in world space, drawn over the level on request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Unique name, shown in switches.
    pub name: String,
    /// Pairs of end points.
    pub lines: Vec<OverlayVertex>,
    /// Triples of corners.
    pub triangles: Vec<OverlayVertex>,
    /// What its colors mean.
    pub legend: Vec<LegendEntry>,
    /// Whether it is drawn until it is switched off.
    pub is_shown: bool,
}

/// A color and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// Red, green, blue; display space.
    pub color: [u8; 3],
    /// In a few words.
    pub text: String,
}

impl LegendEntry {
    /// An entry.
    pub fn new(color: [u8; 3], text: impl Into<String>) -> Self {
        Self {
            color,
            text: text.into(),
        }
    }
}

impl Overlay {
    /// The same with a legend: of these entries those whose colors it has.
    #[must_use]
    pub fn with_legend(self, entries: impl IntoIterator<Item = LegendEntry>) -> Self {
        let vertices = || self.lines.iter().chain(&self.triangles);
        let mut colors: Vec<[u8; 4]> = vertices().map(|vertex| vertex.color).collect();
        colors.sort_unstable();
        colors.dedup();
        let is_shown = |entry: &LegendEntry| colors.iter().any(|color| color[..3] == entry.color);
        Self {
            legend: entries.into_iter().filter(is_shown).collect(),
            ..self
        }
    }
}

/// A colored point of an overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlayVertex {
    /// Position in the world.
    pub position: [f32; 3],
    /// Red, green, blue, alpha; display space, not premultiplied.
    pub color: [u8; 4],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_has_the_colors_that_are_there() {
        let vertex = |color| OverlayVertex {
            position: [0.0; 3],
            color,
        };
        let overlay = Overlay {
            lines: vec![vertex([1, 2, 3, 255]); 2],
            triangles: vec![vertex([4, 5, 6, 70]); 3],
            ..Overlay::default()
        };
        let entries = [[1, 2, 3], [4, 5, 6], [7, 8, 9]].map(|color| LegendEntry::new(color, "x"));
        let overlay = overlay.with_legend(entries.clone());
        assert_eq!(overlay.legend, entries[..2]);
    }
}
