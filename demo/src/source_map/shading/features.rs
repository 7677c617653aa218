//! The features, each with its material.

use super::MAP_NAME;
use super::surroundings::PLACES;
use crate::source_map::brushes::flags;

/// A feature of materials.
pub struct Feature {
    /// What its plate says: capitals, digits and blanks.
    pub name: &'static str,
    shader: &'static str,
    /// Parameters, as keys and values; a value with braces is a block.
    parameters: &'static [(&'static str, &'static str)],
    /// Whether its light is stored for three directions.
    is_bumped: bool,
    /// Whether it has no lightmap.
    is_unlit: bool,
    /// Whether it mirrors the cubemap that a compiler would have bound it to.
    is_bound: bool,
    /// Whether it stands off the wall, which is seen through it.
    pub stands_off: bool,
}

const PLAIN: Feature = Feature {
    name: "",
    shader: "LightmappedGeneric",
    parameters: &[],
    is_bumped: false,
    is_unlit: false,
    is_bound: false,
    stands_off: false,
};

const BASE: (&str, &str) = ("$basetexture", "shading/tiles");
const DARK: (&str, &str) = ("$basetexture", "shading/dark");
const DISC: (&str, &str) = ("$basetexture", "shading/disc");
const BUMP: (&str, &str) = ("$bumpmap", "shading/studs");
/// The cubemap in the middle of the yard.
const CUBE: (&str, &str) = ("$envmap", "maps/shading/c480_240_96");
const DETAIL: (&str, &str) = ("$detail", "shading/stripes");
const TWICE: (&str, &str) = ("$detailscale", "2");

macro_rules! detail {
    ($name:literal, $mode:literal, $base:expr) => {
        Feature {
            name: $name,
            parameters: &[
                $base,
                DETAIL,
                TWICE,
                ("$detailblendmode", $mode),
                ("$detailblendfactor", ".8"),
            ],
            ..PLAIN
        }
    };
}

