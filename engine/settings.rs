//! Settings that last: what the panel's settings say, kept in a readable file.
//!
//! In: the user's TOML file, of which unknown keys and comments are kept. Out: [`Settings`], whose every value is within
//! its bounds. Pictures without a window do not depend on them.

use std::io;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::assets::vfs;
use crate::console::output::{Existing, make_folder_of, write_file};
use crate::error::AppError;
use crate::gamepad::{Button, PadAction, PadSettings};
use crate::renderer::Style;
use crate::user_folders::settings_file;
use crate::words::{self, Language};

/// Slowest and fastest that the mouse turns the view, as a factor.
pub const MOUSE_SPEEDS: [f32; 2] = [0.1, 10.0];
/// Narrowest and widest field of view.
pub const FIELDS_OF_VIEW_DEG: [f32; 2] = [10.0, 150.0];
/// Slowest and fastest that flying begins, as a factor.
pub const FLY_SPEEDS: [f32; 2] = [0.1, 10.0];
/// Smallest and largest panel, as a factor.
pub const UI_SCALES: [f32; 2] = [0.5, 3.0];

/// Shortest and longest time that a frame may be given, in milliseconds.
pub const FRAME_BUDGETS_MS: [f32; 2] = [1.0, 1000.0];

/// Slowest and fastest that the stick of a gamepad turns the view, as a factor.
pub const PAD_SPEEDS: [f32; 2] = [0.1, 5.0];
/// Least and most of a stick's way that does nothing.
pub const DEAD_ZONES: [f32; 2] = [0.0, 0.9];

/// Loudness of everything.
pub const VOLUMES: [f32; 2] = [0.0, 1.0];

/// What the style is called that each level chooses itself.
const STYLE_OF_LEVEL: &str = "level";
/// What the language is called that is the system's.
const LANGUAGE_OF_SYSTEM: &str = "system";
/// What the budget of a frame is called that has none.
const NO_BUDGET: &str = "none";

/// What the user chose for all levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How fast the mouse turns the view, beside the default.
    pub mouse_speed: f32,
    /// Whether the view goes down when the mouse goes up.
    pub invert_mouse: bool,
    /// Between the left and the right edge of the picture.
    pub field_of_view_deg: f32,
    /// How fast flying begins, beside what the level's size makes of it.
    pub fly_speed: f32,
    /// How levels open; `None` for what each level says.
    pub style: Option<Style>,
    /// Size of the panel, beside what the display makes of it.
    pub ui_scale: f32,
    /// Loudness of everything; 0 is silent.
    pub volume: f32,
    /// How long a frame of the enhanced style may take; `None` for as long as it takes at full size.
    pub frame_budget_ms: Option<f32>,
    /// The language of the window; `None` for the system's.
    pub language: Option<Language>,
    /// How gamepads are read.
    pub pad: PadSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mouse_speed: 1.0,
            invert_mouse: false,
            field_of_view_deg: 74.5,
            fly_speed: 1.0,
            style: None,
            ui_scale: 1.0,
            volume: 0.8,
            frame_budget_ms: None,
            language: None,
            pad: PadSettings::default(),
        }
    }
}

impl Settings {
    /// What the user's file says; what is wrong with it is logged, and the defaults hold.
    pub fn load() -> Self {
        let Some(path) = settings_file() else {
            return Self::default();
        };
        match text_of(&path) {
            Ok(text) => {
                let (settings, problems) = Self::from_text(&text);
                for problem in problems {
                    log::warn!("{}, {problem}", path.display());
                }
                settings
            }
            Err(error) => {
                log::warn!("{}: {error}", path.display());
                Self::default()
            }
        }
    }

    /// Shows all texts in the language that was requested for this run, or else in the chosen one, from now on.
    pub fn set_language(&self) {
        let chosen = words::requested_language().or(self.language);
        words::set_language(chosen.unwrap_or_else(Language::from_system));
    }

