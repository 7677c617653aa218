//! Poses of everything that stands in a level, frame after frame, in memory that is used again.

use ironlands::scene::Affine;
use ironlands::sim::animation::RowMatrix;
use ironlands::sim::motion::Clock;

use crate::level::LoadedLevel;

/// Asks the world for poses and hands them on in the scene's words.
#[derive(Debug, Default)]
pub struct Poser {
    world_from_nodes: Vec<RowMatrix>,
}

impl Poser {
    /// World from node for every node of every instance of the scene, into `poses`, which is cleared before;
    /// nothing where nothing stands in it.
    pub fn pose(&mut self, level: &LoadedLevel, clock: &Clock, poses: &mut Vec<Affine>) {
        poses.clear();
        if !level.scene.instances.is_empty() {
            level.world.pose(clock, &mut self.world_from_nodes);
            poses.extend(self.world_from_nodes.iter().map(affine));
        }
    }

    /// The last poses, as the world gave them.
    pub fn poses(&self) -> &[RowMatrix] {
        &self.world_from_nodes
    }
}

/// The first three rows; the fourth is 0 0 0 1.
fn affine(RowMatrix(rows): &RowMatrix) -> Affine {
    Affine(std::array::from_fn(|row| {
        std::array::from_fn(|column| rows[row * 4 + column])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_rows() {
        let numbers = std::array::from_fn(|index| index as f32);
        let expected = [
            [0.0, 1.0, 2.0, 3.0],
            [4.0, 5.0, 6.0, 7.0],
            [8.0, 9.0, 10.0, 11.0],
        ];
        assert_eq!(affine(&RowMatrix(numbers)), Affine(expected));
    }
}
