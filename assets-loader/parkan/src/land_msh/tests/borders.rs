//! Where faces with two materials meet faces with one.

use super::samples::terrain;
use super::*;

#[test]
fn borders_of_second_materials_tell_whether_both_bytes_name_one_table() {
    // Tile 0 has one material, 1 blends from it to 2, tile 1 has 2; in tile 1 both faces wear it.
    let mut land = terrain(3, 1);
    let borders = |land: &LandMsh| {
        let MaterialBorders {
            n_second,
            n_first,
            n_other,
        } = land.material_borders();
        [n_second, n_first, n_other]
    };
    assert_eq!(borders(&land), [0, 0, 0]);
    let worn = [(0, 0xFF), (0, 0xFF), (0, 2), (0, 2), (2, 0xFF), (2, 0xFF)];
    for (face, worn) in land.faces.iter_mut().zip(worn) {
        (face.first_material, face.second_material) = worn;
    }
    // Vertices stand in columns of two, from west to east.
    land.second_weights = Some(vec![1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(borders(&land), [1, 1, 0]);
    assert_eq!(land.second_weight(2), 0.0);
    land.second_weights.as_mut().unwrap()[4] = 0.5;
    assert_eq!(borders(&land), [0, 1, 1]);
    land.faces[1].first_material = 9;
    land.faces[0].first_material = 9;
    assert_eq!(borders(&land), [0, 0, 2]);
    land.second_weights = None;
    assert_eq!(land.second_weight(2), 1.0, "opaque without weights");
}
