// A display-space color that is no light of the level's, such as that of the sky or of a lamp, as exposure shows it: as it
// is, unless exposure follows the picture. `number` is as of `has_flag_here`.
fn exposed(display: vec3<f32>, number: f32) -> vec3<f32> {
    if !has_flag_here(FLAG_ADAPTS, number) {
        return display;
    }
    return display_from_linear(linear_from_display(display) * frame.exposure);
}
