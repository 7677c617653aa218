//! Where nodes are, as unit quaternions and translations, the way that glTF has them.

use glam::{DQuat, DVec3};
use gltf_json::scene::{Node, UnitQuaternion};

/// A quarter turn about +X, backward: +Z up becomes +Y up. Quaternion x, y, z, w.
pub const Y_UP_FROM_Z_UP: [f32; 4] = [
    -std::f32::consts::FRAC_1_SQRT_2,
    0.0,
    0.0,
    std::f32::consts::FRAC_1_SQRT_2,
];

/// A place in the space of the parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// In the parent's units.
    pub translation: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

impl Pose {
    /// Where the parent is.
    pub const IDENTITY: Self = Self {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
    };

    /// A pose of a rotation of any length; no rotation where there is none to be had.
    pub fn new(translation: [f32; 3], rotation: DQuat) -> Self {
        Self {
            translation,
            rotation: unit(rotation),
        }
    }

    /// `self * child`: where the child is in the space that `self` is in.
    #[must_use]
    pub fn times(&self, child: &Self) -> Self {
        let (rotation, translation) = self.parts();
        let (child_rotation, child_translation) = child.parts();
        let moved = translation + rotation * child_translation;
        Self::new(moved.as_vec3().into(), rotation * child_rotation)
    }

    /// Where a point goes.
    pub fn transform_point(&self, point: [f32; 3]) -> [f32; 3] {
        let (rotation, translation) = self.parts();
        (translation + rotation * DVec3::from(point.map(f64::from)))
            .as_vec3()
            .into()
    }

    /// Where a direction goes.
    pub fn rotate(&self, direction: [f32; 3]) -> [f32; 3] {
        (self.parts().0 * DVec3::from(direction.map(f64::from)))
            .as_vec3()
            .into()
    }

    /// A node of glTF at this pose; parts that do nothing are left out.
    pub fn to_node(&self) -> Node {
        let Self {
            translation,
            rotation,
        } = *self;
        Node {
            translation: (translation != Self::IDENTITY.translation).then_some(translation),
            rotation: (rotation != Self::IDENTITY.rotation).then_some(UnitQuaternion(rotation)),
            ..Node::default()
        }
    }

    fn parts(&self) -> (DQuat, DVec3) {
        let rotation = DQuat::from_array(self.rotation.map(f64::from)).normalize();
        (rotation, DVec3::from(self.translation.map(f64::from)))
    }
}

/// As f32, without negative zeros.
fn unit(rotation: DQuat) -> [f32; 4] {
    let length = rotation.length();
    if !length.is_normal() {
        return Pose::IDENTITY.rotation;
    }
    (rotation / length).to_array().map(|v| v as f32 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_turned_and_moved_by_its_parent() {
        let quarter_about_z = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let parent = Pose::new([1.0, 2.0, 3.0], quarter_about_z);
        let child = Pose::new([1.0, 0.0, 0.0], DQuat::IDENTITY);
        let placed = parent.times(&child);
        assert_eq!(placed.rotation, parent.rotation);
        for (value, wanted) in placed.translation.iter().zip([1.0, 3.0, 3.0]) {
            // The turn is rounded to f32.
            assert!((value - wanted).abs() < 1e-6, "{placed:?}");
        }
        assert_eq!(placed.translation, parent.transform_point([1.0, 0.0, 0.0]));
    }

    #[test]
    fn what_is_no_rotation_turns_nothing() {
        for rotation in [[0.0; 4], [f64::NAN; 4], [f64::INFINITY, 0.0, 0.0, 0.0]] {
            let pose = Pose::new([0.0; 3], DQuat::from_array(rotation));
            assert_eq!(pose, Pose::IDENTITY);
        }
        assert!(Pose::IDENTITY.to_node().rotation.is_none());
    }
}
