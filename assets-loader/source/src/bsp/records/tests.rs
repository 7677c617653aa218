mod reused;

use std::fmt::Debug;

use proptest::prelude::*;

use ironlands_assets_core::bytes::Reader;

use super::face::*;
use super::leaf::*;
use super::*;
use crate::bsp::map::*;

/// The bytes 0, 1, 2 ... of a record: a number that begins at an offset of the dossier's tables is known by its bytes.
fn counting(size: usize) -> Vec<u8> {
    (0..size).map(|byte| byte as u8).collect()
}

fn bytes<const N: usize>(at: u8) -> [u8; N] {
    std::array::from_fn(|k| at + k as u8)
}

fn word(at: u8) -> u32 {
    u32::from(u16::from_le_bytes(bytes(at)))
}

fn short(at: u8) -> i32 {
    i32::from(i16::from_le_bytes(bytes(at)))
}

fn long(at: u8) -> i32 {
    i32::from_le_bytes(bytes(at))
}

fn long_u(at: u8) -> u32 {
    u32::from_le_bytes(bytes(at))
}

fn float(at: u8) -> f32 {
    f32::from_le_bytes(bytes(at))
}

fn vector(at: u8) -> [f32; 3] {
    [float(at), float(at + 4), float(at + 8)]
}

fn corner(at: u8) -> [f32; 3] {
    [at, at + 2, at + 4].map(|at| short(at) as f32)
}

fn rgbe(at: u8) -> Rgbe {
    let [r, g, b, e] = bytes(at);
    Rgbe {
        mantissas: [r, g, b],
        exponent: e as i8,
    }
}

/// Asserts that the counting bytes are read as a value and that the value is written as these bytes.
fn assert_facts<T: LumpRow + PartialEq + Debug>(name: &str, layout: T::Layout, value: &T) {
    let bytes = counting(T::size(layout));
    let mut r = Reader::new(FORMAT, &bytes);
    assert_eq!(
        T::read(&mut r, T::NAME, layout).as_ref(),
        Ok(value),
        "{name}"
    );
    assert_eq!(r.remaining(), 0, "{name}");
    let mut w = Writer::new(FORMAT);
    value.write(&mut w, T::NAME, layout).unwrap();
    assert_eq!(w.finish(), bytes, "{name}");
}

/// Dossier section 2.4.
#[test]
fn faces_of_all_layouts_agree_with_the_facts() {
    let four = |at| {
        let [a, b, c, d] = bytes(at);
        [a, b, c, d, 255, 255, 255, 255]
    };
    let narrow = |at: u8| Face {
        plane: word(at),
        side: at + 2,
        on_node: at + 3,
        first_edge: long(at + 4),
        n_edges: short(at + 8),
        texinfo: short(at + 10),
        disp_info: short(at + 12),
        surface_fog_volume: short(at + 14),
        styles: four(at + 16),
        v17_day_night_styles: [[255; 8]; 2],
        ..Face::default()
    };
    let lit = |face: Face, at: u8| Face {
        light_offset: long(at),
        area: float(at + 4),
        lightmap_mins: [long(at + 8), long(at + 12)],
        lightmap_size: [long(at + 16), long(at + 20)],
        original_face: long(at + 24),
        ..face
    };
    let averages = |n: usize| {
        std::array::from_fn(|k| {
            if k < n {
                rgbe(4 * k as u8)
            } else {
                Rgbe::default()
            }
        })
    };
    let v19 = Face {
        n_primitives: word(48),
        first_primitive: word(50),
        smoothing_groups: long_u(52),
        ..lit(narrow(0), 20)
    };
    assert_facts("version 19", FaceLayout::V19, &v19);
    let beta_17 = Face {
        v17_average_light: averages(4),
        smoothing_groups: long_u(64),
        ..lit(narrow(16), 36)
    };
    assert_facts("version 17 of the beta", FaceLayout::Beta17, &beta_17);
    let beta_18 = Face {
        first_primitive: word(64),
        n_primitives: word(66),
        smoothing_groups: long_u(68),
        ..beta_17
    };
    assert_facts("version 18", FaceLayout::Beta18, &beta_18);
    let v17 = Face {
        v17_average_light: averages(8),
        styles: bytes(48),
        v17_day_night_styles: [bytes(56), bytes(64)],
        smoothing_groups: long_u(100),
        ..lit(narrow(32), 72)
    };
    assert_facts("version 17", FaceLayout::V17, &v17);
    let v25 = Face {
        plane: long_u(0),
        side: 4,
        on_node: 5,
        unknown_06: bytes(6),
        first_edge: long(8),
        n_edges: long(12),
        texinfo: long(16),
        disp_info: long(20),
        surface_fog_volume: long(24),
        styles: four(28),
        v17_day_night_styles: [[255; 8]; 2],
        shadow_bit: long_u(60) & 1 == 1,
        n_primitives: long_u(60) >> 1,
        first_primitive: long_u(64),
        smoothing_groups: long_u(68),
        ..lit(Face::default(), 32)
    };
    assert_facts("version 25", FaceLayout::V25, &v25);
}

