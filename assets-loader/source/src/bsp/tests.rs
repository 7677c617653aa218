mod damage;
mod geometry;
mod reused;
mod rules;

use proptest::prelude::*;

use super::test_map::{sample_file, sample_map};
use super::*;

const VERSIONS: [u32; 6] = [17, 18, 19, 20, 21, 25];

#[test]
fn maps_of_every_version_are_the_same_after_writing() {
    for version in VERSIONS {
        let map = sample_map(version);
        let data = sample_file(version).write().unwrap();
        let file = BspFile::read(&data).unwrap();
        let read = Map::read(&file).unwrap_or_else(|error| panic!("version {version}: {error}"));
        assert_eq!(read, map, "version {version}");
        let mut again = file.clone();
        read.write_into(&mut again).unwrap();
        assert_eq!(again, file, "version {version}");
        assert_eq!(again.write().unwrap(), data, "version {version}");
    }
}

/// What is changed in a map, and the words of the finding.
type Problem = (&'static str, fn(&mut Map));

#[test]
fn faces_of_the_beta_are_recognized_by_their_indices() {
    // 26 * 68 = 17 * 104 bytes: only what they lead to decides.
    let mut map = sample_map(17);
    map.faces = (0..26)
        .map(|_| Face {
            first_edge: 0,
            original_face: 0,
            disp_info: -1,
            ..map.faces[0].clone()
        })
        .collect();
    map.surfedges = (0..26 * 4).map(|i| [1, 2, 3, 4][i % 4]).collect();
    for (i, face) in map.faces.iter_mut().enumerate() {
        face.first_edge = 4 * i as i32;
        face.v17_average_light[4..].fill(Rgbe::default());
    }
    let mut file = BspFile::new(17);
    map.write_into(&mut file).unwrap();
    assert_eq!(file.lump(LumpId::Faces).len(), 26 * 104);
    let vtmb = file.lump(LumpId::Faces).to_vec();
    // The same faces as the beta has them: without the last four averages, and with four styles.
    let beta: Vec<u8> = vtmb
        .chunks(104)
        .flat_map(|face| [&face[..16], &face[32..52], &face[72..]].concat())
        .collect();
    assert_eq!(beta.len(), 26 * 68);
    for lump in [vtmb, beta] {
        file.set_lump(LumpId::Faces, 0, lump.clone());
        file.set_lump(LumpId::OriginalFaces, 0, Vec::new());
        file.set_lump(LumpId::DispInfo, 0, Vec::new());
        let read = Map::read(&file).unwrap();
        assert_eq!(read.faces, map.faces);
        read.write_into(&mut file).unwrap();
        assert_eq!(file.lump(LumpId::Faces), lump);
    }
}

#[test]
fn overlays_with_shared_faces_are_kept() {
    let mut file = sample_file(25);
    let mut lump = [1_u32, 3, 5, 0, 1].map(u32::to_le_bytes).concat(); // counts, faces
    lump.splice(8..12, 2_u32.to_le_bytes());
    lump.extend([3_u32, 0].map(u32::to_le_bytes).concat()); // id, texinfo
    lump.extend([3_u16, 9].map(u16::to_le_bytes).concat()); // flags, order
    lump.extend([1_u32, 2].map(u32::to_le_bytes).concat()); // faces
    lump.extend((0..21_u8).flat_map(|value| f32::from(value).to_le_bytes()));
    lump.extend([1, 2, 3, 4]); // tint
    assert_eq!(lump.len(), 8 + 12 + 108);
    file.set_lump(LumpId::Overlays, 3, lump.clone());
    let map = Map::read(&file).unwrap();
    let overlay = &map.overlays[0];
    assert_eq!(
        (overlay.id, overlay.texinfo, overlay.render_order),
        (3, 0, 9)
    );
    assert_eq!(overlay.faces, [0, 1]);
    assert!(overlay.is_v_flipped);
    assert_eq!((overlay.u, overlay.v), ([0.0, 1.0], [2.0, 3.0]));
    assert_eq!(overlay.corners[3], [10.0, 11.0]);
    assert_eq!(overlay.basis_u, [12.0, 13.0, 14.0]);
    assert_eq!(overlay.normal, [18.0, 19.0, 20.0]);
    assert_eq!(overlay.tint, [1, 2, 3, 4]);
    map.write_into(&mut file).unwrap();
    assert_eq!(file.lump(LumpId::Overlays), lump);
    let mut edited = map.clone();
    edited.overlays.push(overlay.clone());
    edited.write_into(&mut file).unwrap();
    assert_eq!(Map::read(&file), Ok(edited));
}

/// Reads all lumps, checks and follows all indices; what was read is put into a file as it was.
pub(super) fn follow_everything(file: &BspFile, _: &[u8]) {
    let Ok(map) = Map::read(file) else { return };
    map.check();
    map.check_limits(file.version);
    for set in [FaceSet::Ldr, FaceSet::Hdr] {
        let mut triangles = Vec::new();
        for face in map.faces_of(set) {
            assert_eq!(map.ring(face).len(), face.n_edges as usize);
            map.triangles_of(face, &mut triangles);
            map.texture_name(face.texinfo);
        }
    }
    for model in 0..map.models.len() {
        map.world_brushes(model);
        map.leaf_at(map.models[model].head_node, [1.0, 2.0, 3.0]);
    }
    let mut again = file.clone();
    if DisplacementGrid::all(&map).is_ok() && map.write_into(&mut again).is_ok() {
        assert_eq!(again, *file);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_numbers_come_back(
        version in prop::sample::select(VERSIONS.as_slice()),
        points in prop::collection::vec(prop::array::uniform3(-1e6_f32..1e6), 12..40),
        lighting in prop::collection::vec(any::<u8>(), 0..200),
        corner in prop::array::uniform3(any::<i16>()),
        contents in any::<i32>(),
        area in 0_u32..512,
        flags in 0_u16..128,
        numbers in prop::array::uniform8(any::<u8>()),
    ) {
        let mut map = sample_map(version);
        map.vertices = points;
        map.lighting = lighting;
        map.leaves[3].mins = corner.map(f32::from);
        map.nodes[0].maxs = corner.map(f32::from);
        (map.leaves[1].area, map.leaves[1].flags, map.leaves[1].contents) = (area, flags, contents);
        map.brushes[0].contents = contents;
        map.overlays[0].render_order = u16::from(numbers[0] & 3);
        map.faces[0].area = f32::from(corner[0]);
        map.cubemaps[0].unknown_0d = [numbers[1], numbers[2], numbers[3]];
        map.disp_infos[0].edge_neighbors[2][1].orientation = numbers[4];
        map.nodes[1].unknown_1e = [numbers[5], numbers[6]];
        let mut file = sample_file(version);
        map.write_into(&mut file).unwrap();
        let written = file.write().unwrap();
        let read = BspFile::read(&written).unwrap();
        prop_assert_eq!(&read, &BspFile::read(&read.write().unwrap()).unwrap());
        prop_assert_eq!(read.write().unwrap(), written);
        prop_assert_eq!(Map::read(&read).unwrap(), map);
    }
}

#[test]
fn two_lumps_stay_bytes_as_the_docs_say() {
    let file = sample_file(20);
    let encoded = Map::default().encode(&file).unwrap();
    let typed = encoded.into_iter().map(|(id, ..)| id);
    let elsewhere = [
        LumpId::Entities,
        LumpId::GameLump,
        LumpId::Pakfile,
        LumpId::PhysCollide,
        LumpId::PhysCollideSurface,
    ];
    let typed: Vec<_> = typed.chain(elsewhere).collect();
    let raw = LumpId::ALL.into_iter().filter(|id| !typed.contains(id));
    let raw: Vec<_> = raw.map(|id| id.index()).collect();
    assert_eq!(raw, [57, 62]);
}
