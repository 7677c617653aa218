//! New meshes from plain geometry.

use proptest::prelude::*;

use super::super::*;
use super::{Change, component};

/// A square whose left half has a seam in its texture: five vertices over four points.
fn square(states: usize) -> FigDraft {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0],
    ];
    let tall = |state: usize| {
        corners
            .map(|[x, y, z]| [x, y * (1 + state) as f32, z])
            .to_vec()
    };
    let positions: Vec<_> = (0..states).map(tall).collect();
    let texcoords = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]];
    FigDraft::from_vertices(
        &positions,
        &[[0.0, 0.0, 1.0]; 5],
        &texcoords,
        vec![[0, 1, 2], [2, 3, 4]],
    )
}

#[test]
fn drafts_weld_points_and_fill_blocks() {
    for states in [1, 8] {
        let fig = Fig::draft(&square(states)).unwrap();
        assert_eq!(fig.n_vertices(), 4);
        assert_eq!(
            fig.normals,
            [
                [0.0, 0.0, 1.0, 1.0],
                [0.0, 0.0, 0.0, 1.0],
                [0.0, 0.0, 0.0, 1.0],
                [0.0, 0.0, 0.0, 1.0]
            ]
        );
        assert_eq!(fig.components[4], component(0, 0, 4));
        assert_eq!(fig.indices, [0, 1, 2, 2, 3, 4]);
        assert_eq!(fig.morphs.len(), 4);
        assert_eq!(fig.state_position(states - 1, 2), [1.0, states as f32, 0.0]);
        assert_eq!(fig.check(), []);
        let read = Fig::read(&fig.write().unwrap()).unwrap();
        assert_eq!(read, fig);
        let bounds = fig.bounds([0.0; 3]);
        assert_eq!(
            (bounds.center, bounds.half_extent),
            ([0.5, 0.5, 0.0], [0.5, 0.5, 0.0])
        );
        assert!((bounds.radius - 0.5_f32.sqrt()).abs() < 1e-6);
    }
}

#[test]
fn drafts_store_bounds_in_either_convention() {
    for convention in [BoundsConvention::FromCenter, BoundsConvention::FromOrigin] {
        let mut draft = square(8);
        draft.bounds = convention;
        let fig = Fig::draft(&draft).unwrap();
        assert_eq!(fig.bounds_convention(), Some(convention));
        assert_eq!(fig.bounds([0.0; 3]).half_extent, [0.5, 0.5, 0.0]);
    }
}

#[test]
fn drafts_of_nothing_and_of_nonsense() {
    let empty = FigDraft {
        points: vec![Vec::new(); 8],
        group: 19,
        ..FigDraft::default()
    };
    let fig = Fig::draft(&empty).unwrap();
    assert_eq!(Fig::read(&fig.write().unwrap()).as_ref(), Ok(&fig));
    let rows: [(&str, Change<FigDraft>, &str); 5] = [
        ("two states", |it| it.points.truncate(2), "states"),
        ("uneven states", |it| it.points[7].truncate(1), "vertices"),
        (
            "a point beyond",
            |it| it.vertices[0].point = 4,
            "point of a vertex",
        ),
        ("a vertex beyond", |it| it.triangles[0][1] = 5, "triangle"),
        (
            "too many points",
            |it| {
                it.points
                    .iter_mut()
                    .for_each(|points| points.resize(65_537, [0.0; 3]))
            },
            "points",
        ),
    ];
    for (name, change, field) in rows {
        let mut draft = square(8);
        change(&mut draft);
        assert_eq!(Fig::draft(&draft).unwrap_err().field, field, "{name}");
    }
}

proptest! {
    #[test]
    fn any_draft_survives(
        points in prop::collection::vec(prop::array::uniform3(-10.0f32..10.0), 1..20),
        corners in prop::collection::vec(any::<(prop::sample::Index, bool)>(), 0..30),
        is_blended: bool,
    ) {
        let states = if is_blended { 8 } else { 1 };
        let vertices: Vec<_> = corners.iter().map(|(index, flag)| DraftVertex {
            point: index.index(points.len()) as u32,
            normal: if *flag { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] },
            texcoord: [0.0, f32::from(u8::from(*flag))],
        }).collect();
        let n_triangles = vertices.len() as u32 / 3;
        let draft = FigDraft {
            points: vec![points.clone(); states],
            triangles: (0..n_triangles).map(|it| [3 * it, 3 * it + 1, 3 * it + 2]).collect(),
            vertices,
            group: 18,
            texture: 1,
            ..FigDraft::default()
        };
        let fig = Fig::draft(&draft).unwrap();
        let read = Fig::read(&fig.write().unwrap()).unwrap();
        prop_assert_eq!(&read, &fig);
        for (index, corner) in draft.vertices.iter().enumerate() {
            let component = read.components[index];
            prop_assert_eq!(read.position(component.position.into(), [0.0; 3]), points[corner.point as usize]);
            prop_assert_eq!(read.normal(component.normal.into()), corner.normal);
            prop_assert_eq!(read.texcoords[usize::from(component.texcoord)], corner.texcoord);
        }
    }
}
