//! The basements of buildings: up to where the land gives way to them, and where their walls begin.

use ironlands_assets_parkan::bas::{Bas, InnerRing, Ring};

/// Contours of a building around its middle, counterclockwise, at the height where it stands.
struct Contours {
    inner: &'static [[f32; 2]],
    outer: &'static [[f32; 2]],
}

/// Just inside the walls of the post's foundation; a forecourt around it.
const POST: Contours = Contours {
    inner: &[[10.8, -7.8], [10.8, 7.8], [-10.8, 7.8], [-10.8, -7.8]],
    outer: &[
        [13.2, -6.0],
        [13.2, 6.0],
        [9.5, 10.4],
        [-9.5, 10.4],
        [-13.2, 6.0],
        [-13.2, -6.0],
        [-9.5, -10.4],
        [9.5, -10.4],
    ],
};

/// The bunker has eight sides; its corners lie on the axes and between them.
const GUN: Contours = Contours {
    inner: &[
        [4.9, 0.0],
        [3.46, 3.46],
        [0.0, 4.9],
        [-3.46, 3.46],
        [-4.9, 0.0],
        [-3.46, -3.46],
        [0.0, -4.9],
        [3.46, -3.46],
    ],
    outer: &[
        [6.5, 0.0],
        [4.6, 4.6],
        [0.0, 6.5],
        [-4.6, 4.6],
        [-6.5, 0.0],
        [-4.6, -4.6],
        [0.0, -6.5],
        [4.6, -4.6],
    ],
};

/// The basement of a building's model; `None` for what is none.
pub fn of_model(stem: &str) -> Option<Bas> {
    let Contours { inner, outer } = match stem {
        "FR_POST" => POST,
        "FR_GUN" => GUN,
        _ => return None,
    };
    let ring =
        |corners: &[[f32; 2]]| Ring::new(corners.iter().map(|[x, y]| [*x, *y, 0.0]).collect());
    let none = vec![0; inner.len()];
    Some(Bas {
        inner: vec![InnerRing {
            ring: ring(inner),
            words: [none.clone(), none],
        }],
        outer: vec![ring(outer)],
    })
}
