//! Entities of a plan, and lights.

use crate::vector::{Vec3, scale};

/// An entity: keys and values in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityPlan {
    /// Keys and values.
    pub pairs: Vec<(String, String)>,
}

impl EntityPlan {
    /// An entity of a class.
    pub fn new(class: &str) -> Self {
        Self { pairs: Vec::new() }.with("classname", class)
    }

    /// With one more key.
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.pairs.push((key.to_owned(), value.to_string()));
        self
    }

    /// With a place.
    pub fn at(self, origin: Vec3) -> Self {
        self.with("origin", words(origin))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|(known, _)| known == key)?;
        Some(&pair.1)
    }

    /// Where it stands, if it is a point.
    pub fn origin(&self) -> Option<Vec3> {
        let mut numbers = self.get("origin")?.split(' ').map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        Some([next()?, next()?, next()?])
    }
}

/// Numbers with blanks between them.
pub fn words(numbers: Vec3) -> String {
    format!("{} {} {}", numbers[0], numbers[1], numbers[2])
}

/// A color as entities have it: red, green, blue, 0 to 255, and brightness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightColor {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// 255 = as bright as the color says.
    pub brightness: f64,
}

impl LightColor {
    /// Linear light (section 8.3).
    pub fn linear(&self) -> Vec3 {
        let channel = |c: u8| libm::pow(f64::from(c) / 255.0, 2.2) * self.brightness / 255.0;
        self.rgb.map(channel)
    }

    fn words(&self) -> String {
        let [r, g, b] = self.rgb;
        format!("{r} {g} {b} {}", self.brightness)
    }
}

/// A light with a place, which fades with the square of the distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Lamp {
    /// Place.
    pub origin: Vec3,
    /// Color.
    pub color: LightColor,
    /// Light style; 0 is steady.
    pub style: i32,
    /// Name by which it is switched; only one with a style of its own can be.
    pub name: Option<&'static str>,
    /// Shines downward only: angles of the inner and the outer cone, in degrees.
    pub cone: Option<[f64; 2]>,
}

impl Lamp {
    /// Linear light at a distance of one unit.
    pub fn intensity(&self) -> Vec3 {
        scale(self.color.linear(), 10_000.0)
    }

    /// Its entity.
    pub fn entity(&self) -> EntityPlan {
        let class = if self.cone.is_some() {
            "light_spot"
        } else {
            "light"
        };
        let mut entity = EntityPlan::new(class)
            .at(self.origin)
            .with("_light", self.color.words())
            .with("_quadratic_attn", 1)
            .with("style", self.style);
        if let Some(name) = self.name {
            entity = entity.with("targetname", name);
        }
        if let Some([inner, outer]) = self.cone {
            entity = entity
                .with("angles", "0 0 0")
                .with("pitch", -90)
                .with("_inner_cone", inner)
                .with("_cone", outer)
                .with("_exponent", 1);
        }
        entity
    }
}

/// Sun and sky.
#[derive(Debug, Clone, PartialEq)]
pub struct Sun {
    /// Where its entity stands.
    pub origin: Vec3,
    /// Below the horizon, in degrees: negative.
    pub pitch: f64,
    /// Where its light goes, in degrees from +X to +Y.
    pub yaw: f64,
    /// Light of the sun on what faces it.
    pub color: LightColor,
    /// Light of the sky on what faces nothing else.
    pub sky: LightColor,
    /// How wide the sun is, as the tangent of half its angle.
    pub spread: f64,
}

impl Sun {
    /// Where the light goes.
    pub fn direction(&self) -> Vec3 {
        let radians = |degrees: f64| degrees * (std::f64::consts::PI / 180.0);
        let (pitch, yaw) = (radians(self.pitch), radians(self.yaw));
        [
            libm::cos(pitch) * libm::cos(yaw),
            libm::cos(pitch) * libm::sin(yaw),
            libm::sin(pitch),
        ]
    }

    /// Its entity.
    pub fn entity(&self) -> EntityPlan {
        EntityPlan::new("light_environment")
            .at(self.origin)
            .with("angles", format!("{} {} 0", self.pitch, self.yaw))
            .with("pitch", self.pitch)
            .with("_light", self.color.words())
            .with("_ambient", self.sky.words())
    }
}
