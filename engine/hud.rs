//! What is painted over the picture: the panel, the crosshair, the list of keys.
//!
//! In: figures of the frame ([`HudView`]). Changed in place: the [`ViewOptions`] behind the switches.

mod bookmarks;
mod browser;
mod camera_text;
mod compare;
mod day;
mod edit;
mod figure;
mod figures;
mod gamepad;
mod key_list;
mod keys;
mod labels;
mod land;
mod living;
mod minimap;
mod models;
mod objects;
mod panel;
mod path;
mod path_draft;
mod photo;
mod progress;
mod refusal;
mod settings;
mod start;
mod theme;
mod widgets;

use crate::camera::Eye;
use crate::frame_budget::FrameBudget;
use crate::frame_times::FrameTimes;
use crate::renderer::{FrameState, FrameStats, TileMemory};
use crate::sim::world::Fact;
use egui::{Align2, Color32, Pos2, Stroke, vec2};
use fluent_bundle::FluentValue;

pub use self::browser::{BrowserReply, BrowserScreen, WindowView};
pub use self::camera_text::CameraText;
pub use self::compare::{CompareWish, SecondView};
pub use self::keys::KeyChoice;
pub use self::objects::ObjectChoice;
pub use self::path_draft::{DraftPanel, DraftWish};
pub use self::photo::hint as photo_hint;
pub use self::progress::{Progress, show as show_progress};
pub use self::refusal::Refusal;
pub use self::settings::show_all as show_settings;
pub use self::start::{Pictures, StartReply, StartScreen, StartView};
pub use self::theme::{PANEL_FILL, apply as apply_theme};
use self::widgets::window_frame;
use crate::editing::Editing;
use crate::input::{Relevance, help_lines};
use crate::level::LoadedLevel;
use crate::minimap::MapArea;
use crate::view_options::ViewOptions;
use crate::words::{marked, tr, tr_with};

/// What the panel shows about the frame.
pub struct HudView<'a> {
    pub level: &'a LoadedLevel,
    /// Name of the graphics adapter.
    pub adapter: &'a str,
    pub frame_times: &'a FrameTimes,
    pub frame_budget: &'a FrameBudget,
    pub eye: &'a Eye,
    /// What the HUD is painted over.
    pub frame: &'a FrameState,
    pub is_mouse_held: bool,
    /// What is picked, or else under the crosshair; nothing over the sky.
    pub facts: &'a [Fact],
    /// Whether `facts` are those of the picked face.
    pub is_picked: bool,
    /// What is between the last two picks.
    pub relation: &'a [Fact],
    /// Whether that is still looked for.
    pub is_relating: bool,
    /// What the tiles of the land take, if it comes in such.
    pub tile_memory: Option<TileMemory>,
    /// Of the frame before.
    pub stats: FrameStats,
    /// What the map of the level shows; `None` where there is none.
    pub map_area: Option<&'a MapArea>,
    /// Where the facts are of, as text to copy.
    pub place_text: Option<&'a str>,
    /// A message, such as where a screenshot was written.
    pub message: Option<&'a str>,
    /// What is compared with.
    pub second: Option<SecondView<'a>>,
}

/// Logical points that the HUD is laid out for; where the display's scale leaves fewer in a window, it is smaller.
const COMFORTABLE_SIZE: [f32; 2] = [960.0, 540.0];

/// Zoom of the HUD in a window of this size in pixels on a display with `native` pixels a point: 1, or less where there
/// would be no room. A point is never less than a pixel for it.
pub fn zoom_factor(native: f32, [width, height]: [u32; 2]) -> f32 {
    let [least_width, least_height] = COMFORTABLE_SIZE;
    let room = (width as f32 / least_width).min(height as f32 / least_height);
    (room.max(1.0) / native).min(1.0)
}

