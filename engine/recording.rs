//! A camera path as numbered pictures or as a video, and what is heard along it.

mod video;

use std::path::{Path, PathBuf};

use crate::console::output::{Existing, OutputError, write_png};
use crate::renderer::FrameState;
use crate::scene::Scene;
use image::RgbaImage;
use ironlands_sound::{SoundError, SoundRecording};

pub use self::video::VideoError;
use self::video::{VideoWriter, is_video};
use crate::error::AppError;
use crate::headless::{Studio, check_interrupt, frame_progress, watch_for_interrupt};
use crate::hearing;

/// Most pictures of a recording: nine hours at thirty in a second.
const MAX_FRAMES: u32 = 1_000_000;
/// A picture that is due this share of a frame after the end still belongs to it: times are rounded.
const END_TOLERANCE: f64 = 1e-3;

/// The pictures of a path, and where they go.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// The folder of pictures, or the file of a video.
    to: PathBuf,
    n_frames: u32,
    frames_per_sec: f32,
    existing: Existing,
    has_sound: bool,
}

/// Where pictures go.
enum Sink {
    Pictures,
    Video(VideoWriter),
}

impl Recording {
    /// A picture at 0 seconds, and further ones up to `end_secs`, at this many in a second; `to` is a folder, or the name
    /// of a video.
    ///
    /// # Errors
    /// For too many pictures, and for pictures that are there and to be kept.
    pub fn plan(
        to: &Path,
        end_secs: f32,
        frames_per_sec: f32,
        existing: Existing,
    ) -> Result<Self, AppError> {
        let last = (f64::from(end_secs) * f64::from(frames_per_sec) + END_TOLERANCE).floor();
        if last >= f64::from(MAX_FRAMES) {
            return Err(AppError::TooManyFrames {
                secs: end_secs,
                most: MAX_FRAMES,
            });
        }
        let recording = Self {
            to: to.to_owned(),
            n_frames: last as u32 + 1,
            frames_per_sec,
            existing,
            has_sound: false,
        };
        recording.refuse_what_is_there()?;
        Ok(recording)
    }

    /// The same, with what is heard as `sound.wav` beside the pictures.
    ///
    /// # Errors
    /// If such a file is there and to be kept.
    pub fn with_sound(self) -> Result<Self, AppError> {
        let path = self.sound_path();
        if !self.is_video() && self.existing == Existing::Keep && path.symlink_metadata().is_ok() {
            return Err(OutputError::Exists { path }.into());
        }
        Ok(Self {
            has_sound: true,
            ..self
        })
    }

    /// Where the sound goes; `None` where none is recorded.
    pub fn sound(&self) -> Option<PathBuf> {
        (self.has_sound && !self.is_video()).then(|| self.sound_path())
    }

    /// The video, if it is one.
    pub fn video(&self) -> Option<&Path> {
        self.is_video().then_some(&*self.to)
    }

    fn is_video(&self) -> bool {
        is_video(&self.to)
    }

    fn sound_path(&self) -> PathBuf {
        self.to.join("sound.wav")
    }

    /// How many pictures it has.
    pub fn n_frames(&self) -> u32 {
        self.n_frames
    }

    /// Where a picture goes: numbers begin at 0 and have as many digits as the last, at least four.
    pub fn path_of(&self, frame: u32) -> PathBuf {
        let width = (self.n_frames - 1).to_string().len().max(4);
        self.to.join(format!("frame-{frame:0width$}.png"))
    }

    /// Draws and writes them one after the other; `prepare` sets up a frame for its time in seconds. What is heard is
    /// that of the scene.
    ///
    /// # Errors
    /// If the driver or the disk refuses, and [`AppError::StoppedRecording`] on Ctrl-C. Pictures that were written stay.
    pub fn run(
        &self,
        studio: &mut Studio,
        scene: &Scene,
        mut prepare: impl FnMut(f32, &mut FrameState),
    ) -> Result<(), AppError> {
        watch_for_interrupt();
        let mut sink = self.open(studio.size())?;
        let sound_path = self.has_sound.then(|| match &sink {
            Sink::Video(video) => video.sound_path(),
            Sink::Pictures => self.sound_path(),
        });
        let sound = sound_path.map(|path| SoundRecording::create(&path, scene));
        let mut sound = sound.transpose().map_err(|error| self.sound_error(error))?;
        let progress = frame_progress(self.n_frames);
        let mut state = FrameState::default();
        for frame in 0..self.n_frames {
            check_interrupt().map_err(|_| match &sink {
                // Half a video is none.
                Sink::Video(_) => AppError::Stopped,
                Sink::Pictures => AppError::StoppedRecording {
                    folder: self.to.clone(),
                    n_written: frame,
                    n_frames: self.n_frames,
                },
            })?;
            prepare(frame as f32 / self.frames_per_sec, &mut state);
            // Settled in the first picture; then it follows what is seen.
            state.exposure_secs = (frame > 0).then(|| 1.0 / self.frames_per_sec);
            if let Some(sound) = &mut sound {
                let heard = sound.advance(&hearing::sound_frame(&state, state.time_secs.into()));
                heard.map_err(|error| self.sound_error(error))?;
            }
            let picture = studio.picture(&state)?;
            self.write(&mut sink, frame, picture)?;
            progress.inc(1);
        }
        if let Some(sound) = sound {
            let end_secs = state.time_secs + 1.0 / self.frames_per_sec;
            let ended = sound.finish(end_secs.into());
            ended.map_err(|error| self.sound_error(error))?;
        }
        if let Sink::Video(video) = sink {
            video.finish().map_err(|error| self.video_error(error))?;
        }
        progress.finish_and_clear();
        Ok(())
    }

