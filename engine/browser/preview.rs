//! What is known of one file, made on another thread.

mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironlands_sound::Wave;

pub use self::text::Text;
use super::export::forms_of;
use crate::assets::bytes::{FieldSpan, traced};
use crate::assets::format::{AnyFormat, Input, PictureInfo, Reference};
use crate::assets::report::{Depth, Report, Scope};
use crate::commands::read_game_file;
use crate::kind::{Opener, Registry};

/// Parts of a wave that are drawn.
const N_WAVE_PARTS: usize = 2048;
/// Files beyond this many bytes are not converted to be looked at.
const MAX_CONVERTED: usize = 64 << 20;
/// What sounds begin with.
const SOUND: &[u8] = b"RIFF";

/// What is known of one file.
#[derive(Debug, Clone)]
pub struct Preview {
    pub path: PathBuf,
    pub format: Option<&'static dyn AnyFormat>,
    /// The bytes; none of a folder.
    pub data: Arc<[u8]>,
    /// Facts and findings: of a folder one for each group of files.
    pub reports: Vec<Report>,
    /// Which fields its reader took, by place.
    pub fields: Vec<FieldSpan>,
    pub pictures: Vec<PictureInfo>,
    /// As text, and in each interchange format that is text.
    pub texts: Vec<Text>,
    pub wave: Option<Wave>,
    pub references: Vec<Reference>,
    /// What opens it in the window, and what it is in words.
    pub opener: Option<(Opener, String)>,
    /// Extensions of what it can be exported as, beside its own bytes.
    pub forms: Vec<&'static str>,
    /// Why there is no more.
    pub problem: Option<String>,
}

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Which of the file's pictures it is.
    pub index: usize,
    pub size: [u32; 2],
    /// Red, green, blue, alpha; first row first.
    pub rgba: Vec<u8>,
}

impl Preview {
    /// All that is known of what is at a path.
    pub fn load(path: &Path, registry: &Registry) -> Self {
        let mut preview = Self::empty(path);
        let opened = registry.recognize(path).ok().flatten();
        preview.opener = opened.map(|(_, found)| (found.opener, found.description));
        if path.is_dir() {
            preview.add_groups(registry);
            preview.forms = forms_of(path, None, registry);
            return preview;
        }
        match read_game_file(path, registry.formats()) {
            Ok(data) => preview.data = data.into(),
            Err(error) => {
                preview.problem = Some(error.chain());
                return preview;
            }
        }
        let formats = registry.formats();
        let of_archive = formats.recognize_entry(path);
        preview.format = of_archive.or_else(|| formats.recognize_whole(path, &preview.data));
        preview.forms = forms_of(path, preview.format, registry);
        preview.inspect();
        preview.add_contents();
        preview
    }

    fn empty(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            format: None,
            data: Arc::from([]),
            reports: Vec::new(),
            fields: Vec::new(),
            pictures: Vec::new(),
            texts: Vec::new(),
            wave: None,
            references: Vec::new(),
            opener: None,
            forms: Vec::new(),
            problem: None,
        }
    }

    /// Whether it can be shown as a model in the window.
    pub fn is_model(&self) -> bool {
        let opener = self.opener.as_ref();
        opener.is_some_and(|(opener, _)| *opener == Opener::Model)
    }

    /// Decodes one of its pictures, on whatever thread.
    pub fn picture_job(&self, index: usize) -> impl FnOnce() -> Result<Pixels, String> + use<> {
        let (path, data) = (self.path.clone(), Arc::clone(&self.data));
        let (format, info) = (self.format, self.pictures.get(index).cloned());
        move || {
            let (Some(format), Some(info)) = (format, info) else {
                return Err("there is no such picture".to_owned());
            };
            let rgba = format.picture(&path, &data, index);
            let rgba = rgba.map_err(|error| error.to_string())?;
            let [width, height] = info.size;
            match u64::from(width) * u64::from(height) * 4 == rgba.len() as u64 {
                true => Ok(Pixels {
                    index,
                    size: info.size,
                    rgba,
                }),
                false => Err(format!("its pixels are not {width} x {height}")),
            }
        }
    }

    /// What a folder is as a whole, such as a level.
    fn add_groups(&mut self, registry: &Registry) {
        let entries = self.path.read_dir().into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for set in registry.formats().sets() {
            let reports = (set.inspect_folder)(&self.path, &mut paths);
            let groups = reports.into_iter().filter(|it| it.scope == Scope::Group);
            self.reports.extend(groups);
        }
    }

    /// Facts and findings, and the fields that were read for them.
    fn inspect(&mut self) {
        let Some(format) = self.format else {
            return;
        };
        let input = Input {
            path: &self.path,
            data: &self.data,
            depth: Depth::Facts,
        };
        let mut report = Report::new(&self.path, Scope::File, format.name());
        let (refused, fields) = traced(&self.data, || format.inspect(&input, &mut report));
        if let Err(error) = refused {
            report.refuse(&error);
        }
        self.fields = fields;
        self.reports.push(report);
    }

    /// Pictures, texts, sound and references.
    fn add_contents(&mut self) {
        self.texts.extend(Text::from_bytes(&self.data));
        if self.data.starts_with(SOUND) {
            match Wave::decode(Arc::clone(&self.data), N_WAVE_PARTS) {
                Ok(wave) => self.wave = Some(wave),
                Err(error) => self.problem = Some(error.to_string()),
            }
        }
        let Some(format) = self.format else {
            return;
        };
        // What cannot be read has no pictures; the report says why.
        self.pictures = format.pictures(&self.path, &self.data).unwrap_or_default();
        self.references = format.references(&self.path, &self.data);
        if self.data.len() <= MAX_CONVERTED {
            let texts = format.conversions().iter();
            let texts = texts.filter_map(|it| Text::from_conversion(&self.path, &self.data, it));
            self.texts.extend(texts);
        }
    }
}
