//! A camera that goes along a path, and how far it has got.

use std::sync::Arc;

use crate::camera::PathView;
use crate::scene::CameraPath;

/// Speeds that the panel offers, in seconds of the path in a second.
pub const SPEEDS: [f32; 2] = [0.1, 8.0];

/// A path and the camera on it.
#[derive(Debug, Clone, PartialEq)]
pub struct PathFlight {
    path: Arc<CameraPath>,
    /// Seconds of the path, in f64 so that short frames add up.
    time_secs: f64,
    /// The camera follows the path; else the eye is free.
    is_followed: bool,
    /// Time stands still on the path.
    pub is_paused: bool,
    /// At its end the path starts over; else the eye is free from there on.
    pub is_looped: bool,
    /// Seconds of the path that go by in a second.
    pub speed: f32,
}

impl PathFlight {
    /// At the path's beginning.
    pub fn new(path: CameraPath) -> Self {
        Self {
            path: Arc::new(path),
            time_secs: 0.0,
            is_followed: true,
            is_paused: false,
            is_looped: false,
            speed: 1.0,
        }
    }

    /// What the path is called.
    pub fn name(&self) -> &str {
        &self.path.name
    }

    /// When the path ends.
    pub fn end_secs(&self) -> f32 {
        self.path.end_secs()
    }

    /// How far the camera has got.
    pub fn time_secs(&self) -> f32 {
        self.time_secs as f32
    }

    /// Whether the camera follows the path.
    pub fn is_followed(&self) -> bool {
        self.is_followed
    }

    /// Lets the camera follow the path, from its beginning if it has come to its end.
    pub fn follow(&mut self) {
        if self.time_secs() >= self.end_secs() {
            self.time_secs = 0.0;
        }
        self.is_followed = true;
        self.is_paused = false;
    }

    /// Lets the eye go where it is.
    pub fn leave(&mut self) {
        self.is_followed = false;
    }

    /// Puts the camera on the path at a time.
    pub fn seek(&mut self, time_secs: f32) {
        self.time_secs = f64::from(time_secs.clamp(0.0, self.end_secs()));
        self.is_followed = true;
    }

    /// Lets seconds pass. Returns whether the camera came to the end and left the path.
    pub fn advance(&mut self, secs: f64) -> bool {
        if !self.is_followed || self.is_paused {
            return false;
        }
        let end_secs = f64::from(self.end_secs());
        self.time_secs += secs * f64::from(self.speed);
        if self.time_secs < end_secs {
            return false;
        }
        if self.is_looped && end_secs > 0.0 {
            self.time_secs = self.time_secs.rem_euclid(end_secs);
            return false;
        }
        self.time_secs = end_secs;
        // A path of one key is a place to stay at.
        self.is_followed = end_secs == 0.0;
        !self.is_followed
    }

    /// Where the camera is, while it follows the path.
    pub fn view(&self) -> Option<PathView> {
        (self.is_followed)
            .then(|| PathView::along(&self.path, self.time_secs()))
            .flatten()
    }

    /// How far it has got, as in `0:07 of 1:30`.
    pub fn progress(&self) -> String {
        let clock = |secs: f32| format!("{}:{:02}", secs as u32 / 60, secs as u32 % 60);
        format!("{} of {}", clock(self.time_secs()), clock(self.end_secs()))
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::CameraKey;

    use super::*;

    fn flight(times: &[f32]) -> PathFlight {
        let key = |time_secs: &f32| CameraKey {
            time_secs: *time_secs,
            position: [*time_secs, 0.0, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
        };
        PathFlight::new(CameraPath {
            name: "test".to_owned(),
            keys: times.iter().map(key).collect(),
        })
    }

    fn place(flight: &PathFlight) -> Option<f32> {
        flight.view().map(|view| view.position.x)
    }

    #[test]
    fn the_eye_is_free_from_the_end_on() {
        let mut flight = flight(&[0.0, 2.0, 75.0]);
        flight.speed = 2.0;
        assert!(!flight.advance(10.0));
        assert_eq!(place(&flight), Some(20.0));
        assert_eq!(flight.progress(), "0:20 of 1:15");
        assert!(flight.advance(50.0), "it ends");
        assert_eq!(place(&flight), None);
        assert!(!flight.advance(50.0), "it ends once");
        flight.follow();
        assert_eq!(place(&flight), Some(0.0), "once more from the beginning");
    }

    #[test]
    fn a_loop_begins_anew() {
        let mut flight = flight(&[0.0, 4.0]);
        flight.is_looped = true;
        assert!(!flight.advance(9.0));
        assert_eq!(place(&flight), Some(1.0));
    }

    #[test]
    fn left_and_followed_again_it_goes_on_where_it_was() {
        let mut flight = flight(&[0.0, 4.0]);
        flight.advance(1.0);
        flight.leave();
        flight.advance(1.0);
        assert_eq!(place(&flight), None);
        flight.follow();
        assert_eq!(place(&flight), Some(1.0));
        flight.is_paused = true;
        flight.advance(1.0);
        assert_eq!(place(&flight), Some(1.0));
    }

    #[test]
    fn seeking_stays_on_the_path() {
        let mut flight = flight(&[1.0, 4.0]);
        flight.leave();
        for (wanted, found) in [(-1.0, 1.0), (2.5, 2.5), (9.0, 4.0)] {
            flight.seek(wanted);
            assert_eq!(place(&flight), Some(found), "{wanted}");
        }
    }

    #[test]
    fn a_path_of_one_place_is_stayed_at() {
        let mut flight = flight(&[0.0]);
        flight.is_looped = true;
        assert!(!flight.advance(5.0));
        assert_eq!(place(&flight), Some(0.0));
    }
}
