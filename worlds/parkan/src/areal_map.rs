//! `Land.map` and `BuildDat.lst` as the plain arrays and bits that areal queries take.

use ironlands_assets_parkan::build_dat::Category;
use ironlands_assets_parkan::land_map::LandMap;
use ironlands_sim_areal::{Areal, ArealMap, EdgeLink};

/// What queries need of an areal map; axes, units and order are those of the file.
pub fn areal_map(map: &LandMap) -> ArealMap {
    let areals = map.areals.iter().map(|areal| {
        let links = areal.edge_links.iter();
        let edge_links = links.map(|link| EdgeLink {
            areal: link.areal,
            edge: link.edge,
        });
        Areal {
            vertices: areal.vertices.clone(),
            edge_links: edge_links.collect(),
            class_id: areal.class_id,
            logic_flag: areal.logic_flag,
        }
    });
    ArealMap {
        areals: areals.collect(),
        cells_x: map.cells_x,
        cells_y: map.cells_y,
        cells: map.cells.clone(),
    }
}

/// The bit of a category for [`ArealBuildings`](ironlands_sim_areal::ArealBuildings): the lowest for the first of
/// [`Category::ALL`], and so on in the order of `BuildDat.lst` (dossier section 6).
pub fn category_bit(category: Category) -> u32 {
    1 << category as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_bits_in_the_order_of_their_file() {
        let bits = Category::ALL.map(category_bit);
        assert_eq!(bits, std::array::from_fn(|i| 1 << i));
    }
}
