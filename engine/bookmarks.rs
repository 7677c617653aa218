//! Places remembered until the session ends; nothing is stored.

use crate::camera::Pose;

/// Nine places, one for each of the keys 1 to 9.
#[derive(Debug, Clone, Default)]
pub struct Bookmarks {
    poses: [Option<Pose>; 9],
}

impl Bookmarks {
    /// Remembers a pose under an index below 9, over whatever was there.
    pub fn store(&mut self, index: usize, pose: Pose) {
        self.poses[index] = Some(pose);
    }

    /// The pose under an index below 9, if one is remembered.
    pub fn recall(&self, index: usize) -> Option<Pose> {
        self.poses[index]
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn each_place_is_remembered_under_its_own_number() {
        let pose = |x| Pose::new(Vec3::new(x, 0.0, 0.0), 0.0, 0.0);
        let mut bookmarks = Bookmarks::default();
        bookmarks.store(0, pose(1.0));
        bookmarks.store(8, pose(9.0));
        bookmarks.store(0, pose(2.0));
        assert_eq!(bookmarks.recall(0), Some(pose(2.0)));
        assert_eq!(bookmarks.recall(8), Some(pose(9.0)));
        assert_eq!(bookmarks.recall(4), None);
    }
}
