//! The rules of the animation tables: errors, and what is unlike all known files (dossier sections 8.7, 8.9).

use super::{FORMAT, MshAnimation, NodeTrack, TrackLink, TrackMap, TrackSet};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

impl MshAnimation {
    /// What breaks a rule, and what is unlike all known files. `links` are those of all nodes, in order.
    pub fn check(&self, links: &[TrackLink]) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let no_frames = (self.frame_count == 0 && !self.map.is_empty())
            .then(|| (None, "the frame count is 0".to_owned()));
        findings.rule(Severity::Error, no_frames);
        let problems = self.problems(links).into_iter();
        findings.rule(
            Severity::Error,
            problems.map(|(node, problem)| (None, format!("node {node} has {problem}"))),
        );
        match TrackSet::from_tables(self, links) {
            Ok(set) => set.check(&mut findings),
            // A model without any key has no tracks to be canonical.
            Err(_) if self.keys.is_empty() && self.map.is_empty() => {}
            Err(error) => {
                let message = format!("the tables are not canonical: {error}");
                findings.rule(Severity::Warning, [(None, message)]);
            }
        }
        findings.into_list()
    }
}

impl TrackSet {
    fn check(&self, findings: &mut Findings) {
        let from_times = self.frame_count_of_times();
        // Models without Res19 have no frame count.
        let other_count = self.frame_count != 0 && self.frame_count != from_times;
        let other_count = other_count.then(|| {
            let message = format!(
                "the frame count is {}, the keys end after {from_times} frames",
                self.frame_count
            );
            (None, message)
        });
        findings.rule(Severity::Warning, other_count);
        let unusual = (self.tracks.iter().enumerate()).filter_map(|(node, track)| {
            let what = track.unusual()?;
            Some((None, format!("node {node} has {what}")))
        });
        findings.rule(Severity::Warning, unusual);
    }
}

impl NodeTrack {
    /// What is unlike the tracks of all known files.
    fn unusual(&self) -> Option<&'static str> {
        let whole = |time: f32| time >= 0.0 && time.fract() == 0.0;
        let last = self.keys.len().saturating_sub(1);
        let beyond_last = |words: &[u16]| words.iter().any(|word| usize::from(*word) > last);
        if self.keys.first().is_none_or(|key| key.time != 0.0) {
            return Some("a track that does not begin at time 0");
        }
        if !self.keys.iter().all(|key| whole(key.time)) {
            return Some("times that are not whole frames");
        }
        match &self.map {
            TrackMap::None if last > 0 => Some("several keys and no map"),
            TrackMap::Words(words) if beyond_last(words) => {
                Some("map words beyond its fallback key")
            }
            TrackMap::Words(_) => Some("map words that do not follow from its times"),
            TrackMap::None | TrackMap::FromTimes => None,
        }
    }
}