/// Lays out all that `options` shows; the switches in it change `options`.
pub fn show(
    ctx: &egui::Context,
    view: &HudView<'_>,
    options: &mut ViewOptions,
    mut editing: Option<&mut Editing>,
) {
    if options.photo.is_on {
        return view.message.map_or((), |text| show_line(ctx, text));
    }
    let areas = compare::areas(ctx, view.second.as_ref());
    if options.crosshair {
        for area in &areas {
            paint_crosshair(ctx, area.center());
        }
    }
    if let Some(area) = view.map_area {
        minimap::show(ctx, &view.eye.pose(), area, &mut options.minimap);
    }
    let panel = match options.panel {
        true => panel::show(ctx, view, options, editing.as_deref_mut()),
        false => None,
    };
    // On the layer behind the panel, whose place has to be known.
    if options.switches.models {
        let first = (&view.level.contents, view.frame);
        let second = view.second.as_ref();
        let second = second.map(|second| (&second.level.contents, second.frame));
        for (area, shown) in areas
            .iter()
            .zip([Some(first), second].into_iter().flatten())
        {
            labels::paint(ctx, shown, &options.models, *area, panel);
        }
    }
    if let Some(second) = &view.second {
        compare::paint(ctx, [view.level.name(), second.level.name()], &areas);
    }
    if options.help {
        let keys = help_lines(&Relevance::new(view.level, options));
        key_list::show(ctx, &keys, &mut options.help);
    }
    let is_edited = editing.is_some_and(|editing| editing.is_on);
    show_bottom_line(ctx, view, options, is_edited);
}

/// A message if there is one; otherwise what a newcomer needs to know.
fn show_bottom_line(
    ctx: &egui::Context,
    view: &HudView<'_>,
    options: &ViewOptions,
    is_edited: bool,
) {
    let on_path = options.path.as_ref().filter(|path| path.is_followed());
    let on_path = on_path.map(path::line);
    let below = panel::depth_below_ground(view, view.eye.pose().position).map(|depth| {
        let depth = FluentValue::from(format!("{depth:.1}"));
        tr_with(
            "The camera is {depth} units below the ground",
            &[("depth", depth)],
        )
    });
    let hint = if below.is_some() {
        below.as_deref()
    } else if !options.panel || options.help {
        None
    } else if let Some(text) = &on_path {
        Some(&**text)
    } else if view.eye.orbit().is_some() {
        Some(marked(
            "Drag to turn, wheel to go nearer, right drag to move it, F1 for all keys",
        ))
    } else if is_edited {
        Some(marked(
            "Left click or drag edits, right click looks around, F1 for all keys",
        ))
    } else if view.is_mouse_held {
        Some(marked("Esc lets the mouse go, F1 shows all keys"))
    } else {
        Some(marked(
            "Click to look around, WASD to move, F1 for all keys",
        ))
    };
    if let Some(text) = view.message.or(hint) {
        show_line(ctx, &tr(text));
    }
}

fn show_line(ctx: &egui::Context, text: &str) {
    egui::Area::new(egui::Id::unique("bottom line"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -12.0))
        .interactable(false)
        .show(ctx, |ui| {
            window_frame(ctx).show(ui, |ui| {
                ui.add(egui::Label::new(text).extend());
            });
        });
}

fn paint_crosshair(ctx: &egui::Context, center: Pos2) {
    const ARM: f32 = 8.0;
    const GAP: f32 = 3.0;
    let painter = ctx.layer_painter(egui::LayerId::background());
    // A dark line below a light one is seen on snow and in shadow.
    for (width, color) in [
        (3.0, Color32::from_black_alpha(140)),
        (1.0, Color32::from_white_alpha(220)),
    ] {
        for arm in [
            vec2(1.0, 0.0),
            vec2(-1.0, 0.0),
            vec2(0.0, 1.0),
            vec2(0.0, -1.0),
        ] {
            let ends = [center + arm * GAP, center + arm * ARM];
            painter.line_segment(ends, Stroke::new(width, color));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hud_is_as_large_as_the_display_wants_it_where_there_is_room() {
        for (native, size, zoom) in [
            (1.0, [1280, 720], 1.0),
            (1.0, [320, 180], 1.0),
            (2.0, [2560, 1440], 1.0),
            (2.0, [1920, 1080], 1.0),
            // 1280 x 720 pixels are 960 x 540 points.
            (2.0, [1280, 720], 2.0 / 3.0),
            (2.0, [640, 360], 0.5),
            (2.0, [1920, 540], 0.5),
        ] {
            let found = zoom_factor(native, size);
            assert!((found - zoom).abs() < 1e-6, "{native}, {size:?}: {found}");
        }
    }
}
