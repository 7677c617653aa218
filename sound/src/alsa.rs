//! The sound device of Linux through ALSA, whose library is loaded when it is wanted: machines without it have no sound,
//! and neither they nor those that build the program need anything of it.

#![allow(
    unsafe_code,
    reason = "the six functions of ALSA that write samples have only a C interface"
)]

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::{env, fs, ptr};

use kira::backend::{Backend, Renderer};
use libloading::Library;

const LIBRARY: &str = "libasound.so.2";
const DEVICE: &CStr = c"default";
const SAMPLE_RATE: u32 = 48_000;
const CHANNELS: u16 = 2;
/// Samples of each side that are mixed at once: 10 ms.
const CHUNK: usize = 480;
/// How long it takes from mixing to hearing.
const LATENCY_MICROSECS: c_uint = 60_000;
// Of alsa/pcm.h.
const STREAM_PLAYBACK: c_int = 0;
const ACCESS_RW_INTERLEAVED: c_int = 3;
const FORMAT_FLOAT_LE: c_int = 14;

/// `snd_pcm_t`, of which only addresses are known.
type Pcm = *mut c_void;
type Open = unsafe extern "C" fn(*mut Pcm, *const c_char, c_int, c_int) -> c_int;
type SetParams = unsafe extern "C" fn(Pcm, c_int, c_int, c_uint, c_uint, c_int, c_uint) -> c_int;
type Write = unsafe extern "C" fn(Pcm, *const c_void, c_ulong) -> c_long;
type Recover = unsafe extern "C" fn(Pcm, c_int, c_int) -> c_int;
type Close = unsafe extern "C" fn(Pcm) -> c_int;
type StrError = unsafe extern "C" fn(c_int) -> *const c_char;

/// Plays through the default device of ALSA, in a thread of its own.
pub struct Alsa {
    output: Option<Output>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An open device.
struct Output {
    pcm: Pcm,
    write: Write,
    recover: Recover,
    close: Close,
    /// The functions are its.
    _library: Library,
}

// SAFETY: a PCM may be used by any thread as long as no two use it at once; there is only one `Output` of each.
unsafe impl Send for Output {}

/// Whether there is something that sound could go to: a card, or a server of sound. Without one ALSA would complain to
/// the terminal.
fn has_device() -> bool {
    let is_output = |name: &str| name.starts_with("pcm") && name.ends_with('p');
    let cards = fs::read_dir("/dev/snd").into_iter().flatten().flatten();
    let mut names = cards.map(|entry| entry.file_name());
    let of_servers = || {
        let folder = PathBuf::from(env::var_os("XDG_RUNTIME_DIR")?);
        let mut sockets = ["pulse/native", "pipewire-0"]
            .map(|it| folder.join(it))
            .into_iter();
        sockets.find(|it| it.exists())
    };
    names.any(|name| name.to_str().is_some_and(is_output)) || of_servers().is_some()
}

impl Output {
    fn open(device: &CStr) -> Result<Self, String> {
        // SAFETY: running the initialization of ALSA's library is what loading it is for.
        let library = unsafe { Library::new(LIBRARY) }.map_err(|error| error.to_string())?;
        /// A function of the library.
        ///
        /// # Safety
        /// It must have the type `F`.
        unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
            // SAFETY: the type is right by this function's contract, and the caller keeps the library.
            let symbol = unsafe { library.get::<F>(name.as_bytes()) };
            symbol.map(|it| *it).map_err(|error| error.to_string())
        }
        // SAFETY: the types are those of alsa/pcm.h and alsa/error.h.
        let (open, set_params, str_error, write, recover, close) = unsafe {
            (
                function::<Open>(&library, "snd_pcm_open")?,
                function::<SetParams>(&library, "snd_pcm_set_params")?,
                function::<StrError>(&library, "snd_strerror")?,
                function::<Write>(&library, "snd_pcm_writei")?,
                function::<Recover>(&library, "snd_pcm_recover")?,
                function::<Close>(&library, "snd_pcm_close")?,
            )
        };
        let checked = |code: c_int| match code < 0 {
            // SAFETY: ALSA returns a text that stays, for any number.
            true => Err(unsafe { CStr::from_ptr(str_error(code)) }
                .to_string_lossy()
                .into_owned()),
            false => Ok(()),
        };
        let mut pcm: Pcm = ptr::null_mut();
        // SAFETY: `pcm` is a place for an address, the name ends with a NUL.
        checked(unsafe { open(&raw mut pcm, device.as_ptr(), STREAM_PLAYBACK, 0) })?;
        let output = Self {
            pcm,
            write,
            recover,
            close,
            _library: library,
        };
        let resample = 1;
        // SAFETY: `pcm` has just been opened.
        checked(unsafe {
            set_params(
                pcm,
                FORMAT_FLOAT_LE,
                ACCESS_RW_INTERLEAVED,
                CHANNELS.into(),
                SAMPLE_RATE,
                resample,
                LATENCY_MICROSECS,
            )
        })?;
        Ok(output)
    }

