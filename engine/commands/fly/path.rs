//! What plays in a level, along which path the camera goes, and where its pictures go.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::numbers::parse_fps;
use super::unused_options::{Time, UnusedOption};
use crate::assets::vfs::{self, as_on_disk};
use crate::console::findings::log_findings;
use crate::console::output::Existing;
use crate::error::AppError;
use crate::kind::{AnyWorldKind, OpenOptions, Registry};
use crate::level::LoadedLevel;
use crate::path_draft::PathDraft;
use crate::path_flight::PathFlight;
use crate::playback::LevelPlay;
use crate::recording::Recording;
use crate::scene::CameraPath;

/// What plays, and the camera path among it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Camera path")]
pub struct PathArgs {
    /// Animations to play in a level: still (none), level (those that the level starts itself, the default) or all
    /// (also loop the animations of all other objects). Or FILE.cam, or FILE.json that was saved in the window: a path for the camera to follow until Space or
    /// Esc is pressed. Can be given twice: for animations and for a path.
    #[arg(long, value_name = "WHAT|FILE.cam", conflicts_with = "model")]
    play: Vec<PlayArg>,

    /// Loop the camera path.
    #[arg(long = "loop", requires = "play")]
    is_looped: bool,

    /// Render the whole camera path without a window to numbered pictures in this folder (frame-0000.png, ...), or to a
    /// video (.mp4, .mkv, .mov or .webm) if ffmpeg is in PATH, then exit. The folder is created if it does not exist.
    #[arg(
        long,
        value_name = "DIR",
        requires = "play",
        group = "written",
        conflicts_with = "frames",
        help_heading = "Without a window"
    )]
    record: Option<PathBuf>,

    /// Pictures per second of the camera path.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 30.0,
        value_parser = parse_fps,
        allow_negative_numbers = true,
        requires = "record",
        help_heading = "Without a window"
    )]
    fps: f32,

    /// Record what is heard, too: sound.wav beside the pictures, or in the video.
    #[arg(long, requires = "record", help_heading = "Without a window")]
    sound: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PlayArg {
    Models(LevelPlay),
    Path(PathBuf),
}

impl FromStr for PlayArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(play) = LevelPlay::from_str(text, false) {
            return Ok(Self::Models(play));
        }
        let path = PathBuf::from(text);
        match path.extension() {
            Some(_) => Ok(Self::Path(as_on_disk(&path))),
            None => Err("write still, level, all, or the name of a camera path, FILE.cam"),
        }
    }
}

impl PathArgs {
    /// Whether pictures are to be drawn without a window.
    pub fn is_recording(&self) -> bool {
        self.record.is_some()
    }

    /// Refuses what makes no sense together, before anything is opened.
    ///
    /// # Errors
    /// [`AppError::UnusedOption`].
    pub fn check(&self) -> Result<(), AppError> {
        let n_paths = self.paths().count();
        let n_models = self.play.len() - n_paths;
        if n_paths > 1 || n_models > 1 {
            let what = "--play may be given once for the models of a level and once for a FILE.cam";
            return Err(AppError::UnusedOption(what));
        }
        if n_paths == 0 && self.record.is_some() {
            let what = "--record draws a camera path, so it needs --play FILE.cam";
            return Err(AppError::UnusedOption(what));
        }
        if n_paths == 0 && self.is_looped {
            return Err(AppError::UnusedOption(
                "--loop is for a camera path: --play FILE.cam",
            ));
        }
        Ok(())
    }

    /// Options that were given and do nothing, in a level or, with a `time`, without a window.
    pub fn unused_options(&self, level: &LoadedLevel, time: Option<Time>) -> Vec<UnusedOption> {
        let of_models = self
            .play
            .iter()
            .any(|play| matches!(play, PlayArg::Models(_)));
        let mut unused = Vec::new();
        if of_models && level.scene.instances.is_empty() {
            unused.push(UnusedOption::because("--play", "it has no models"));
        } else if of_models
            && level.world.last_frame() == 0.0
            && level.world.living_entities().is_none()
        {
            unused.push(UnusedOption::because("--play", "nothing in it moves"));
        }
        if self.sound && level.scene.sounds.is_empty() {
            unused.push(UnusedOption::because("--sound", "nothing in it sounds"));
        }
        if self.is_looped && time.is_some() {
            unused.push(UnusedOption::because(
                "--loop",
                "without a window the camera goes along its path once",
            ));
        }
        unused
    }

    /// Whether the camera goes along a path.
    pub fn is_given(&self) -> bool {
        self.paths().next().is_some()
    }

