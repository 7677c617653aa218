//! How models are shown: what command line, keys and the panel's switches all change.

use crate::model_contents::ModelContents;
use crate::playback::{LevelPlay, Playback, What};

/// How models are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOptions {
    /// What they play.
    pub playback: Playback,
    /// The state that all show in place of their own.
    pub state: Option<u8>,
    /// The level of detail that all show in place of the one for their size.
    pub lod: Option<u8>,
    /// Names are written at their places.
    pub names: bool,
    /// Lines go from each node to the one that carries it.
    pub bones: bool,
    /// Node of a single model that is pointed out.
    pub selected_node: Option<usize>,
    /// Pieces of a single model that are not shown.
    pub hidden_pieces: Vec<u32>,
}

/// What a key changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelCommand {
    /// Let the time of models stand still, or go on.
    TogglePause,
    /// Let a level play in the next of its ways.
    NextPlay,
    /// Let a single model stand still this many frames further.
    StepFrame(i8),
    NextState,
    NextLod,
    ToggleNames,
    ToggleBones,
}

impl ModelOptions {
    /// Playing, with nothing overridden.
    pub fn new(playback: Playback) -> Self {
        Self {
            playback,
            state: None,
            lod: None,
            names: false,
            bones: false,
            selected_node: None,
            hidden_pieces: Vec::new(),
        }
    }

    /// Obeys a key, as far as the models have what it chooses.
    pub fn obey(&mut self, command: ModelCommand, contents: &ModelContents) {
        let playback = &mut self.playback;
        match command {
            ModelCommand::TogglePause => playback.is_paused = !playback.is_paused,
            ModelCommand::NextPlay => {
                if let What::Level(play) = &mut playback.what {
                    *play = next_play(*play);
                }
            }
            ModelCommand::StepFrame(frames) => {
                if let Some(shown) = playback.what.frames() {
                    shown.step(frames);
                    playback.is_paused = true;
                }
            }
            ModelCommand::NextState => self.state = next_choice(&contents.states, self.state),
            ModelCommand::NextLod => self.lod = next_choice(&contents.lods(), self.lod),
            ModelCommand::ToggleNames => self.names = !self.names,
            ModelCommand::ToggleBones => self.bones = !self.bones,
        }
    }
}

impl ModelOptions {
    /// What a key has changed, in words, where the picture alone may not show it.
    pub fn reported(&self, command: ModelCommand) -> Option<String> {
        let choice = |choice: Option<u8>, none: &str| {
            choice.map_or_else(|| none.to_owned(), |number| number.to_string())
        };
        match command {
            ModelCommand::NextPlay => match &self.playback.what {
                What::Level(play) => Some(play.label().to_owned()),
                What::Model(_) | What::Figure(_) => None,
            },
            ModelCommand::NextState => Some(format!("state: {}", choice(self.state, "own"))),
            ModelCommand::NextLod => Some(format!("detail: {}", choice(self.lod, "auto"))),
            ModelCommand::TogglePause
            | ModelCommand::StepFrame(_)
            | ModelCommand::ToggleNames
            | ModelCommand::ToggleBones => None,
        }
    }
}

fn next_play(play: LevelPlay) -> LevelPlay {
    match play {
        LevelPlay::Level => LevelPlay::All,
        LevelPlay::All => LevelPlay::Still,
        LevelPlay::Still => LevelPlay::Level,
    }
}

/// The choice after `current`: none, then each of `choices`, then none again.
fn next_choice(choices: &[u8], current: Option<u8>) -> Option<u8> {
    let next = match current {
        None => 0,
        Some(current) => choices.iter().position(|choice| *choice == current)? + 1,
    };
    choices.get(next).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playback::FrameLoop;

    #[test]
    fn choices_go_around_through_none() {
        let after = |current| next_choice(&[0, 2], current);
        assert_eq!(
            [None, Some(0), Some(2)].map(after),
            [Some(0), Some(2), None]
        );
        assert_eq!(after(Some(7)), None, "no longer a choice");
        assert_eq!(next_choice(&[], None), None);
    }

    #[test]
    fn ways_to_play_go_around() {
        let start = LevelPlay::default();
        assert_eq!(next_play(next_play(next_play(start))), start);
        assert_ne!(next_play(start), start);
    }

    #[test]
    fn what_was_chosen_is_reported() {
        let level = What::Level(LevelPlay::Level);
        let mut options = ModelOptions::new(Playback::new(level, 15.0));
        let contents = ModelContents {
            states: vec![0, 2],
            n_lods: 1,
            ..ModelContents::default()
        };
        let mut press = |command| {
            options.obey(command, &contents);
            options.reported(command).unwrap_or_default()
        };
        let state = [ModelCommand::NextState; 3].map(&mut press);
        assert_eq!(state, ["state: 0", "state: 2", "state: own"]);
        let lod = [ModelCommand::NextLod; 2].map(&mut press);
        assert_eq!(lod, ["detail: 0", "detail: auto"]);
        assert_eq!(press(ModelCommand::NextPlay), LevelPlay::All.label());
    }

    #[test]
    fn a_step_stops_a_model_and_leaves_a_level_alone() {
        let model = What::Model(FrameLoop::new(8.0));
        for (what, is_stopped) in [(model, true), (What::Level(LevelPlay::All), false)] {
            let mut options = ModelOptions::new(Playback::new(what, 15.0));
            options.obey(ModelCommand::StepFrame(1), &ModelContents::default());
            assert_eq!(options.playback.is_paused, is_stopped);
        }
    }
}