/// Dossier sections 6.1, 6.2 and 7.1.
#[test]
fn nodes_leaves_and_sides_agree_with_the_facts() {
    let node = Node {
        plane: long(0),
        children: [long(4), long(8)],
        mins: corner(12),
        maxs: corner(18),
        first_face: word(24),
        n_faces: word(26),
        area: short(28) as i16,
        unknown_1e: bytes(30),
    };
    assert_facts("node", Width::Narrow, &node);
    let wide = Node {
        mins: vector(12),
        maxs: vector(24),
        first_face: long_u(36),
        n_faces: long_u(40),
        area: short(44) as i16,
        unknown_1e: bytes(46),
        ..node
    };
    assert_facts("wide node", Width::Wide, &wide);
    let leaf = Leaf {
        contents: long(0),
        cluster: short(4),
        area: word(6) & 0x1FF,
        flags: (word(6) >> 9) as u16,
        mins: corner(8),
        maxs: corner(14),
        first_leaf_face: word(20),
        n_leaf_faces: word(22),
        first_leaf_brush: word(24),
        n_leaf_brushes: word(26),
        water: short(28),
        unknown_end: bytes(30),
        ..Leaf::default()
    };
    assert_facts("leaf", LeafLayout::Narrow, &leaf);
    let with_light = Leaf {
        v0_ambient: std::array::from_fn(|k| rgbe(30 + 4 * k as u8)),
        unknown_end: bytes(54),
        ..leaf
    };
    assert_facts("leaf with light", LeafLayout::WithLight, &with_light);
    let wide = Leaf {
        cluster: long(4),
        area: long_u(8) & 0x1FFFF,
        flags: (long_u(8) >> 17) as u16,
        mins: vector(12),
        maxs: vector(24),
        first_leaf_face: long_u(36),
        n_leaf_faces: long_u(40),
        first_leaf_brush: long_u(44),
        n_leaf_brushes: long_u(48),
        water: long(52),
        unknown_end: [0; 2],
        ..leaf
    };
    assert_facts("wide leaf", LeafLayout::Wide, &wide);
    let side = BrushSide {
        plane: word(0),
        texinfo: short(2),
        disp_info: short(4),
        bevel: 6,
        thin: 7,
        unknown_0e: [0; 2],
    };
    assert_facts("side", Width::Narrow, &side);
    let wide = BrushSide {
        plane: long_u(0),
        texinfo: long(4),
        disp_info: long(8),
        bevel: 12,
        thin: 13,
        unknown_0e: bytes(14),
    };
    assert_facts("wide side", Width::Wide, &wide);
}

