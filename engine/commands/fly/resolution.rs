//! At which size frames are drawn.

use clap::Args;

use super::numbers::{parse_frame_budget, parse_scale};
use super::unused_options::UnusedOption;
use crate::renderer::{ResolutionScale, Style};
use crate::settings::Settings;

/// What is requested of it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct ResolutionArgs {
    /// Draw each frame of the enhanced style within MS milliseconds, as far as a smaller picture allows: down to half of
    /// the width and height, enlarged to the window; by default what the settings of the window say.
    #[arg(long, value_name = "MS", value_parser = parse_frame_budget)]
    frame_budget: Option<f32>,

    /// Draw at this part of the width and height in the enhanced style, 0.5 to 1, and enlarge it.
    #[arg(long, value_name = "SHARE", value_parser = parse_scale, conflicts_with = "frame_budget")]
    resolution_scale: Option<ResolutionScale>,
}

impl ResolutionArgs {
    /// The scale that stays; the full one unless another was requested.
    pub fn scale(&self) -> ResolutionScale {
        self.resolution_scale.unwrap_or_default()
    }

    /// The requested budget, else that of the settings; a scale that stays has none.
    pub fn frame_budget_ms(&self, settings: &Settings) -> Option<f32> {
        let of_settings = settings.frame_budget_ms;
        (self.frame_budget).or(of_settings.filter(|_| self.resolution_scale.is_none()))
    }

    /// Those that were given and do nothing, in frames of this style, which are measured or not.
    pub fn unused_options(&self, style: Style, is_measured: bool) -> Vec<UnusedOption> {
        let faithful = "the faithful style is drawn at full size";
        let given = [
            ("--frame-budget", self.frame_budget.is_some()),
            ("--resolution-scale", self.resolution_scale.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        let reason = |option| match (style, option) {
            (Style::Faithful, _) => Some(faithful),
            (Style::Enhanced, "--frame-budget") if !is_measured => {
                Some("pictures take the time that they take")
            }
            (Style::Enhanced, _) => None,
        };
        let unused = given.filter_map(|(option, _)| Some((option, reason(option)?)));
        unused
            .map(|(option, reason)| UnusedOption::because(option, reason))
            .collect()
    }
}
