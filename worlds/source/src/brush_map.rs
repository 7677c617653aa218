//! Typed lumps and entities of a map as the plain arrays that a brush world is built from.

use crate::solid_entities::{living_entities, solid_entities};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::bsp::{Contents, DisplacementGrid, Map};
use ironlands_assets_source::entities::Entities;
use ironlands_sim_brush as brush;
use ironlands_sim_brush::{BrushMap, BrushWorld, BrushWorldError, ContentBits, PropHull};

/// Bits of `min_tess` where its bit 31 is set (section 5.1).
const HAS_FLAGS: u32 = 1 << 31;
const NO_BOXES: u32 = 0x4;
const NO_RAYS: u32 = 0x8;
/// Tag of a triangle that is not there (section 5.3).
const TAG_REMOVED: u16 = 0x20;
/// Bits of which contents must have one; a displacement without any is solid.
const VISIBLE_OR_CLIP: ContentBits = ContentBits::from_bits_retain(0x3_00FF);

/// Why a map cannot become a brush world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MapWorldError {
    /// A displacement has no grid.
    #[error("displacement {disp_info}")]
    Displacement {
        /// Index of the displacement.
        disp_info: usize,
        /// What is wrong with it.
        source: Box<FormatError>,
    },
    /// The arrays of the map contradict each other, or are too large.
    #[error(transparent)]
    Brushes(#[from] BrushWorldError),
}

/// Everything in a map that is solid, or has contents at all, when the level begins. Copies what it needs.
///
/// # Errors
/// If a displacement has no grid; else those of [`BrushWorld::new`].
pub fn brush_world(
    map: &Map,
    entities: &Entities,
    props: &[PropHull],
) -> Result<BrushWorld, MapWorldError> {
    Ok(BrushWorld::new(&brush_map(map, entities)?, props)?)
}

/// [`brush_world`], but without the brushes of entities that may move or vanish: those are moving models.
///
/// # Errors
/// As of [`brush_world`].
pub(crate) fn living_brush_world(
    map: &Map,
    entities: &Entities,
    props: &[PropHull],
) -> Result<BrushWorld, MapWorldError> {
    let brushes = BrushMap {
        entities: living_entities(map, entities),
        ..brush_map(map, entities)?
    };
    Ok(BrushWorld::new(&brushes, props)?)
}

/// Contents as masks and results of queries have them.
pub const fn content_bits(contents: Contents) -> ContentBits {
    ContentBits::from_bits_retain(contents.bits())
}

/// The plain arrays of a map and of the entities that are solid; indices, axes and units are those of the file.
///
/// # Errors
/// If a displacement has no grid.
pub fn brush_map(map: &Map, entities: &Entities) -> Result<BrushMap, MapWorldError> {
    let planes = map.planes.iter().map(|plane| brush::Plane {
        normal: plane.normal,
        dist: plane.dist,
    });
    let nodes = map.nodes.iter().map(|node| brush::Node {
        plane: node.plane,
        children: node.children,
    });
    let leaves = map.leaves.iter().map(|leaf| brush::Leaf {
        contents: ContentBits::from_bits_retain(leaf.contents),
        cluster: leaf.cluster,
        area: leaf.area,
        first_leaf_brush: leaf.first_leaf_brush,
        n_leaf_brushes: leaf.n_leaf_brushes,
    });
    let brushes = map.brushes.iter().map(|it| brush::Brush {
        first_side: it.first_side,
        n_sides: it.n_sides,
        contents: ContentBits::from_bits_retain(it.contents),
    });
    let brush_sides = map.brush_sides.iter().map(|side| brush::BrushSide {
        plane: side.plane,
        texinfo: side.texinfo,
        is_bevel: side.bevel != 0,
    });
    let displacements = (0..map.disp_infos.len()).map(|disp_info| {
        displacement(map, disp_info).map_err(|source| MapWorldError::Displacement {
            disp_info,
            source: Box::new(source),
        })
    });
    Ok(BrushMap {
        planes: planes.collect(),
        nodes: nodes.collect(),
        leaves: leaves.collect(),
        leaf_brushes: map.leaf_brushes.clone(),
        brushes: brushes.collect(),
        brush_sides: brush_sides.collect(),
        head_nodes: map.models.iter().map(|model| model.head_node).collect(),
        entities: solid_entities(map, entities),
        displacements: displacements.collect::<Result<_, _>>()?,
    })
}

fn displacement(map: &Map, disp_info: usize) -> Result<brush::DisplacementGrid, FormatError> {
    let grid = DisplacementGrid::new(map, disp_info)?;
    let info = map.disp_infos.get(disp_info);
    let (min_tess, contents) = info.map_or((0, 0), |it| (it.min_tess, it.contents));
    let flags = match min_tess as u32 {
        word if word & HAS_FLAGS != 0 => word,
        _ => 0,
    };
    let contents = match ContentBits::from_bits_retain(contents) {
        contents if contents.intersects(VISIBLE_OR_CLIP) => contents,
        contents => contents | ContentBits::SOLID,
    };
    let triangles = grid.triangles();
    let triangles = triangles.iter().map(|it| it.map(|i| i as u16));
    let is_removed = grid.tags.iter().map(|tag| tag & TAG_REMOVED != 0);
    Ok(brush::DisplacementGrid {
        texinfo: map.faces.get(grid.face).map_or(-1, |face| face.texinfo),
        contents,
        stops_rays: flags & NO_RAYS == 0,
        stops_boxes: flags & NO_BOXES == 0,
        n_cells: grid.side.saturating_sub(1),
        triangles: triangles.collect(),
        is_removed: is_removed.collect(),
        positions: grid.positions,
    })
}
