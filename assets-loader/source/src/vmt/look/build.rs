//! Parameters to [`Look`].

use std::collections::BTreeMap;

use super::{
    Blending, Detail, Envmap, EnvmapMask, EnvmapSource, Layer, Look, Phong, Proxy, RimLight,
    SelfIllum, Shader, Transform, Water, detail_mode,
};
use crate::key_values::Entry;
use crate::vmt::names::texture_name;
use crate::vmt::values::{color, is_set, number, pair, transform, vector};

/// What the engine takes for the color of water without one, in display space.
const WATER_COLOR: [f32; 3] = [82.0 / 255.0, 180.0 / 255.0, 217.0 / 255.0];
/// Over how many units sprites fade out before surfaces that do not say.
const DEPTH_BLEND_SCALE: f32 = 50.0;

/// Most pixels to each side that a `Refract` surface blurs.
const MAX_BLUR: f32 = 2.0;

impl Look {
    /// The look of a material of that shader with those parameters, conditional blocks flattened.
    pub(in crate::vmt) fn from_shader(shader: &str, parameters: &[Entry]) -> Self {
        let p = Parameters(parameters);
        let shader = Shader::named(shader);
        Self {
            base_texture: p.texture(&["$basetexture"]),
            base_texture_2: p.texture(&["$basetexture2"]),
            layers: [2, 3, 4].map(|number| p.layer(number)),
            texture_2: p.texture(&["$texture2"]),
            texture_2_transform: p.transform("$texture2transform"),
            iris: p.texture(&["$iris"]),
            hdr_base_texture: p.texture(&["$hdrcompressedtexture", "$hdrbasetexture"]),
            frame: p.number("$frame", 0.0) as u32,
            base_transform: p.transform("$basetexturetransform"),
            base_transform_2: p.transform("$basetexturetransform2"),
            bump_transform: p.transform("$bumptransform"),
            bump_map: p.texture(&["$bumpmap", "$normalmap"]),
            bump_map_2: p.texture(&["$bumpmap2", "$normalmap2"]),
            refract_tint: p.color("$refracttint", [1.0; 3]),
            refract_amount: p.number("$refractamount", 0.0),
            refract_tint_texture: p.texture(&["$refracttinttexture"]),
            // An integer, as which the engine takes the part before the point.
            blur_amount: p.number("$bluramount", 0.0).clamp(0.0, MAX_BLUR) as u8,
            ssbump: p.is_set("$ssbump"),
            blend_modulate_texture: p.texture(&["$blendmodulatetexture"]),
            blending: Blending {
                translucent: p.is_set("$translucent"),
                additive: p.is_set("$additive"),
                overbright: match p.number("$overbrightfactor", 0.0) {
                    factor if factor > 0.0 => factor,
                    _ => 1.0,
                },
                depth_blend: (p.is_set("$depthblend"))
                    .then(|| p.number("$depthblendscale", DEPTH_BLEND_SCALE)),
                alpha: p.number("$alpha", 1.0),
                vertex_alpha: p.is_set("$vertexalpha"),
                vertex_color: p.is_set("$vertexcolor"),
            },
            alpha_test: p.alpha_test(),
            two_sided: p.is_set("$nocull"),
            color: p.color("$color", [1.0; 3]),
            color_2: p.color("$color2", [1.0; 3]),
            detail: p.detail(),
            decal: p.is_set("$decal"),
            decal_scale: p.number("$decalscale", 0.25),
            ignore_depth: p.is_set("$ignorez"),
            no_fog: p.is_set("$nofog"),
            no_decal: p.is_set("$nodecal"),
            self_illum: p.self_illum(),
            envmap: p.envmap(),
            phong: p.is_set("$phong").then(|| p.phong()),
            half_lambert: p.is_set("$halflambert"),
            light_warp: p.texture(&["$lightwarptexture"]),
            seamless_scale: Some(p.number("$seamless_scale", 0.0)).filter(|scale| *scale != 0.0),
            surface_prop: p.lower("$surfaceprop"),
            surface_prop_2: p.lower("$surfaceprop2"),
            water: (shader == Shader::Water).then(|| p.water()),
            no_draw: p.is_set("$no_draw") || p.is_set("$nodraw"),
            compile_flags: p.compile_flags(),
            proxies: p.proxies(),
            variables: p.variables(),
            shader,
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self::from_shader("LightmappedGeneric", &[])
    }
}

impl Shader {
    /// The kind of the shader of that name, whatever its case.
    pub fn named(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        // Versions for older hardware are the same kind.
        let end = lower.find("_dx").filter(|at| *at > 0);
        match lower.get(..end.unwrap_or(lower.len())).unwrap_or_default() {
            "lightmappedgeneric" | "lightmappedreflective" | "reflectiveglass" => {
                Self::LightmappedGeneric
            }
            "worldvertextransition" => Self::WorldVertexTransition,
            "worldtwotextureblend" => Self::WorldTwoTextureBlend,
            "lightmapped_4wayblend" | "multiblend" => Self::MultiBlend,
            "unlitgeneric" | "splinerope" | "cable" | "sprite" | "spritecard" => Self::UnlitGeneric,
            "unlittwotexture" => Self::UnlitTwoTexture,
            "sky" => Self::Sky,
            "vertexlitgeneric" | "eyes" | "eyerefract" | "teeth" | "pbr" => Self::VertexLitGeneric,
            "water" => Self::Water,
            "refract" => Self::Refract,
            "shadow" | "shatteredglass" => Self::Glass,
            "modulate" | "decalmodulate" => Self::Modulate,
            _ => Self::Unknown(name.to_owned()),
        }
    }
}

/// Parameters by key.
struct Parameters<'a>(&'a [Entry]);

