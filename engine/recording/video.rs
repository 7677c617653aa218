//! A video, which `ffmpeg` makes of pictures that it is handed one after the other.
//!
//! The file appears under its name only when it is complete; what is made on the way lies in a folder beside it that is
//! removed at the end, also when the work is stopped.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use image::RgbaImage;
use tempfile::TempDir;
use thiserror::Error;

use crate::console::output::{Existing, OutputError, check_writable};

/// The program that encodes.
const ENCODER: &str = "ffmpeg";
/// Extensions of videos, in lowercase.
const EXTENSIONS: [&str; 4] = ["mp4", "mkv", "mov", "webm"];

/// Why there is no video.
#[derive(Debug, Error)]
pub enum VideoError {
    #[error(
        "{ENCODER} is not in PATH; without it pictures are recorded into a folder, --record DIR"
    )]
    NoEncoder,
    #[error("cannot run {ENCODER}")]
    Run(#[source] io::Error),
    #[error("{ENCODER} ended early ({status}): {message}")]
    Ended { status: ExitStatus, message: String },
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// A video that is being made.
pub struct VideoWriter {
    /// Where it is to be.
    to: PathBuf,
    work: TempDir,
    encoder: Child,
}

/// Whether a path is one of a video, by its extension.
pub fn is_video(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    EXTENSIONS.contains(&&*extension)
}

impl VideoWriter {
    /// Begins a video of pictures of one size.
    ///
    /// # Errors
    /// There is no `ffmpeg`, or the video could not be written in the end.
    pub fn begin(
        to: &Path,
        existing: Existing,
        [width, height]: [u32; 2],
        frames_per_sec: f32,
    ) -> Result<Self, VideoError> {
        check_writable(to, existing)?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let work = tempfile::Builder::new()
            .prefix(".ironlands-video-")
            .tempdir_in(folder.unwrap_or(Path::new(".")));
        let work = work.map_err(VideoError::Run)?;
        let mut command = encoder(work.path())?;
        command
            .args(["-f", "rawvideo", "-pix_fmt", "rgba"])
            .args(["-s", &format!("{width}x{height}")])
            .args(["-r", &frames_per_sec.to_string(), "-i", "-"])
            // Colors are stored for blocks of two by two pixels.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
            .args(["-pix_fmt", "yuv420p", "-crf", "18"])
            .arg(work.path().join(file_name(to, "pictures")))
            .stdin(Stdio::piped());
        let encoder = command.spawn().map_err(spawn_error)?;
        Ok(Self {
            to: to.to_owned(),
            work,
            encoder,
        })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// `ffmpeg` takes no more.
    pub fn push(&mut self, picture: &RgbaImage) -> Result<(), VideoError> {
        let stdin = self.encoder.stdin.as_mut();
        let written = stdin.map_or(Ok(()), |stdin| stdin.write_all(picture.as_raw()));
        match written {
            Ok(()) => Ok(()),
            // It has ended, and says why.
            Err(_) => self.wait(),
        }
    }

    /// Where what is heard is to be written before [`finish`](Self::finish).
    pub fn sound_path(&self) -> PathBuf {
        self.work.path().join("sound.wav")
    }

    /// Ends the video, with the sound if there is one, and gives it its name.
    ///
    /// # Errors
    /// `ffmpeg` fails, or the file cannot have its name.
    pub fn finish(mut self) -> Result<(), VideoError> {
        drop(self.encoder.stdin.take());
        self.wait()?;
        let mut made = self.work.path().join(file_name(&self.to, "pictures"));
        if self.sound_path().is_file() {
            let whole = self.work.path().join(file_name(&self.to, "whole"));
            let mut command = encoder(self.work.path())?;
            command
                .arg("-i")
                .arg(&made)
                .arg("-i")
                .arg(self.sound_path());
            command.args(["-c:v", "copy", "-shortest"]).arg(&whole);
            self.encoder = command.spawn().map_err(spawn_error)?;
            self.wait()?;
            made = whole;
        }
        fs::rename(&made, &self.to).map_err(|source| {
            VideoError::Output(OutputError::Io {
                path: self.to.clone(),
                source,
            })
        })
    }

    fn wait(&mut self) -> Result<(), VideoError> {
        let status = self.encoder.wait().map_err(VideoError::Run)?;
        if status.success() {
            return Ok(());
        }
        let log = crate::assets::vfs::read(&log_path(self.work.path())).unwrap_or_default();
        let message = String::from_utf8_lossy(&log);
        Err(VideoError::Ended {
            status,
            message: message.trim().replace('\n', "; "),
        })
    }
}

impl Drop for VideoWriter {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.encoder.kill();
        let _ = self.encoder.wait();
    }
}

/// The program with what all its calls have in common. Its messages go to a file: no thread reads a pipe meanwhile.
fn encoder(work: &Path) -> Result<Command, VideoError> {
    let log = fs::File::create(log_path(work)).map_err(VideoError::Run)?;
    let mut command = Command::new(ENCODER);
    command
        .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    // Ctrl-C is for this program, which ends the other one.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

fn log_path(work: &Path) -> PathBuf {
    work.join("messages.txt")
}

/// A name with the extension of the video, by which the encoder knows the format.
fn file_name(to: &Path, stem: &str) -> PathBuf {
    Path::new(stem).with_extension(to.extension().unwrap_or(OsStr::new("mp4")))
}

fn spawn_error(error: io::Error) -> VideoError {
    match error.kind() {
        io::ErrorKind::NotFound => VideoError::NoEncoder,
        _ => VideoError::Run(error),
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    /// Whether this machine has the encoder: tests of it pass without one.
    fn has_encoder() -> bool {
        Command::new(ENCODER).arg("-version").output().is_ok()
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn videos_are_known_by_their_extensions() {
        for (path, expected) in [
            ("flight.mp4", true),
            ("flight.WEBM", true),
            ("flight", false),
            ("mp4", false),
            ("pictures.d", false),
        ] {
            assert_eq!(is_video(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_video_appears_whole_or_not_at_all() {
        if !has_encoder() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("flight.mkv");
        let begin = || VideoWriter::begin(&to, Existing::Keep, [31, 17], 10.0).unwrap();
        let picture = RgbaImage::from_pixel(31, 17, Rgba([200, 10, 30, 255]));
        let mut stopped = begin();
        stopped.push(&picture).unwrap();
        drop(stopped);
        assert_eq!(names_in(folder.path()), [""; 0]);
        let mut video = begin();
        for _ in 0..5 {
            video.push(&picture).unwrap();
        }
        video.finish().unwrap();
        assert_eq!(names_in(folder.path()), ["flight.mkv"]);
        // What Matroska files begin with.
        let bytes = fs::read(&to).unwrap();
        assert!(bytes.starts_with(&[0x1A, 0x45, 0xDF, 0xA3]));
        let refused = VideoWriter::begin(&to, Existing::Keep, [31, 17], 10.0);
        assert!(matches!(refused.err(), Some(VideoError::Output(_))));
    }

    #[test]
    fn what_the_encoder_says_is_in_the_error() {
        if !has_encoder() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("flight.mp4");
        let video = VideoWriter::begin(&to, Existing::Keep, [0, 0], 10.0).unwrap();
        let error = video.finish().unwrap_err();
        assert!(matches!(&error, VideoError::Ended { message, .. } if !message.is_empty()));
        assert_eq!(names_in(folder.path()), [""; 0]);
    }
}
