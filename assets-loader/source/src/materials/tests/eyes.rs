//! Irises on eyes.

use super::*;

fn eye(text: &str, is_eye: bool) -> Vec<(PassKind, String, u8)> {
    let (passes, textures) = passes(text, |it| {
        it.is_model = true;
        it.is_eye = is_eye;
        it.light = SurfaceLight::Ambient;
    });
    let named = passes.into_iter().map(|it| {
        let name = it
            .texture
            .map(|texture| textures[texture.0 as usize].name.clone());
        assert_eq!(it.lighting, Lighting::Ambient);
        (it.kind, name.unwrap_or_default(), it.uv_set)
    });
    named.collect()
}

#[test]
fn an_iris_lies_over_the_white_of_an_eye() {
    let eyes = "Eyes { $basetexture brick  $iris clamped }";
    let of = |kind, name: &str, uv_set| (kind, name.to_owned(), uv_set);
    let white = || of(PassKind::Base, "brick", 0);
    let iris = of(PassKind::Decal, "clamped", 1);
    assert_eq!(eye(eyes, true), [white(), iris]);
    assert_eq!(eye(eyes, false), [white()]);
    assert_eq!(eye("Eyes { $basetexture brick }", true), [white()]);
}

#[test]
fn without_a_picture_of_the_white_the_iris_is_all_of_the_eye() {
    let found = eye("EyeRefract { $iris clamped  $corneatexture brick_n }", true);
    assert_eq!(found, [(PassKind::Base, "clamped".to_owned(), 1)]);
}