/// Dossier sections 2.3, 2.5, 6.3, 6.7 and 11.5.
#[test]
fn small_records_agree_with_the_facts() {
    let edge = |vertices| Edge { vertices };
    assert_facts("edge", Width::Narrow, &edge([word(0), word(2)]));
    assert_facts("wide edge", Width::Wide, &edge([long_u(0), long_u(4)]));
    assert_facts("index", Width::Narrow, &word(0));
    assert_facts("wide index", Width::Wide, &long_u(0));
    let primitive = Primitive {
        kind: 0,
        first_index: word(2),
        n_indices: word(4),
        first_vertex: word(6),
        n_vertices: word(8),
        unknown_01: [1, 0, 0],
    };
    assert_facts("primitive", Width::Narrow, &primitive);
    let wide = Primitive {
        kind: 0,
        first_index: long_u(4),
        n_indices: long_u(8),
        first_vertex: long_u(12),
        n_vertices: long_u(16),
        unknown_01: [1, 2, 3],
    };
    assert_facts("wide primitive", Width::Wide, &wide);
    let portal = AreaPortal {
        portal_key: word(0),
        other_area: word(2),
        first_clip_portal_vertex: word(4),
        n_clip_portal_vertices: word(6),
        plane: long(8),
    };
    assert_facts("area portal", Width::Narrow, &portal);
    let wide = AreaPortal {
        portal_key: long_u(0),
        other_area: long_u(4),
        first_clip_portal_vertex: long_u(8),
        n_clip_portal_vertices: long_u(12),
        plane: long(16),
    };
    assert_facts("wide area portal", Width::Wide, &wide);
    let index = |n_samples, first_sample| LeafAmbientIndex {
        n_samples,
        first_sample,
    };
    assert_facts("ambient index", Width::Narrow, &index(word(0), word(2)));
    assert_facts(
        "wide ambient index",
        Width::Wide,
        &index(long_u(0), long_u(4)),
    );
    let sample = LeafAmbientSample {
        cube: std::array::from_fn(|k| rgbe(4 * k as u8)),
        place: bytes(24),
        unknown_1b: 27,
    };
    assert_facts("ambient sample", AmbientSampleLayout::Placed, &sample);
    let cube = LeafAmbientSample {
        place: [0; 3],
        unknown_1b: 0,
        ..sample
    };
    assert_facts("ambient cube", AmbientSampleLayout::OneALeaf, &cube);
    let water = LeafWater {
        surface_z: float(0),
        min_z: float(4),
        surface_texinfo: short(8),
        unknown_0a: bytes(10),
    };
    assert_facts("water", Width::Narrow, &water);
    let wide = LeafWater {
        surface_texinfo: long(8),
        unknown_0a: [0; 2],
        ..water
    };
    assert_facts("wide water", Width::Wide, &wide);
}

/// Dossier sections 2.1, 3.1, 3.2, 6.6, 6.7, 5.2 and 11.3.
#[test]
fn records_of_one_layout_agree_with_the_facts() {
    let plane = Plane {
        normal: vector(0),
        dist: float(12),
        kind: long(16),
    };
    assert_facts("plane", (), &plane);
    let row = |at: u8| [0, 4, 8, 12].map(|k| float(at + k));
    let texinfo = Texinfo {
        texture_vecs: [row(0), row(16)],
        lightmap_vecs: [row(32), row(48)],
        flags: long(64),
        texdata: long(68),
    };
    assert_facts("texinfo", (), &texinfo);
    let texdata = Texdata {
        reflectivity: vector(0),
        name: long(12),
        size: [long(16), long(20)],
        view_size: [long(24), long(28)],
    };
    assert_facts("texdata", (), &texdata);
    let model = Model {
        mins: vector(0),
        maxs: vector(12),
        origin: vector(24),
        head_node: long(36),
        first_face: long(40),
        n_faces: long(44),
    };
    assert_facts("model", (), &model);
    let area = Area {
        n_area_portals: long(0),
        first_area_portal: long(4),
    };
    assert_facts("area", (), &area);
    let brush = Brush {
        first_side: long(0),
        n_sides: long(4),
        contents: long(8),
    };
    assert_facts("brush", (), &brush);
    let vert = DispVert {
        vector: vector(0),
        dist: float(12),
        alpha: float(16),
    };
    assert_facts("displacement vertex", (), &vert);
    let cubemap = CubemapSample {
        origin: [long(0), long(4), long(8)],
        size: 12,
        unknown_0d: bytes(13),
    };
    assert_facts("cubemap", (), &cubemap);
}