    /// What of a level plays.
    pub fn level_play(&self) -> LevelPlay {
        let of_models = self.play.iter().find_map(|play| match play {
            PlayArg::Models(play) => Some(*play),
            PlayArg::Path(_) => None,
        });
        of_models.unwrap_or_default()
    }

    /// Whether the camera path is of a world, by its name.
    pub fn is_of(&self, kind: &dyn AnyWorldKind) -> bool {
        self.paths().any(|path| is_path_of(kind, path))
    }

    /// The path that the camera is to follow.
    ///
    /// # Errors
    /// If the file is not there or no camera path of any world.
    pub fn flight(
        &self,
        registry: &Registry,
        options: &OpenOptions,
    ) -> Result<Option<PathFlight>, AppError> {
        let Some(path) = self.paths().next() else {
            return Ok(None);
        };
        if path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("json"))
        {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let camera_path = PathDraft::load(path)?.path(&stem);
            return Ok(camera_path.map(|camera_path| self.flight_along(camera_path)));
        }
        let kind = registry.kinds().find(|kind| is_path_of(*kind, path));
        let kind = kind.ok_or_else(|| AppError::UnknownCameraPath {
            path: path.clone(),
            expected: camera_paths_text(registry),
        })?;
        let data = vfs::read(path).map_err(|source| AppError::Read {
            path: path.clone(),
            source,
        })?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let read = kind.camera_path(&data, &stem, options);
        let read = read.map_err(|source| AppError::CameraPath {
            path: path.clone(),
            source: Box::new(source),
        })?;
        let Some((camera_path, findings)) = read else {
            return Ok(None);
        };
        log_findings(&findings);
        Ok(Some(self.flight_along(camera_path)))
    }

    fn flight_along(&self, path: CameraPath) -> PathFlight {
        let mut flight = PathFlight::new(path);
        flight.is_looped = self.is_looped;
        flight
    }

    /// The pictures that are to be made of the path.
    ///
    /// # Errors
    /// For too many of them, and for those that are there and to be kept.
    pub fn recording(
        &self,
        path: &PathFlight,
        existing: Existing,
    ) -> Result<Option<Recording>, AppError> {
        let Some(folder) = &self.record else {
            return Ok(None);
        };
        let recording = Recording::plan(folder, path.end_secs(), self.fps, existing)?;
        match self.sound {
            true => recording.with_sound().map(Some),
            false => Ok(Some(recording)),
        }
    }

    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.play.iter().filter_map(|play| match play {
            PlayArg::Path(path) => Some(path),
            PlayArg::Models(_) => None,
        })
    }
}

fn is_path_of(kind: &dyn AnyWorldKind, path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    kind.camera_paths().iter().any(|known| extension == *known)
}

/// `*.cam or *.path`.
fn camera_paths_text(registry: &Registry) -> String {
    let extensions = registry.kinds().flat_map(|kind| kind.camera_paths());
    let extensions = extensions.chain(&["json"]);
    let names: Vec<_> = extensions
        .map(|extension| format!("*.{extension}"))
        .collect();
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_the_window_is_a_camera_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flight.JSON");
        let play = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let args = PathArgs {
                play: vec![PlayArg::Path(path.clone())],
                is_looped: true,
                record: None,
                fps: 30.0,
                sound: false,
            };
            args.flight(&crate::worlds::registry(), &OpenOptions::default())
        };
        let key = "{\"camera\": \"1,2,3,4,5\", \"secs\": 2.5}";
        let flight = play(&format!("{{\"keys\": [{key}, {key}, {key}]}}"));
        let flight = flight.unwrap().unwrap();
        assert_eq!((flight.name(), flight.end_secs()), ("flight", 5.0));
        assert!(flight.is_looped);
        assert!(play("{}").unwrap_err().chain().contains("keys"));
    }

    #[test]
    fn what_plays_is_a_word_or_a_camera_path() {
        for (text, play) in [
            ("all", PlayArg::Models(LevelPlay::All)),
            ("still", PlayArg::Models(LevelPlay::Still)),
            ("fly/intro.CAM", PlayArg::Path("fly/intro.CAM".into())),
            ("all.cam", PlayArg::Path("all.cam".into())),
        ] {
            assert_eq!(text.parse(), Ok(play), "{text}");
        }
        for wrong in ["", "backward", "intro", "cam"] {
            assert!(wrong.parse::<PlayArg>().is_err(), "{wrong}");
        }
    }
}
