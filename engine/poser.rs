//! Poses of everything that stands in a level, frame after frame, in memory that is used again.

use glam::Vec3;

use crate::renderer::FrameState;
use crate::scene::{Affine, Emitter, EmitterState, SoundState, on_clock};
use crate::sim::world::{Clock, Poses};

use crate::level::LoadedLevel;

/// Queries the world for poses and passes them on in the scene's types.
#[derive(Debug, Default)]
pub struct Poser {
    poses: Poses,
    /// When those were computed.
    posed_at: Option<Clock>,
}

impl Poser {
    /// World from node for every node of every instance of the scene, morph weights, light styles, moments of emitters and
    /// sounds, and how the picture is shown, into the frame's, which hold
    /// what this put there before, or nothing; nothing where nothing stands in it or is shown, which is without a
    /// clock. The world is queried only if the time has changed.
    pub fn pose(&mut self, level: &LoadedLevel, clock: Option<Clock>, state: &mut FrameState) {
        let of_emitters = clock.clone();
        let lives = level.world.living_entities().is_some();
        let clock = clock.filter(|_| lives || !level.scene.instances.is_empty());
        if self.posed_at != clock {
            match &clock {
                Some(clock) => level.world.pose(clock, &mut self.poses),
                None => self.poses.clear(),
            }
            self.posed_at.clone_from(&clock);
        }
        // Entities that turn emitters on and off have been posed.
        emit(level, of_emitters.as_ref(), &mut state.emitters);
        state.light_is_hidden = is_light_hidden(level, &self.poses, state);
        state.light_styles.clear();
        if let Some(clock) = &clock {
            level.world.light_styles(clock, &mut state.light_styles);
        }
        sound(level, clock.as_ref(), state);
        state.grading.auto_exposure = None;
        state.grading.correction_weights.clear();
        state.culling.open_portals.clear();
        state.culling.active_occluders.clear();
        if let Some(clock) = &clock {
            level.world.grade(clock, &mut state.grading);
            level.world.cull(clock, &mut state.culling);
        }
        let FrameState { poses, morphs, .. } = state;
        morphs.clone_from(self.poses.morphs());
        let posed = self.poses.world_from_nodes();
        if posed.is_empty() && clock.is_some() {
            // A world that poses nothing leaves everything where the scene has it, for good.
            if poses.is_empty() {
                *poses = level.scene.rest_poses();
            }
            return;
        }
        poses.clear();
        poses.extend(posed.iter().map(|pose| Affine(pose.upper_rows())));
    }

    /// The last poses, as the world gave them: none where nothing is shown.
    pub fn poses(&self) -> &Poses {
        &self.poses
    }
}

/// The emitters of the scene as the world has them at a time; none without a clock: as the scene has them.
fn emit(level: &LoadedLevel, clock: Option<&Clock>, moments: &mut Vec<EmitterState>) {
    moments.clear();
    let Some(clock) = clock else { return };
    let at_clock = |emitter: &Emitter| EmitterState {
        is_on: emitter.starts_on,
        clock_secs: clock.time_secs as f32,
        ..EmitterState::default()
    };
    moments.extend(level.scene.emitters.iter().map(at_clock));
    level.world.emit(clock, moments);
}

/// The sounds of the scene as the world has them at a time, after it was posed; none without a clock.
fn sound(level: &LoadedLevel, clock: Option<&Clock>, state: &mut FrameState) {
    let FrameState { sounds, camera, .. } = state;
    sounds.clear();
    let Some(clock) = clock else { return };
    sounds.resize(level.scene.sounds.len(), SoundState::default());
    level.world.sound(clock, camera.position, sounds);
}

/// Whether something is between the camera and the light of a painted sky with a lens flare.
fn is_light_hidden(level: &LoadedLevel, poses: &Poses, state: &FrameState) -> bool {
    let days = &level.scene.days;
    let day = days.get(state.day).or(days.first());
    let painted = day.and_then(|day| Some((day, day.painted.as_ref()?)));
    let Some((day, painted)) = painted.filter(|(_, painted)| painted.flare.is_some()) else {
        return false;
    };
    let hour = on_clock(state.hour.unwrap_or(day.start_hour));
    if painted.flare_strength(hour, state.camera.forward().to_array()) == 0.0 {
        return false;
    }
    let eye = state.camera.position;
    let (low, high) = level.world.bounds();
    // Beyond all that could be in the way.
    let far = eye.distance(low) + low.distance(high);
    let toward = Vec3::from_array(painted.direction_to_light(hour));
    !level.world.line_of_sight(eye, eye + toward * far, poses)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::sync::{Arc, Mutex};

    use crate::scene::{Emitter, Instance, ModelIdx, Scene};
    use crate::sim::world::Play;

    use super::*;
    use crate::level_defaults::LevelDefaults;
    use crate::model_contents::ModelContents;
    use crate::test_world::TestWorld;

    fn level_of(scene: Scene, world: Arc<TestWorld>) -> LoadedLevel {
        LoadedLevel {
            path: "level".into(),
            kind: crate::worlds::registry().kinds().next().expect("a world"),
            scene,
            world,
            findings: Vec::new(),
            contents: ModelContents::default(),
            objects: Vec::new(),
            model_bounds: None,
            model: None,
            defaults: LevelDefaults::default(),
            editor: Mutex::default(),
            is_editable: false,
        }
    }

    fn at(time_secs: f64) -> Clock {
        Clock {
            time_secs,
            play: Play::Level,
        }
    }

    #[test]
    fn emitters_follow_the_clock_and_then_what_the_world_says() {
        let scene = Scene {
            emitters: vec![Emitter::default(); 3],
            ..Scene::default()
        };
        let level = level_of(scene, Arc::default());
        let mut state = FrameState::default();
        for time_secs in [1.5, 2.5] {
            Poser::default().pose(&level, Some(at(time_secs)), &mut state);
            let moments = state.emitters.iter().map(|it| (it.is_on, it.clock_secs));
            let clock_secs = time_secs as f32;
            // This world turns off the first one.
            let expected = [(false, clock_secs), (true, clock_secs), (true, clock_secs)];
            assert_eq!(moments.collect::<Vec<_>>(), expected);
        }
        Poser::default().pose(&level, None, &mut state);
        assert_eq!(state.emitters, [], "as the scene has them");
    }

    #[test]
    fn the_world_is_queried_once_per_time_and_never_for_what_is_not_shown() {
        let world = Arc::new(TestWorld::default());
        let instance = Instance {
            model: ModelIdx(0),
            ..Instance::default()
        };
        let scene = Scene {
            instances: vec![instance],
            ..Scene::default()
        };
        let level = level_of(scene, world.clone());
        let mut poser = Poser::default();
        let steps = [
            (Some(1.0), 1),
            (Some(1.0), 1),
            (Some(2.0), 2),
            (None, 2),
            (Some(2.0), 3),
        ];
        for (time_secs, n_expected) in steps {
            let mut state = FrameState {
                poses: vec![Affine::IDENTITY; 5],
                ..FrameState::default()
            };
            poser.pose(&level, time_secs.map(at), &mut state);
            let n_posed = world.n_posed.load(Ordering::Relaxed);
            assert_eq!(n_posed, n_expected, "{time_secs:?}");
            // Emitters are as the entities of that pose are.
            let n_before = (world.n_posed_before_emitters).load(Ordering::Relaxed);
            assert_eq!(n_before, n_expected);
            let n_nodes = usize::from(time_secs.is_some());
            let n_posed = poser.poses().world_from_nodes().len();
            assert_eq!((state.poses.len(), n_posed), (n_nodes, n_nodes));
        }
    }
}