/// Those of the panels, row after row from the bottom.
pub fn panels() -> Vec<Feature> {
    vec![
        Feature {
            name: "PLAIN",
            parameters: &[BASE],
            ..PLAIN
        },
        Feature {
            name: "BUMPMAP",
            parameters: &[BASE, BUMP],
            is_bumped: true,
            ..PLAIN
        },
        Feature {
            name: "SSBUMP",
            parameters: &[BASE, ("$bumpmap", "shading/studs_ssbump"), ("$ssbump", "1")],
            is_bumped: true,
            ..PLAIN
        },
        Feature {
            name: "BUMPTRANSFORM",
            parameters: &[BASE, BUMP, ("$bumptransform", "scale 2 1 rotate 45")],
            is_bumped: true,
            ..PLAIN
        },
        Feature {
            name: "ENVMAP",
            parameters: &[DARK, ("$envmap", "env_cubemap")],
            is_bound: true,
            ..PLAIN
        },
        Feature {
            name: "ENVMAPTINT",
            parameters: &[DARK, CUBE, ("$envmaptint", "[1 .4 .1]")],
            ..PLAIN
        },
        Feature {
            name: "ENVMAPMASK",
            parameters: &[DARK, CUBE, ("$envmapmask", "shading/ring")],
            ..PLAIN
        },
        Feature {
            name: "BASEALPHA MASK",
            parameters: &[DISC, CUBE, ("$basealphaenvmapmask", "1")],
            ..PLAIN
        },
        Feature {
            name: "NORMALALPHA MASK",
            parameters: &[DARK, BUMP, CUBE, ("$normalmapalphaenvmapmask", "1")],
            is_bumped: true,
            ..PLAIN
        },
        Feature {
            name: "FRESNEL",
            parameters: &[DARK, CUBE, ("$fresnelreflection", ".05")],
            ..PLAIN
        },
        Feature {
            name: "CONTRAST",
            parameters: &[DARK, CUBE, ("$envmapcontrast", "1")],
            ..PLAIN
        },
        Feature {
            name: "SATURATION",
            parameters: &[DARK, CUBE, ("$envmapsaturation", "0")],
            ..PLAIN
        },
        detail!("DETAIL 0", "0", BASE),
        detail!("DETAIL 1", "1", BASE),
        detail!("DETAIL 2", "2", BASE),
        detail!("DETAIL 3", "3", BASE),
        detail!("DETAIL 4", "4", DISC),
        detail!("DETAIL 5", "5", BASE),
        detail!("DETAIL 6", "6", BASE),
        detail!("DETAIL 7", "7", DISC),
        detail!("DETAIL 8", "8", BASE),
        detail!("DETAIL 11", "11", BASE),
        Feature {
            name: "SELFILLUM",
            parameters: &[DISC, ("$selfillum", "1")],
            ..PLAIN
        },
        Feature {
            name: "SELFILLUMMASK",
            parameters: &[
                BASE,
                ("$selfillum", "1"),
                ("$selfillummask", "shading/ring"),
                ("$selfillumtint", "[2 .8 .2]"),
            ],
            ..PLAIN
        },
        Feature {
            name: "SEAMLESS SCALE",
            parameters: &[BASE, ("$seamless_scale", ".03")],
            ..PLAIN
        },
        Feature {
            name: "TWO TEXTURES",
            shader: "UnlitTwoTexture",
            parameters: &[
                BASE,
                ("$texture2", "shading/stripes"),
                (
                    "proxies",
                    "{ texturescroll { texturescrollvar $texture2transform texturescrollrate .25 texturescrollangle 90 } }",
                ),
            ],
            is_unlit: true,
            ..PLAIN
        },
        Feature {
            name: "SCROLL",
            parameters: &[
                BASE,
                (
                    "proxies",
                    "{ texturescroll { texturescrollrate .2 texturescrollangle 30 } }",
                ),
            ],
            ..PLAIN
        },
        Feature {
            name: "TRANSLUCENT",
            parameters: &[
                ("$basetexture", "shading/glass"),
                ("$translucent", "1"),
                CUBE,
                ("$envmaptint", "[.5 .5 .5]"),
            ],
            stands_off: true,
            ..PLAIN
        },
        Feature {
            name: "REFRACT",
            shader: "Refract",
            parameters: &[
                ("$normalmap", "shading/studs"),
                ("$refracttint", "[.5 .9 .6]"),
                ("$refractamount", ".05"),
                CUBE,
                ("$envmaptint", "[.4 .4 .4]"),
            ],
            is_unlit: true,
            stands_off: true,
            ..PLAIN
        },
        Feature {
            name: "LOST GLASS",
            shader: "",
            stands_off: true,
            ..PLAIN
        },
    ]
}

const MODEL: Feature = Feature {
    shader: "VertexLitGeneric",
    ..PLAIN
};
const WHITE: (&str, &str) = ("$basetexture", "shading/clay");
const SMOOTH: (&str, &str) = ("$bumpmap", "shading/flat");
const PHONG: (&str, &str) = ("$phong", "1");

