//! Expected values: Source dossier, section 0.

/// What is known of a map.
pub struct Facts {
    pub file: &'static str,
    /// Row "triangles" of 0.1: all faces, drawn or not.
    pub all_triangles: usize,
    /// Rows "lit faces" and "of these with bump maps" of 0.2, of the set that has light.
    pub lit_faces: [usize; 2],
    /// Bytes of the lighting lump of that set.
    pub light_bytes: usize,
    /// Columns "eye", "cluster" and "PVS" of 0.3.
    pub eye: [f32; 3],
    pub cluster: u32,
    pub n_seen: usize,
}

pub const FACTS: [Facts; 5] = [
    Facts {
        file: "css-test.bsp",
        all_triangles: 2836,
        lit_faces: [560, 411],
        light_bytes: 612_584,
        eye: [79.0, 784.0, 88.0],
        cluster: 88,
        n_seen: 234,
    },
    Facts {
        file: "revolution-test.bsp",
        all_triangles: 32,
        lit_faces: [12, 12],
        light_bytes: 854_048,
        eye: [-896.0, -138.897, 128.0],
        cluster: 3,
        n_seen: 4,
    },
    Facts {
        file: "scoutie-background01.bsp",
        all_triangles: 70,
        lit_faces: [29, 0],
        light_bytes: 14_656,
        eye: [64.3758, -142.807, -64.0],
        cluster: 4,
        n_seen: 7,
    },
    Facts {
        file: "opendm-background01.bsp",
        all_triangles: 3970,
        lit_faces: [1257, 602],
        light_bytes: 1_353_564,
        eye: [-3052.11, 4180.9, 65.0],
        cluster: 114,
        n_seen: 118,
    },
    Facts {
        file: "opendm-dev_reflect.bsp",
        all_triangles: 44,
        lit_faces: [21, 0],
        light_bytes: 58_760,
        eye: [-45.8773, 12.4582, 65.0],
        cluster: 1,
        n_seen: 4,
    },
];