impl<'a> Parameters<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        let mut same = self.0.iter().rev().filter(|entry| entry.is(key));
        same.find_map(Entry::as_text)
    }

    fn is_set(&self, key: &str) -> bool {
        self.get(key).is_some_and(is_set)
    }

    fn number(&self, key: &str, default: f32) -> f32 {
        self.get(key).map_or(default, number)
    }

    fn color(&self, key: &str, default: [f32; 3]) -> [f32; 3] {
        self.get(key).map_or(default, color)
    }

    fn transform(&self, key: &str) -> Transform {
        self.get(key).map_or(Transform::IDENTITY, transform)
    }

    fn lower(&self, key: &str) -> Option<String> {
        let text = self.get(key)?.trim().to_ascii_lowercase();
        (!text.is_empty()).then_some(text)
    }

    /// The texture of the first of the keys that names one.
    fn texture(&self, keys: &[&str]) -> Option<String> {
        let mut names = keys
            .iter()
            .filter_map(|key| self.get(key))
            .map(texture_name);
        names.find(|name| !name.is_empty())
    }

    fn alpha_test(&self) -> Option<f32> {
        // A reference of 0 is that of the shader.
        let reference = self.number("$alphatestreference", 0.0);
        let reference = if reference > 0.0 { reference } else { 0.5 };
        self.is_set("$alphatest").then_some(reference)
    }

    fn detail(&self) -> Option<Detail> {
        Some(Detail {
            texture: self.texture(&["$detail"])?,
            scale: self.get("$detailscale").map_or([4.0; 2], pair),
            transform: self.transform("$detailtexturetransform"),
            factor: self.number("$detailblendfactor", 1.0),
            mode: detail_mode(self.number("$detailblendmode", 0.0) as u32),
            tint: self.color("$detailtint", [1.0; 3]),
        })
    }

    /// One of the layers that lie over the first.
    fn layer(&self, number: u32) -> Layer {
        let key = |name: &str| format!("$texture{number}_{name}");
        let range =
            |from: &str, to: &str| [self.number(&key(from), 0.0), self.number(&key(to), 1.0)];
        let scale = self.get(&key("uvscale")).map_or([1.0; 2], pair);
        Layer {
            texture: self.texture(&[&format!("$basetexture{number}")]),
            scale: scale.map(|it| if it == 0.0 { 1.0 } else { it }),
            luminance: range("lumstart", "lumend"),
            weight: range("blendstart", "blendend"),
        }
    }

    fn self_illum(&self) -> Option<SelfIllum> {
        self.is_set("$selfillum").then(|| SelfIllum {
            mask: self.texture(&["$selfillummask"]),
            tint: self.color("$selfillumtint", [1.0; 3]),
        })
    }

    fn phong(&self) -> Phong {
        let exponent_texture = self.texture(&["$phongexponenttexture"]);
        let exponent = self.get("$phongexponent").map(number);
        let is_said = exponent.is_some() || exponent_texture.is_none();
        Phong {
            exponent: is_said.then(|| exponent.unwrap_or(5.0)),
            exponent_texture,
            boost: self.number("$phongboost", 1.0),
            tint: self.color("$phongtint", [1.0; 3]),
            fresnel: self.color("$phongfresnelranges", [0.0, 0.5, 1.0]),
            albedo_tint: self.is_set("$phongalbedotint"),
            masked_by_base: self.is_set("$basemapalphaphongmask"),
            rim: self.is_set("$rimlight").then(|| RimLight {
                exponent: self.number("$rimlightexponent", 4.0),
                boost: self.number("$rimlightboost", 1.0),
                is_masked: self.is_set("$rimmask"),
            }),
        }
    }

    fn envmap(&self) -> Option<Envmap> {
        let name = self.texture(&["$envmap"])?;
        let mask = match self.texture(&["$envmapmask"]) {
            Some(mask) => EnvmapMask::Texture(mask),
            None if self.is_set("$normalmapalphaenvmapmask") => EnvmapMask::BumpAlpha,
            None if self.is_set("$basealphaenvmapmask") => EnvmapMask::BaseAlphaInverted,
            None => EnvmapMask::None,
        };
        Some(Envmap {
            source: match name.as_str() {
                "env_cubemap" => EnvmapSource::Nearest,
                _ => EnvmapSource::Texture(name),
            },
            tint: self.color("$envmaptint", [1.0; 3]),
            mask,
            mask_transform: self.transform("$envmapmasktransform"),
            contrast: self.number("$envmapcontrast", 0.0),
            saturation: self.number("$envmapsaturation", 1.0),
            fresnel: self.number("$fresnelreflection", 1.0),
        })
    }

    fn water(&self) -> Water {
        Water {
            normal_map: self.texture(&["$normalmap"]),
            above_water: self.get("$abovewater").is_none_or(is_set),
            bottom_material: self.lower("$bottommaterial"),
            fog_color: self.color("$fogcolor", WATER_COLOR),
            fog_start: self.number("$fogstart", 0.0),
            fog_end: self.number("$fogend", 1000.0),
            refract_tint: self.color("$refracttint", [1.0; 3]),
            reflect_tint: self.color("$reflecttint", [1.0; 3]),
            refract_amount: self.number("$refractamount", 0.0),
            reflect_amount: self.number("$reflectamount", 0.8),
            depth: self.get("$waterdepth").map(number),
            force_cheap: self.is_set("$forcecheap"),
            cheap_start: self.number("$cheapwaterstartdistance", 500.0),
            cheap_end: self.number("$cheapwaterenddistance", 1000.0),
        }
    }

    fn compile_flags(&self) -> Vec<String> {
        let mut flags = BTreeMap::new();
        for entry in self.0 {
            let key = entry.key.to_ascii_lowercase();
            if key.starts_with("%compile") {
                flags.insert(key, entry.as_text().is_some_and(is_set));
            }
        }
        let set = flags.into_iter().filter(|(_, is_set)| *is_set);
        set.map(|(key, _)| key).collect()
    }

    fn proxies(&self) -> Vec<Proxy> {
        self.proxy_block().iter().map(proxy).collect()
    }

    fn proxy_block(&self) -> &'a [Entry] {
        let mut blocks = self.0.iter().rev().filter(|entry| entry.is("proxies"));
        blocks.next().map_or(&[], Entry::entries)
    }

    fn variables(&self) -> BTreeMap<String, Vec<f32>> {
        let values = self.proxy_block().iter().flat_map(Entry::entries);
        let names = values.filter_map(Entry::as_text).filter_map(|text| {
            let name = text.split('[').next()?.trim().to_ascii_lowercase();
            name.starts_with('$').then_some(name)
        });
        let numbers = names.filter_map(|name| {
            let text = self.get(&name)?.trim_start();
            let is_number =
                |c: char| c.is_ascii_digit() || matches!(c, '[' | '{' | '-' | '+' | '.');
            text.starts_with(is_number).then(|| (name, vector(text)))
        });
        numbers.collect()
    }
}

fn proxy(entry: &Entry) -> Proxy {
    let p = Parameters(entry.entries());
    let variable = |key: &str, default: &str| p.lower(key).unwrap_or_else(|| default.to_owned());
    match entry.key.to_ascii_lowercase().as_str() {
        "animatedtexture" => Proxy::AnimatedTexture {
            texture: variable("animatedtexturevar", "$basetexture"),
            frame: variable("animatedtextureframenumvar", "$frame"),
            frames_per_second: p.number("animatedtextureframerate", 15.0),
        },
        "texturescroll" => Proxy::TextureScroll {
            transform: variable("texturescrollvar", "$basetexturetransform"),
            rate: p.number("texturescrollrate", 1.0),
            angle_deg: p.number("texturescrollangle", 0.0),
        },
        "sine" => Proxy::Sine {
            result: variable("resultvar", ""),
            min: p.number("sinemin", 0.0),
            max: p.number("sinemax", 1.0),
            period_secs: p.number("sineperiod", 1.0),
            offset_secs: p.number("timeoffset", 0.0),
        },
        _ => Proxy::Other(entry.clone()),
    }
}