    /// What pictures of a size are written to.
    fn open(&self, size: [u32; 2]) -> Result<Sink, AppError> {
        if self.is_video() {
            let video = VideoWriter::begin(&self.to, self.existing, size, self.frames_per_sec);
            return Ok(Sink::Video(video.map_err(|error| self.video_error(error))?));
        }
        std::fs::create_dir_all(&self.to).map_err(|source| OutputError::MakeFolder {
            folder: self.to.clone(),
            error: source,
        })?;
        Ok(Sink::Pictures)
    }

    fn write(&self, sink: &mut Sink, frame: u32, picture: RgbaImage) -> Result<(), AppError> {
        match sink {
            Sink::Video(video) => video
                .push(&picture)
                .map_err(|error| self.video_error(error)),
            Sink::Pictures => {
                let written = write_png(&self.path_of(frame), self.existing, picture);
                written.map_err(|error| {
                    let error = AppError::from(error);
                    error.after_some(&self.to, frame as usize, self.n_frames as usize)
                })
            }
        }
    }

    fn video_error(&self, source: VideoError) -> AppError {
        AppError::RecordVideo {
            path: self.to.clone(),
            source,
        }
    }

    fn sound_error(&self, source: SoundError) -> AppError {
        AppError::RecordSound {
            path: self.sound_path(),
            source,
        }
    }

    /// Before anything is drawn: half of a flight among the user's own pictures is worse than none.
    fn refuse_what_is_there(&self) -> Result<(), AppError> {
        if self.existing == Existing::Replace || self.is_video() || !self.to.is_dir() {
            return Ok(());
        }
        let mut paths = (0..self.n_frames).map(|frame| self.path_of(frame));
        match paths.find(|path| path.symlink_metadata().is_ok()) {
            Some(path) => Err(OutputError::Exists { path }.into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(end_secs: f32, frames_per_sec: f32) -> Result<Recording, AppError> {
        let nowhere = Path::new("no/such/folder");
        Recording::plan(nowhere, end_secs, frames_per_sec, Existing::Keep)
    }

    #[test]
    fn there_is_a_picture_at_both_ends() {
        for (end_secs, frames_per_sec, n_frames) in [
            (0.0, 30.0, 1),
            (1.0, 30.0, 31),
            (2.5, 10.0, 26),
            (0.99, 10.0, 10),
            // 0.1 + 0.2 and the like fall short of what they stand for.
            (0.3, 10.0, 4),
            (0.7, 10.0, 8),
        ] {
            let recording = plan(end_secs, frames_per_sec).unwrap();
            assert_eq!(
                recording.n_frames(),
                n_frames,
                "{end_secs} {frames_per_sec}"
            );
        }
    }

    #[test]
    fn numbers_sort_as_they_count() {
        let few = plan(1.0, 30.0).unwrap();
        assert!(few.path_of(7).ends_with("frame-0007.png"));
        let many = plan(1000.0, 30.0).unwrap();
        assert!(many.path_of(7).ends_with("frame-00007.png"));
        assert!(many.path_of(30_000).ends_with("frame-30000.png"));
    }

    #[test]
    fn endless_recordings_are_refused() {
        for end_secs in [1e6, f32::MAX] {
            let error = plan(end_secs, 30.0).unwrap_err();
            assert!(matches!(error, AppError::TooManyFrames { .. }), "{error}");
        }
    }

    #[test]
    fn a_picture_that_is_there_is_reported_before_anything_is_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let plan = |existing| Recording::plan(folder.path(), 1.0, 4.0, existing);
        std::fs::write(folder.path().join("frame-0005.png"), b"mine").unwrap();
        assert!(plan(Existing::Keep).is_ok(), "it is not one of them");
        std::fs::write(folder.path().join("frame-0004.png"), b"mine").unwrap();
        assert!(plan(Existing::Keep).is_err());
        assert!(plan(Existing::Replace).is_ok());
    }
}