    /// Writes them to the user's file, and returns where that is. Nothing else in the file changes.
    ///
    /// # Errors
    /// If the file is there and no TOML, or cannot be written.
    pub fn save(&self) -> Result<Option<PathBuf>, AppError> {
        let Some(path) = settings_file() else {
            return Ok(None);
        };
        let before = text_of(&path).map_err(|source| AppError::Read {
            path: path.clone(),
            source,
        })?;
        let text = self.into_text(&before, &path)?;
        make_folder_of(&path)?;
        write_file(&path, Existing::Replace, text.as_bytes())?;
        Ok(Some(path))
    }

    /// What a text says, and what is wrong with it, each with its line.
    fn from_text(text: &str) -> (Self, Vec<String>) {
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let line = line_of(text, error.span().map(|span| span.start));
                let problem = format!("line {line}: {}", error.message());
                return (Self::default(), vec![problem]);
            }
        };
        let default = Self::default();
        let mut reader = Reader {
            text,
            table: &table,
            problems: Vec::new(),
        };
        let settings = Self {
            mouse_speed: reader.number("mouse_speed", MOUSE_SPEEDS, default.mouse_speed),
            invert_mouse: reader.switch("invert_mouse", default.invert_mouse),
            field_of_view_deg: reader.number(
                "field_of_view",
                FIELDS_OF_VIEW_DEG,
                default.field_of_view_deg,
            ),
            fly_speed: reader.number("fly_speed", FLY_SPEEDS, default.fly_speed),
            style: reader.style("style"),
            ui_scale: reader.number("ui_scale", UI_SCALES, default.ui_scale),
            volume: reader.number("volume", VOLUMES, default.volume),
            frame_budget_ms: reader.budget("frame_budget", FRAME_BUDGETS_MS),
            language: reader.language("language"),
            pad: reader.pad(default.pad),
        };
        (settings, reader.problems)
    }

    /// The text of a file with these settings in place of those that it had.
    fn into_text(self, before: &str, path: &Path) -> Result<String, AppError> {
        let table = DeTable::parse(before).map_err(|error| AppError::BrokenSettings {
            path: path.to_owned(),
            line: line_of(before, error.span().map(|span| span.start)),
        })?;
        let table = table.into_inner();
        let Self {
            mouse_speed,
            invert_mouse,
            field_of_view_deg,
            fly_speed,
            style,
            ui_scale,
            volume,
            frame_budget_ms,
            language,
            pad,
        } = self;
        let language = language.map_or(LANGUAGE_OF_SYSTEM, Language::code);
        let frame_budget = frame_budget_ms.map_or_else(|| format!("\"{NO_BUDGET}\""), rounded);
        let style = style.map_or(STYLE_OF_LEVEL, Style::name);
        let mut lines = vec![
            ("mouse_speed", rounded(mouse_speed)),
            ("invert_mouse", invert_mouse.to_string()),
            ("field_of_view", rounded(field_of_view_deg)),
            ("fly_speed", rounded(fly_speed)),
            ("style", format!("\"{style}\"")),
            ("ui_scale", rounded(ui_scale)),
            ("volume", rounded(volume)),
            ("frame_budget", frame_budget),
            ("language", format!("\"{language}\"")),
            ("gamepad_speed", rounded(pad.look_speed)),
            ("gamepad_invert", pad.invert.to_string()),
            ("gamepad_dead_zone", rounded(pad.dead_zone)),
        ];
        let actions = Button::ALL.into_iter().zip(pad.actions);
        lines.extend(
            actions.map(|(button, action)| (button.key(), format!("\"{}\"", action.name()))),
        );
        let place_of = |key: &str| value_of(&table, key).map(Spanned::span);
        let (known, new): (Vec<_>, Vec<_>) =
            (lines.into_iter()).partition(|(key, _)| place_of(key).is_some());
        let mut values: Vec<_> = known
            .into_iter()
            .filter_map(|(key, value)| Some((place_of(key)?, value)))
            .collect();
        // From the end on, so that places before stay what they are.
        values.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        let mut text = before.to_owned();
        for (place, value) in values {
            text.replace_range(place, &value);
        }
        // Before all tables, whose keys they would be behind them.
        let new = new.into_iter();
        let new: String = new
            .map(|(key, value)| format!("{key} = {value}\n"))
            .collect();
        Ok(new + &text)
    }
}

