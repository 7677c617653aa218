//! Records of lumps that games use otherwise.

use super::*;

/// Dossier section 1.3: lumps 22, 23 and 25.
#[test]
fn records_of_reused_lumps_agree_with_the_facts() {
    let portal = VisPortal {
        first_vertex: long(0),
        n_vertices: long(4),
        plane: long(8),
        clusters: [word(12) as u16, word(14) as u16],
    };
    assert_facts("portal", (), &portal);
    let cluster = VisCluster {
        first_portal: long(0),
        n_portals: long(4),
    };
    assert_facts("cluster", (), &cluster);
    let prop = PropHulls {
        n_hulls: long(0),
        first_hull: long(4),
    };
    assert_facts("hulls of a prop", (), &prop);
    let hull = PropHull {
        n_vertices: long(0),
        first_vertex: long(4),
        surface_property: long(8),
        contents: long_u(12),
    };
    assert_facts("hull", (), &hull);
    let triangles = PropTriangles {
        first_index: long(0),
        n_indices: long(4),
    };
    assert_facts("triangles of a hull", (), &triangles);
    let list = |n_brushes, start| FaceBrushList { n_brushes, start };
    assert_facts("brushes of a face", Width::Narrow, &list(word(0), word(2)));
    let wide = list(long_u(0), long_u(4));
    assert_facts("wide brushes of a face", Width::Wide, &wide);
}
