//! Nodes and animation tables of a `.msh` as the plain arrays that poses are computed from.

use ironlands_assets_parkan::msh::Msh;
use ironlands_assets_parkan::msh_animation::{
    AnimKey, MshAnimation, NONE, QuaternionOrder, TrackLink, TrackProblem,
};
use ironlands_sim_animation::{KeyTables, NodePose, PoseKey, Skeleton, SkeletonError};

/// What becomes of a node that points outside the tables. The original does not look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// The first such node is an error.
    #[default]
    Strict,
    /// Frames outside the map show the fallback key; a node whose fallback key does not exist stays in place.
    Tolerant,
}

/// Why nodes and tables make no skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MshSkeletonError {
    /// A track breaks a rule of the tables.
    #[error("node {node}: {problem}")]
    Track {
        /// Index of the node.
        node: usize,
        /// The rule.
        problem: TrackProblem,
    },
    /// The nodes have no order to pose them in.
    #[error(transparent)]
    Nodes(#[from] SkeletonError),
}

/// The skeleton of a model.
///
/// # Errors
/// See [`from_tables`].
pub fn from_model(model: &Msh, bounds: Bounds) -> Result<Skeleton, MshSkeletonError> {
    let nodes = model.nodes.as_slice().iter();
    let parents: Vec<_> = nodes.map(|node| node.parent()).collect();
    let order = model.quaternion_order();
    from_tables(
        &model.animation,
        order,
        &model.track_links(),
        &parents,
        bounds,
    )
}

/// The skeleton of nodes, each with how it hangs on the tables and its parent; the tables store quaternions in `order`.
///
/// # Errors
/// A parent that does not come before its child; if strict, a track that breaks a rule of the tables.
///
/// # Panics
/// If the two slices differ in length.
pub fn from_tables(
    animation: &MshAnimation,
    order: QuaternionOrder,
    links: &[TrackLink],
    parents: &[Option<usize>],
    bounds: Bounds,
) -> Result<Skeleton, MshSkeletonError> {
    let plain_links: Vec<_> = links.iter().map(|link| plain_link(*link)).collect();
    let skeleton = Skeleton::new(key_tables(animation, order), &plain_links, parents)?;
    if bounds == Bounds::Strict
        && let Some(&(node, problem)) = animation.problems(links).first()
    {
        return Err(MshSkeletonError::Track { node, problem });
    }
    Ok(skeleton)
}

fn key_tables(animation: &MshAnimation, order: QuaternionOrder) -> KeyTables {
    KeyTables {
        keys: (animation.keys.iter())
            .map(|key| pose_key(key, order))
            .collect(),
        map: animation.map.clone(),
        n_frames: usize::try_from(animation.frame_count).unwrap_or(usize::MAX),
    }
}

fn pose_key(key: &AnimKey, order: QuaternionOrder) -> PoseKey {
    PoseKey {
        time: key.time,
        pose: NodePose {
            rotation: key.rotation_wxyz(order),
            position: key.position,
        },
    }
}

fn plain_link(link: TrackLink) -> ironlands_sim_animation::TrackLink {
    let index = |word: u16| (word != NONE).then_some(usize::from(word));
    ironlands_sim_animation::TrackLink {
        map_start: index(link.map_start),
        fallback: index(link.fallback),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_sim_animation::{Compat, RowMatrix};

    const ORDER: QuaternionOrder = QuaternionOrder::Wxyz;

    /// The tables of dossier section 8.6: keys 10 to 12 belong to the one node, those before to no one.
    fn example() -> (MshAnimation, TrackLink) {
        let key = |time: f32, x: f32, rotation| AnimKey {
            position: [x, 0.0, 0.0],
            time,
            rotation,
        };
        let mut keys = vec![key(0.0, -1.0, [32767, 0, 0, 0]); 10];
        keys.push(key(0.0, 0.0, [32767, 0, 0, 0]));
        keys.push(key(2.0, 1.0, [23170, 0, 0, 23170]));
        keys.push(key(5.0, 3.0, [0, 0, 0, 32767]));
        let animation = MshAnimation {
            keys,
            map: vec![10, 10, 11, 11, 11, 12],
            frame_count: 6,
        };
        let link = TrackLink {
            map_start: 0,
            fallback: 12,
        };
        (animation, link)
    }

    #[test]
    fn keys_are_shown_as_they_are_stored() {
        let (animation, link) = example();
        let skeleton =
            from_tables(&animation, ORDER, &[link], &[None], Bounds::Strict).expect("sound");
        let track = skeleton.track(0).expect("a track");
        for (t, key) in [(0.0, 10), (2.0, 11), (5.0, 12)] {
            let (pose, key) = (track.sample(t, Compat::Exact), &animation.keys[key]);
            assert_eq!(
                (pose.rotation, pose.position),
                (key.rotation_wxyz(ORDER), key.position)
            );
            // Both know the original's table of a matrix; neither may depend on the other.
            let expected = RowMatrix::from_rows(key.parent_from_node(ORDER));
            assert_eq!(
                pose.to_matrix().0.map(f32::to_bits),
                expected.0.map(f32::to_bits)
            );
        }
    }

    #[test]
    fn a_node_without_keys_stays_in_place() {
        let (animation, _) = example();
        let links = [TrackLink::NONE];
        let skeleton =
            from_tables(&animation, ORDER, &links, &[None], Bounds::Tolerant).expect("sound");
        assert!(skeleton.track(0).is_none());
    }

    #[test]
    fn broken_references_are_errors_or_the_fallback() {
        let (animation, link) = example();
        let rows = [
            (
                "fallback",
                TrackLink {
                    fallback: 13,
                    ..link
                },
                TrackProblem::NoSuchFallback {
                    fallback: 13,
                    n_keys: 13,
                },
            ),
            (
                "map",
                TrackLink {
                    map_start: 2,
                    ..link
                },
                TrackProblem::MapOutside {
                    map_start: 2,
                    frame_count: 6,
                    n_words: 6,
                },
            ),
        ];
        for (name, link, problem) in rows {
            let strict = from_tables(&animation, ORDER, &[link], &[None], Bounds::Strict);
            let expected = MshSkeletonError::Track { node: 0, problem };
            assert_eq!(strict.err(), Some(expected), "{name}");
        }
        let at = |link, t| {
            let skeleton = from_tables(&animation, ORDER, &[link], &[None], Bounds::Tolerant);
            let skeleton = skeleton.expect("tolerant");
            let track = skeleton.track(0)?;
            Some(track.sample(t, Compat::Exact))
        };
        let pose_of_key = |key: usize| Some(pose_key(&animation.keys[key], ORDER).pose);
        assert_eq!(at(rows[0].1, 0.0), None);
        // Words 2 to 4 lead to key 11; there is no word for frame 4.
        assert_eq!(at(rows[1].1, 2.0), pose_of_key(11));
        assert_eq!(at(rows[1].1, 4.5), pose_of_key(12));
    }

    #[test]
    fn parent_after_its_child_is_an_error() {
        let (animation, link) = example();
        for bounds in [Bounds::Strict, Bounds::Tolerant] {
            let skeleton = from_tables(&animation, ORDER, &[link, link], &[Some(1), None], bounds);
            let expected = SkeletonError::ParentNotBefore { node: 0, parent: 1 };
            assert_eq!(skeleton.err(), Some(expected.into()));
        }
    }
}
