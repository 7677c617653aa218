//! The colors of the user interface, each of which can be read on what is behind it.

use egui::{Color32, Context, Theme, Visuals};

/// Behind panels, over whatever picture.
pub const PANEL_FILL: Color32 = Color32::from_rgba_unmultiplied_const(18, 20, 24, 225);
/// Behind the levels of the start screen.
pub const LIST_FILL: Color32 = Color32::from_rgb(22, 24, 28);
/// Behind its folders.
pub const SIDE_FILL: Color32 = Color32::from_rgb(30, 33, 39);

/// Sets the colors of a user interface, which is always dark.
pub fn apply(ctx: &Context) {
    ctx.set_theme(Theme::Dark);
    ctx.set_visuals_of(Theme::Dark, visuals());
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(205);
    visuals.weak_text_color = Some(Color32::from_gray(172));
    visuals.warn_fg_color = Color32::from_rgb(255, 170, 70);
    visuals.error_fg_color = Color32::from_rgb(255, 135, 135);
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the WCAG demands of text.
    const LEAST: f64 = 4.5;

    /// Relative luminance as the WCAG defines it.
    fn luminance(color: Color32) -> f64 {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            match value <= 0.04045 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        };
        let [r, g, b, _] = color.to_array();
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let [a, b] = [a, b].map(luminance);
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// A fill over a color; fills are premultiplied.
    fn over(fill: Color32, behind: Color32) -> Color32 {
        let rest = 1.0 - f64::from(fill.a()) / 255.0;
        let blend =
            |fill: u8, behind: u8| (f64::from(fill) + f64::from(behind) * rest).round() as u8;
        let [fill, behind] = [fill, behind].map(|color| color.to_array());
        Color32::from_rgb(
            blend(fill[0], behind[0]),
            blend(fill[1], behind[1]),
            blend(fill[2], behind[2]),
        )
    }

    #[test]
    fn luminance_is_that_of_the_definition() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 1e-9);
        // A pair that the definition's pages name.
        let gray = Color32::from_gray(0x76);
        assert!((contrast(gray, Color32::WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn every_text_can_be_read_on_what_is_behind_it() {
        let visuals = visuals();
        let texts = [
            visuals.text_color(),
            visuals.weak_text_color(),
            visuals.strong_text_color(),
            visuals.warn_fg_color,
            visuals.error_fg_color,
        ];
        // Snow is as bright as it gets behind a panel.
        let panel = over(PANEL_FILL, Color32::WHITE);
        for fill in [panel, LIST_FILL, SIDE_FILL, visuals.extreme_bg_color] {
            for text in texts {
                let found = contrast(text, fill);
                assert!(found >= LEAST, "{text:?} on {fill:?}: {found:.2}");
            }
        }
        let widgets = &visuals.widgets;
        for widget in [
            &widgets.inactive,
            &widgets.hovered,
            &widgets.active,
            &widgets.open,
        ] {
            for fill in [widget.bg_fill, widget.weak_bg_fill] {
                let found = contrast(widget.text_color(), fill);
                assert!(found >= LEAST, "{widget:?}: {found:.2}");
            }
        }
        let selection = visuals.selection;
        let found = contrast(selection.stroke.color, selection.bg_fill);
        assert!(found >= LEAST, "{selection:?}: {found:.2}");
        // Cards of the start screen.
        let found = contrast(visuals.weak_text_color(), widgets.hovered.weak_bg_fill);
        assert!(found >= LEAST, "{found:.2}");
    }
}