/// Dossier section 11.4.
#[test]
fn lights_agree_with_the_facts() {
    let light = |at: u8, tail: u8| WorldLight {
        origin: vector(0),
        intensity: vector(12),
        normal: vector(24),
        cluster: long(at),
        kind: long(at + 4),
        style: long(tail),
        stop_dots: [float(tail + 4), float(tail + 8)],
        exponent: float(tail + 12),
        radius: float(tail + 16),
        attenuation: vector(tail + 20),
        flags: long(tail + 32),
        texinfo: long(tail + 36),
        owner: long(tail + 40),
        ..WorldLight::default()
    };
    assert_facts("version 0", LightLayout::V0, &light(36, 44));
    let v1 = WorldLight {
        shadow_cast_offset: vector(36),
        ..light(48, 56)
    };
    assert_facts("version 1", LightLayout::V1, &v1);
    let v2 = WorldLight {
        shadow_cast_offset: vector(36),
        v2_mode: bytes(56),
        ..light(48, 60)
    };
    assert_facts("version 2", LightLayout::V2, &v2);
}

/// Dossier section 5.1.
#[test]
fn displacements_agree_with_the_facts() {
    let sub = |at: u8| SubNeighbor {
        disp_info: word(at),
        orientation: at + 2,
        span: at + 3,
        neighbor_span: at + 4,
        unknown_05: at + 5,
    };
    let corner = |at: u8| CornerNeighbors {
        neighbors: std::array::from_fn(|k| word(at + 2 * k as u8)),
        n_neighbors: at + 8,
        unknown_end: [at + 9, 0, 0],
    };
    let narrow = |at: u8| DispInfo {
        start_position: vector(0),
        first_vert: long(12),
        first_tri: if at == 20 { long(16) } else { 0 },
        power: long(at),
        min_tess: long(at + 4),
        smoothing_angle: float(at + 8),
        contents: long(at + 12),
        map_face: word(at + 16),
        unknown_26: bytes(at + 18),
        lightmap_alpha_start: long(at + 20),
        lightmap_sample_position_start: long(at + 24),
        edge_neighbors: std::array::from_fn(|k| {
            let at = at + 28 + 12 * k as u8;
            [sub(at), sub(at + 6)]
        }),
        corner_neighbors: std::array::from_fn(|k| corner(at + 76 + 10 * k as u8)),
        allowed_verts: std::array::from_fn(|k| long_u(at + 116 + 4 * k as u8)),
    };
    assert_facts("version 17", DispLayout::V17, &narrow(16));
    assert_facts("narrow", DispLayout::Narrow, &narrow(20));
    let sub = |at: u8| SubNeighbor {
        disp_info: long_u(at),
        orientation: at + 4,
        span: at + 5,
        neighbor_span: at + 6,
        unknown_05: at + 7,
    };
    let corner = |at: u8| CornerNeighbors {
        neighbors: std::array::from_fn(|k| long_u(at + 4 * k as u8)),
        n_neighbors: at + 16,
        unknown_end: bytes(at + 17),
    };
    let wide = DispInfo {
        map_face: long_u(36),
        unknown_26: [0; 2],
        edge_neighbors: std::array::from_fn(|k| {
            let at = 48 + 16 * k as u8;
            [sub(at), sub(at + 8)]
        }),
        corner_neighbors: std::array::from_fn(|k| corner(112 + 20 * k as u8)),
        allowed_verts: std::array::from_fn(|k| long_u(192 + 4 * k as u8)),
        ..narrow(20)
    };
    assert_facts("wide", DispLayout::Wide, &wide);
}

fn size<T: LumpRow>(layout: T::Layout) -> usize {
    T::size(layout)
}

