//! What is picked in a picture: printed on stdout, and highlighted in it.

use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;

use crate::renderer::FrameState;
use crate::sim::Ray;
use crate::sim::world::Fact;
use crate::sim::world::Poses;
use clap::Args;
use glam::Vec2;

use crate::console::finite_number;
use crate::console::plain;
use crate::error::AppError;
use crate::level::LoadedLevel;
use crate::picks::Picks;
use crate::view_options::ViewOptions;

/// What is picked in a picture.
#[derive(Debug, Args)]
pub struct PickArgs {
    /// Describe and highlight what is at a pixel of the picture. Given twice, also test the line of sight and find the
    /// path between the two points, for levels that support it.
    #[arg(
        long,
        value_name = "X,Y",
        requires = "render",
        help_heading = "Without a window"
    )]
    pick: Vec<Pixel>,
}

/// A place in a picture, from its upper left corner right and down.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pixel(Vec2);

impl FromStr for Pixel {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once(',').and_then(|(x, y)| {
            let [x, y] = [x, y].map(|number| finite_number(number.trim()).ok());
            Some(Vec2::new(x?, y?))
        });
        numbers.map(Self).ok_or("write two pixels as in 640,360")
    }
}

impl PickArgs {
    /// Picks in the picture that `state` shows, and points out in it what was picked.
    ///
    /// # Errors
    /// If a pixel is not in the picture.
    pub fn point_out(
        &self,
        level: &LoadedLevel,
        (poses, size, options): (&Poses, [u32; 2], &ViewOptions),
        state: &mut FrameState,
        out: &mut dyn Write,
    ) -> Result<(), AppError> {
        let mut picks = Picks::new(Arc::clone(&level.world), options.tile_shape());
        let [width, height] = size;
        for Pixel(at) in &self.pick {
            let is_inside =
                (0.0..=width as f32).contains(&at.x) && (0.0..=height as f32).contains(&at.y);
            if !is_inside {
                return Err(AppError::PickOutside {
                    x: at.x,
                    y: at.y,
                    width,
                    height,
                });
            }
            let ray = Ray {
                origin: state.camera.position,
                direction: state.camera.direction_through(*at, size),
            };
            writeln!(out, "pick {},{}", at.x, at.y)?;
            match level.pick(&ray, poses, options.land.as_ref()) {
                Some(hit) => {
                    picks.pick(hit);
                    report(&level.world.describe(&hit), out)?;
                }
                None => writeln!(out, "  nothing")?,
            }
        }
        picks.wait();
        if !picks.relation_facts().is_empty() {
            writeln!(out, "from the first to the last")?;
            report(picks.relation_facts(), out)?;
        }
        if picks.last().is_some() {
            picks.point_out(poses, state);
        }
        Ok(())
    }
}

fn report(facts: &[Fact], out: &mut dyn Write) -> Result<(), AppError> {
    for Fact { label, value } in facts {
        writeln!(out, "  {}: {}", plain::name(label), plain::line(value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_two_numbers() {
        assert_eq!("640, 36.5".parse(), Ok(Pixel(Vec2::new(640.0, 36.5))));
        for wrong in ["", "1", "1,2,3", "a,b", "nan,1"] {
            assert!(wrong.parse::<Pixel>().is_err(), "{wrong}");
        }
    }
}