/// Those of the balls, from the west.
pub fn balls() -> Vec<Feature> {
    vec![
        Feature {
            name: "MODEL",
            parameters: &[WHITE],
            ..MODEL
        },
        Feature {
            name: "MODEL BUMP",
            parameters: &[WHITE, BUMP],
            ..MODEL
        },
        Feature {
            name: "HALFLAMBERT",
            parameters: &[WHITE, ("$halflambert", "1")],
            ..MODEL
        },
        Feature {
            name: "LIGHTWARP",
            parameters: &[
                WHITE,
                ("$halflambert", "1"),
                ("$lightwarptexture", "shading/warp"),
            ],
            ..MODEL
        },
        Feature {
            name: "PHONG",
            parameters: &[
                WHITE,
                SMOOTH,
                PHONG,
                ("$phongexponent", "25"),
                ("$phongboost", "2"),
                ("$phongfresnelranges", "[.5 .7 1]"),
            ],
            ..MODEL
        },
        Feature {
            name: "PHONG MAP",
            parameters: &[
                WHITE,
                BUMP,
                PHONG,
                ("$phongexponenttexture", "shading/exponent"),
                ("$phongboost", "4"),
                ("$phongfresnelranges", "[1 1 1]"),
            ],
            ..MODEL
        },
        Feature {
            name: "RIMLIGHT",
            parameters: &[
                DARK,
                SMOOTH,
                PHONG,
                ("$phongboost", ".1"),
                ("$rimlight", "1"),
                ("$rimlightexponent", "2"),
                ("$rimlightboost", "4"),
            ],
            ..MODEL
        },
        Feature {
            name: "MODEL ENVMAP",
            parameters: &[DARK, ("$envmap", "env_cubemap")],
            ..MODEL
        },
        Feature {
            name: "MODEL DETAIL",
            parameters: &[WHITE, DETAIL, TWICE, ("$detailblendmode", "2")],
            ..MODEL
        },
        Feature {
            name: "MODEL GLOW",
            parameters: &[
                DARK,
                ("$selfillum", "1"),
                ("$selfillummask", "shading/ring"),
                ("$selfillumtint", "[4 2 .5]"),
            ],
            ..MODEL
        },
    ]
}

impl Feature {
    /// Name of its material, as its author has it.
    pub fn material(&self) -> String {
        format!(
            "shading/{}",
            self.name.to_ascii_lowercase().replace(' ', "_")
        )
    }

    /// Name of its material as the map has it: the compiler binds what mirrors its surroundings to a cubemap.
    pub fn surface_name(&self) -> String {
        let [x, y, z] = PLACES[0];
        match self.is_bound {
            true => format!("maps/{MAP_NAME}/{}_{x}_{y}_{z}", self.material()),
            false => self.material(),
        }
    }

    /// Flags of its faces.
    pub fn surface_flags(&self) -> i32 {
        let flags = [
            (self.is_bumped, flags::BUMPLIGHT),
            (self.is_unlit, flags::NOLIGHT),
            (self.stands_off, flags::TRANS),
        ];
        flags
            .iter()
            .filter(|(on, _)| *on)
            .fold(0, |sum, (_, flag)| sum | flag)
    }

    /// Text of its material; `None` where that is lost.
    fn text(&self) -> Option<String> {
        let line = |(key, value): &(&str, &str)| match value.starts_with('{') {
            true => format!("\t\"{key}\" {value}\n"),
            false => format!("\t\"{key}\" \"{value}\"\n"),
        };
        let lines: String = self.parameters.iter().map(line).collect();
        (!self.shader.is_empty()).then(|| format!("\"{}\"\n{{\n{lines}}}\n", self.shader))
    }
}

/// Materials of all features, floor, walls and sky, by path in the pakfile.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: &str, text: String| {
        files.push((format!("materials/{name}.vmt"), text.into_bytes()));
    };
    for name in ["floor", "wall"] {
        let text =
            format!("\"LightmappedGeneric\"\n{{\n\t\"$basetexture\" \"shading/{name}\"\n}}\n");
        add(&format!("shading/{name}"), text);
    }
    for feature in panels().iter().chain(&balls()) {
        let Some(text) = feature.text() else { continue };
        add(&feature.material(), text);
        if feature.is_bound {
            let [x, y, z] = PLACES[0];
            let patch = format!(
                "\"patch\"\n{{\n\t\"include\" \"materials/{}.vmt\"\n\t\"insert\"\n\t{{\n\t\t\"$envmap\" \
                 \"maps/{MAP_NAME}/c{x}_{y}_{z}\"\n\t}}\n}}\n",
                feature.material()
            );
            add(&feature.surface_name(), patch);
        }
    }
    files
}
