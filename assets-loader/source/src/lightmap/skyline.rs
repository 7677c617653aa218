//! Places rectangles in a page without overlaps.

/// The upper edge of what is placed in a page: steps from left to right. A rectangle goes where its lower edge lies
/// lowest, of these places the leftmost (section 4.8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skyline {
    size: [u32; 2],
    /// They cover the width without gaps.
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    x: u32,
    width: u32,
    height: u32,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "steps cover the width of the page without gaps"
)]
impl Skyline {
    /// An empty page of a width and a height.
    pub fn new(size: [u32; 2]) -> Self {
        let whole = Step {
            x: 0,
            width: size[0],
            height: 0,
        };
        Self {
            size,
            steps: vec![whole],
        }
    }

    /// Takes a place for a rectangle; `None`, and nothing changes, where there is none.
    ///
    /// The cost grows with the steps, not with the width of the page.
    pub fn place(&mut self, [width, height]: [u32; 2]) -> Option<[u32; 2]> {
        let candidates = (0..self.steps.len()).filter_map(|first| {
            let y = self.height_over(first, width)?;
            let top = y.checked_add(height)?;
            (top <= self.size[1]).then_some((y, first))
        });
        let (y, first) = candidates.min()?;
        let x = self.steps[first].x;
        self.raise(first, width, y + height);
        Some([x, y])
    }

    /// Height of the highest step below a rectangle that begins with the step `first`; `None` if it sticks out.
    fn height_over(&self, first: usize, width: u32) -> Option<u32> {
        let end = self.steps[first].x.checked_add(width)?;
        if end > self.size[0] {
            return None;
        }
        let below = self.steps[first..].iter().take_while(|step| step.x < end);
        below.map(|step| step.height).max()
    }

    fn raise(&mut self, first: usize, width: u32, height: u32) {
        let x = self.steps[first].x;
        let end = x + width;
        let n_below = self.steps[first..]
            .iter()
            .take_while(|step| step.x < end)
            .count();
        let last = self.steps[first + n_below - 1];
        let rest = Step {
            x: end,
            width: last.x + last.width - end,
            ..last
        };
        let new = Step { x, width, height };
        let new = [Some(new), (rest.width > 0).then_some(rest)];
        self.steps
            .splice(first..first + n_below, new.into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rectangles_lie_low_then_left() {
        let mut page = Skyline::new([10, 8]);
        assert_eq!(page.place([4, 3]), Some([0, 0]));
        assert_eq!(page.place([6, 2]), Some([4, 0]));
        assert_eq!(page.place([5, 2]), Some([4, 2]));
        assert_eq!(page.place([1, 6]), Some([9, 2]));
        assert_eq!(page.place([4, 5]), Some([0, 3]));
        assert_eq!(page.place([5, 5]), None);
        assert_eq!(page.place([5, 4]), Some([4, 4]));
        assert_eq!(page.place([1, 1]), None);
    }

    #[test]
    fn what_is_larger_than_the_page_has_no_place() {
        for size in [[11, 1], [1, 9], [u32::MAX, 1], [1, u32::MAX]] {
            assert_eq!(Skyline::new([10, 8]).place(size), None);
        }
    }

    proptest! {
        #[test]
        fn rectangles_never_overlap_nor_stick_out(
            sizes in prop::collection::vec([1u32..20, 1u32..20], 1..60)
        ) {
            let side = 48;
            let mut page = Skyline::new([side; 2]);
            let mut taken = vec![false; (side * side) as usize];
            for [width, height] in sizes {
                let Some([x, y]) = page.place([width, height]) else {
                    continue;
                };
                for y in y..y + height {
                    for x in x..x + width {
                        prop_assert!(x < side && y < side);
                        let pixel = &mut taken[(y * side + x) as usize];
                        prop_assert!(!*pixel, "{x} {y} is taken twice");
                        *pixel = true;
                    }
                }
            }
        }
    }
}
