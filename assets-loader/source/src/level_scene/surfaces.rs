//! What faces are drawn with: materials by texture, light and owner. Dossier sections 3.3, 3.4 and 4.

use ironlands_scene::{MaterialIdx, TextureIdx};

use super::water_light::WaterLight;
use crate::bsp::{Face, Map, SurfaceFlags, Texdata};
use crate::lightmap::{Atlas, LightBlock, MAX_STYLES};
use crate::materials::{Materials, Surface, SurfaceLight, Tint, display_from_linear};

/// Materials that tools know by their folder; they are not drawn.
const TOOLS: &str = "tools/";
/// But for these.
const VISIBLE_TOOLS: [&str; 2] = ["tools/toolsblack", "tools/toolswhite"];

/// The surfaces of a map.
#[derive(Debug)]
pub struct Surfaces<'a> {
    map: &'a Map,
    atlas: &'a Atlas,
    blocks: &'a [Option<LightBlock>],
    water_light: &'a WaterLight,
    /// First texture that is a page of the atlas.
    first_page: TextureIdx,
}

impl<'a> Surfaces<'a> {
    /// `first_page` is the texture that the first page of the atlas became; the others follow it.
    pub fn new(
        map: &'a Map,
        atlas: &'a Atlas,
        blocks: &'a [Option<LightBlock>],
        water_light: &'a WaterLight,
        first_page: TextureIdx,
    ) -> Self {
        Self {
            map,
            atlas,
            blocks,
            water_light,
            first_page,
        }
    }

    /// The material of a face; `None` if it is not drawn.
    pub fn of_face(
        &self,
        index: usize,
        face: &Face,
        tint: Tint,
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        let name = visible_name(self.map, face)?;
        let place = middle(self.map, face).unwrap_or_default();
        let probe = materials.probe_at(&name, place);
        materials.surface(Surface {
            name,
            light: self.light(index, face),
            tint,
            fallback: fallback(self.map, face.texinfo),
            is_water: flags_of(self.map, face).contains(SurfaceFlags::WARP),
            is_overlay: false,
            fades: face.disp_info >= 0,
            is_model: false,
            is_seen_through: flags_of(self.map, face).contains(SurfaceFlags::TRANS),
            is_eye: false,
            probe,
        })
    }

    /// The material of a picture on a face.
    pub fn of_overlay(
        &self,
        index: usize,
        face: &Face,
        texinfo: i32,
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        let name = self.map.texture_name(texinfo)?.into_owned();
        let fallback = fallback(self.map, texinfo);
        self.of_picture((index, face), name, fallback, materials)
    }

    /// The same for a picture of a material that no texinfo names.
    pub fn of_decal(
        &self,
        index: usize,
        face: &Face,
        name: &str,
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        self.of_picture((index, face), name.to_owned(), [u8::MAX / 2; 3], materials)
    }

    fn of_picture(
        &self,
        (index, face): (usize, &Face),
        name: String,
        fallback: [u8; 3],
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        materials.surface(Surface {
            name,
            light: self.light(index, face),
            tint: Tint::default(),
            fallback,
            is_water: false,
            is_overlay: true,
            fades: false,
            is_model: false,
            is_seen_through: false,
            is_eye: false,
            probe: None,
        })
    }

    /// The lightmap of a face, or that of the place of water; what has none is fully bright.
    fn light(&self, index: usize, face: &Face) -> SurfaceLight {
        let flags = flags_of(self.map, face);
        if flags.contains(SurfaceFlags::WARP) {
            return SurfaceLight::Even(self.water_light.of_face(self.map, face));
        }
        if flags.contains(SurfaceFlags::NO_LIGHT) {
            return SurfaceLight::FullBright;
        }
        let place = self.atlas.places.get(index).copied().flatten();
        let block = self.blocks.get(index).and_then(Option::as_ref);
        let (Some(place), Some(block)) = (place, block) else {
            return SurfaceLight::FullBright;
        };
        let styles = block.styles.iter().take(MAX_STYLES);
        SurfaceLight::Stored {
            // Pages are few.
            page: TextureIdx(self.first_page.0.saturating_add(place.page as u32)),
            styles: styles.map(|style| u16::from(*style)).collect(),
            has_directions: place.kind.n_planes > 1,
        }
    }
}

/// Name of the texture of a face that is drawn.
pub fn visible_name(map: &Map, face: &Face) -> Option<String> {
    let name = map.texture_name(face.texinfo)?;
    let is_visible = flags_of(map, face).is_visible() && !is_tool(&name);
    is_visible.then(|| name.into_owned())
}

/// Flags of the texinfo of a face.
pub fn flags_of(map: &Map, face: &Face) -> SurfaceFlags {
    let texinfo = usize::try_from(face.texinfo).ok();
    let texinfo = texinfo.and_then(|texinfo| map.texinfos.get(texinfo));
    texinfo.map_or(SurfaceFlags::default(), |it| {
        SurfaceFlags::from_bits_retain(it.flags)
    })
}

/// The middle of the corners of a face; `None` without any.
#[expect(clippy::indexing_slicing, reason = "three axes")]
pub fn middle(map: &Map, face: &Face) -> Option<[f32; 3]> {
    let ring = map.ring(face);
    let sum = ring.iter().fold([0.0; 3], |sum, corner| {
        std::array::from_fn(|axis| sum[axis] + corner[axis])
    });
    (!ring.is_empty()).then(|| sum.map(|value: f32| value / ring.len() as f32))
}

/// Average color of the texture of a texinfo as it is shown.
fn fallback(map: &Map, texinfo: i32) -> [u8; 3] {
    let texdata = || -> Option<&Texdata> {
        let texinfo = map.texinfos.get(usize::try_from(texinfo).ok()?)?;
        map.texdata.get(usize::try_from(texinfo.texdata).ok()?)
    };
    let color = texdata().map_or([1.0; 3], |it| it.reflectivity);
    // The cast saturates.
    color.map(|value| (display_from_linear(value) * 255.0).round() as u8)
}

fn is_tool(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('\\', "/");
    let is_visible = VISIBLE_TOOLS.iter().any(|it| name.starts_with(it));
    name.starts_with(TOOLS) && !is_visible
}