/// Dossier section 1.3.
#[test]
fn sizes_are_those_of_the_document() {
    let overlay = |version: u32, id: LumpId| {
        let mut file = BspFile::new(if version == 0 { 20 } else { 25 });
        file.set_lump(id, version, vec![0]);
        Overlay::size(OverlayLayout::from_place(&Place::new(&file, id)).unwrap())
    };
    let sizes = [0, 1, 2].map(|version| overlay(version, LumpId::Overlays));
    assert_eq!(sizes, [352, 356, 360]);
    let sizes = [0, 1].map(|version| overlay(version, LumpId::WaterOverlays));
    assert_eq!(sizes, [1120, 1124]);
    let widths = [Width::Narrow, Width::Wide];
    assert_eq!(widths.map(size::<Node>), [32, 48]);
    assert_eq!(widths.map(size::<Edge>), [4, 8]);
    assert_eq!(widths.map(size::<BrushSide>), [8, 16]);
    assert_eq!(widths.map(size::<Primitive>), [10, 20]);
    assert_eq!(widths.map(size::<AreaPortal>), [12, 20]);
    assert_eq!(widths.map(size::<LeafAmbientIndex>), [4, 8]);
    assert_eq!(widths.map(size::<FaceBrushList>), [4, 8]);
    assert_eq!([size::<VisPortal>(()), size::<VisCluster>(())], [16, 8]);
    let lights = [LightLayout::V0, LightLayout::V1, LightLayout::V2];
    assert_eq!(lights.map(size::<WorldLight>), [88, 100, 104]);
    let disps = [DispLayout::V17, DispLayout::Narrow, DispLayout::Wide];
    assert_eq!(disps.map(size::<DispInfo>), [172, 176, 232]);
    let faces = [
        FaceLayout::Beta17,
        FaceLayout::Beta18,
        FaceLayout::V17,
        FaceLayout::V19,
        FaceLayout::V25,
    ];
    assert_eq!(faces.map(size::<Face>), [68, 72, 104, 56, 72]);
    let leaves = [LeafLayout::WithLight, LeafLayout::Narrow, LeafLayout::Wide];
    assert_eq!(leaves.map(size::<Leaf>), [56, 32, 56]);
}

/// Whatever stands in a record, it is written as it was read.
fn come_back<T: LumpRow>(layout: T::Layout, bytes: &[u8]) -> Result<(), TestCaseError> {
    let bytes = &bytes[..T::size(layout)];
    let mut r = Reader::new(FORMAT, bytes);
    let value = T::read(&mut r, T::NAME, layout).unwrap();
    prop_assert_eq!(r.remaining(), 0);
    let mut w = Writer::new(FORMAT);
    value.write(&mut w, T::NAME, layout).unwrap();
    prop_assert_eq!(w.finish(), bytes);
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 1200)) {
        for layout in [FaceLayout::Beta17, FaceLayout::Beta18, FaceLayout::V17, FaceLayout::V19, FaceLayout::V25] {
            come_back::<Face>(layout, &bytes)?;
        }
        for layout in [LeafLayout::WithLight, LeafLayout::Narrow, LeafLayout::Wide] {
            come_back::<Leaf>(layout, &bytes)?;
        }
        for layout in [LightLayout::V0, LightLayout::V1, LightLayout::V2] {
            come_back::<WorldLight>(layout, &bytes)?;
        }
        for layout in [DispLayout::V17, DispLayout::Narrow, DispLayout::Wide] {
            come_back::<DispInfo>(layout, &bytes)?;
        }
        for layout in [AmbientSampleLayout::OneALeaf, AmbientSampleLayout::Placed] {
            come_back::<LeafAmbientSample>(layout, &bytes)?;
        }
        for width in [Width::Narrow, Width::Wide] {
            come_back::<Node>(width, &bytes)?;
            come_back::<Edge>(width, &bytes)?;
            come_back::<u32>(width, &bytes)?;
            come_back::<BrushSide>(width, &bytes)?;
            come_back::<Primitive>(width, &bytes)?;
            come_back::<AreaPortal>(width, &bytes)?;
            come_back::<LeafWater>(width, &bytes)?;
            come_back::<LeafAmbientIndex>(width, &bytes)?;
            come_back::<FaceBrushList>(width, &bytes)?;
        }
        come_back::<Plane>((), &bytes)?;
        come_back::<[f32; 3]>((), &bytes)?;
        come_back::<[f32; 2]>((), &bytes)?;
        come_back::<i32>((), &bytes)?;
        come_back::<u16>((), &bytes)?;
        come_back::<Texinfo>((), &bytes)?;
        come_back::<Texdata>((), &bytes)?;
        come_back::<Model>((), &bytes)?;
        come_back::<Area>((), &bytes)?;
        come_back::<Brush>((), &bytes)?;
        come_back::<DispVert>((), &bytes)?;
        come_back::<CubemapSample>((), &bytes)?;
        come_back::<VisPortal>((), &bytes)?;
        come_back::<VisCluster>((), &bytes)?;
        come_back::<PropHulls>((), &bytes)?;
        come_back::<PropHull>((), &bytes)?;
        come_back::<PropTriangles>((), &bytes)?;
    }
}