/// The text of a file; empty where there is none.
pub fn text_of(path: &Path) -> io::Result<String> {
    match vfs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// To three decimals, without the digits that 32 bits add.
fn rounded(number: f32) -> String {
    let rounded = (f64::from(number) * 1000.0).round() / 1000.0;
    format!("{rounded:?}")
}

/// What a table says of a key.
fn value_of<'a>(table: &'a DeTable<'_>, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
    let mut values = table.iter();
    let found = values.find(|(known, _)| known.get_ref() == key);
    found.map(|(_, value)| value)
}

/// The number of the line that a byte of a text is in; the first is 1.
fn line_of(text: &str, offset: Option<usize>) -> usize {
    let before = text.bytes().take(offset.unwrap_or(0));
    before.filter(|byte| *byte == b'\n').count() + 1
}

/// Takes values from a file, and notes what is wrong with them.
struct Reader<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    problems: Vec<String>,
}

impl Reader<'_> {
    fn number(&mut self, key: &str, [least, most]: [f32; 2], default: f32) -> f32 {
        let number = |_: &DeValue<'_>, text: &str| {
            let number = text.parse().ok()?;
            (least..=most).contains(&number).then_some(number)
        };
        let expected = format!("a number from {least} to {most}");
        self.value(key, number, &expected).unwrap_or(default)
    }

    fn budget(&mut self, key: &str, [least, most]: [f32; 2]) -> Option<f32> {
        let budget = |value: &DeValue<'_>, text: &str| {
            if value.as_str() == Some(NO_BUDGET) {
                return Some(None);
            }
            let number = text.parse().ok()?;
            (least..=most).contains(&number).then_some(Some(number))
        };
        let expected = format!("{NO_BUDGET:?} or a number from {least} to {most}");
        self.value(key, budget, &expected).flatten()
    }

    fn switch(&mut self, key: &str, default: bool) -> bool {
        let switch = self.value(key, |value, _| value.as_bool(), "true or false");
        switch.unwrap_or(default)
    }

    fn style(&mut self, key: &str) -> Option<Style> {
        let style = |value: &DeValue<'_>, _: &str| match value.as_str()? {
            STYLE_OF_LEVEL => Some(None),
            name => Style::from_name(name).map(Some),
        };
        let names = Style::ALL.map(|style| format!(" or {:?}", style.name()));
        let expected = format!("{STYLE_OF_LEVEL:?}{}", names.concat());
        self.value(key, style, &expected).flatten()
    }

    fn pad(&mut self, default: PadSettings) -> PadSettings {
        PadSettings {
            look_speed: self.number("gamepad_speed", PAD_SPEEDS, default.look_speed),
            invert: self.switch("gamepad_invert", default.invert),
            dead_zone: self.number("gamepad_dead_zone", DEAD_ZONES, default.dead_zone),
            actions: Button::ALL.map(|button| self.action(button)),
        }
    }

    fn action(&mut self, button: Button) -> PadAction {
        let action = |value: &DeValue<'_>, _: &str| PadAction::from_name(value.as_str()?);
        let names = PadAction::ALL.map(|action| format!("{:?}", action.name()));
        let expected = format!("one of {}", names.join(", "));
        let read = self.value(button.key(), action, &expected);
        read.unwrap_or_else(|| button.default_action())
    }

    fn language(&mut self, key: &str) -> Option<Language> {
        let language = |value: &DeValue<'_>, _: &str| match value.as_str()? {
            LANGUAGE_OF_SYSTEM => Some(None),
            code => Language::from_code(code).map(Some),
        };
        let codes = Language::ALL.map(|language| format!(" or {:?}", language.code()));
        let expected = format!("{LANGUAGE_OF_SYSTEM:?}{}", codes.concat());
        self.value(key, language, &expected).flatten()
    }

    /// What a key says, which `read` makes of its value and of how that is typed.
    fn value<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&DeValue<'_>, &str) -> Option<T>,
        expected: &str,
    ) -> Option<T> {
        let value = value_of(self.table, key)?;
        let place = value.span();
        let read = read(
            value.get_ref(),
            self.text.get(place.clone()).unwrap_or_default(),
        );
        if read.is_none() {
            let line = line_of(self.text, Some(place.start));
            self.problems
                .push(format!("line {line}: {key} must be {expected}"));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# mine
mouse_speed = 2 # fast
tea = \"green\"
style = \"enhanced\"

[later]
cups = 3
";

    fn chosen() -> Settings {
        Settings {
            mouse_speed: 0.7,
            invert_mouse: true,
            field_of_view_deg: 90.0,
            fly_speed: 3.0,
            style: Some(Style::Faithful),
            ui_scale: 1.25,
            volume: 0.25,
            frame_budget_ms: Some(16.7),
            language: Some(Language::Russian),
            pad: PadSettings {
                look_speed: 1.5,
                invert: true,
                dead_zone: 0.2,
                actions: Button::ALL.map(|_| PadAction::Pick),
            },
        }
    }

    #[test]
    fn what_is_written_is_read_and_all_else_is_kept() {
        let (settings, problems) = Settings::from_text(TEXT);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            (settings.mouse_speed, settings.style),
            (2.0, Some(Style::Enhanced))
        );
        let text = chosen().into_text(TEXT, Path::new("s.toml")).unwrap();
        for kept in [
            "# mine\n",
            "mouse_speed = 0.7 # fast",
            "tea = \"green\"",
            "[later]\ncups = 3",
        ] {
            assert!(text.contains(kept), "{kept} is not in\n{text}");
        }
        assert_eq!(Settings::from_text(&text), (chosen(), Vec::new()));
        let default = Settings::default()
            .into_text("", Path::new("s.toml"))
            .unwrap();
        assert_eq!(
            Settings::from_text(&default),
            (Settings::default(), Vec::new())
        );
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        for (text, problem) in [
            (
                "ui_scale = 1\nmouse_speed = \"fast\"",
                "line 2: mouse_speed must be a number from 0.1 to 10",
            ),
            ("\n\nfield_of_view = 900", "line 3: field_of_view must be"),
            (
                "invert_mouse = 1",
                "line 1: invert_mouse must be true or false",
            ),
            (
                "style = \"loud\"",
                "line 1: style must be \"level\" or \"faithful\" or \"enhanced\"",
            ),
            ("ui_scale = nan", "line 1: ui_scale must be"),
            (
                "language = \"klingon\"",
                "line 1: language must be \"system\" or \"en\" or \"ru\"",
            ),
            (
                "gamepad_south = \"tea\"",
                "line 1: gamepad_south must be one of \"nothing\", \"up\"",
            ),
            (
                "gamepad_dead_zone = 1",
                "line 1: gamepad_dead_zone must be a number from 0 to 0.9",
            ),
            (
                "frame_budget = 0",
                "line 1: frame_budget must be \"none\" or a number from 1 to 1000",
            ),
        ] {
            let (settings, problems) = Settings::from_text(text);
            assert_eq!(problems.len(), 1, "{text}");
            assert!(problems[0].starts_with(problem), "{text}: {problems:?}");
            assert_eq!(settings, Settings::default(), "{text}");
        }
        let broken = "ui_scale = 2\n= 3\n";
        let (settings, problems) = Settings::from_text(broken);
        assert_eq!(settings, Settings::default());
        assert!(problems[0].starts_with("line 2: "), "{problems:?}");
        let refused = chosen().into_text(broken, Path::new("s.toml"));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("line 2"), "{refused}");
    }
}