    /// Plays samples, left and right in turn; waits until there is room for them. `false` if the device is gone.
    fn play(&mut self, samples: &[f32]) -> bool {
        let mut rest = samples;
        while !rest.is_empty() {
            let n_frames = rest.len() / usize::from(CHANNELS);
            // SAFETY: `rest` has so many pairs of samples, and the device is open.
            let written =
                unsafe { (self.write)(self.pcm, rest.as_ptr().cast(), n_frames as c_ulong) };
            match usize::try_from(written) {
                Ok(written) => {
                    rest = rest
                        .get(written * usize::from(CHANNELS)..)
                        .unwrap_or_default();
                }
                // Samples that came too late, or a machine that slept: the device goes on.
                // SAFETY: the device is open.
                Err(_) if unsafe { (self.recover)(self.pcm, written as c_int, 1) } >= 0 => {}
                Err(_) => return false,
            }
        }
        true
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: the device is open, and not used any more. What it answers helps nobody.
        let _ = unsafe { (self.close)(self.pcm) };
    }
}

impl Backend for Alsa {
    type Settings = ();
    type Error = String;

    fn setup(_: (), _internal_buffer_size: usize) -> Result<(Self, u32), String> {
        if !has_device() {
            return Err("there is none".to_owned());
        }
        let alsa = Self {
            output: Some(Output::open(DEVICE)?),
            is_over: Arc::default(),
            thread: None,
        };
        Ok((alsa, SAMPLE_RATE))
    }

    fn start(&mut self, mut renderer: Renderer) -> Result<(), String> {
        let mut output = self.output.take().ok_or("it plays already")?;
        let is_over = Arc::clone(&self.is_over);
        let run = move || {
            let mut samples = [0.0; CHUNK * CHANNELS as usize];
            while !is_over.load(Ordering::Relaxed) {
                renderer.on_start_processing();
                renderer.process(&mut samples, CHANNELS);
                if !output.play(&samples) {
                    return log::warn!("the sound device is gone");
                }
            }
        };
        let thread = thread::Builder::new().name("sound".to_owned()).spawn(run);
        self.thread = Some(thread.map_err(|error| error.to_string())?);
        Ok(())
    }
}

impl Drop for Alsa {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The device of ALSA that throws all away needs no hardware.
    #[test]
    #[expect(clippy::print_stderr, reason = "a test that skips says so")]
    fn samples_go_to_a_device() {
        match Output::open(c"null") {
            Ok(mut output) => assert!((0..10).all(|_| output.play(&[0.5; 2 * CHUNK]))),
            Err(error) => {
                assert!(
                    error.contains(LIBRARY),
                    "only the library may lack: {error}"
                );
                eprintln!("skipped: {error}");
            }
        }
    }

    #[test]
    fn a_device_that_is_not_there_is_told() {
        if let Err(error) = Output::open(c"no_such_device") {
            assert!(!error.is_empty());
        } else {
            panic!("it opened");
        }
    }
}
