// Surfaces with lightmaps, with a blend or detail texture, with layers that fade, or with textures of linear light.
//
// Goes with one of `scene_ambient.wgsl` and `ambient_cube.wgsl`, which say what light falls on a surface from around.

fn lit_color(point: SurfacePoint) -> vec4<f32> {
    if LIGHTING != LIGHTING_LIGHTMAP && LIGHTING != LIGHTING_AMBIENT {
        return sun_lit(display_texel(point), point);
    }
    let texel = blended_texel(point, point.uv);
    let normal = point.normal / max(length(point.normal), 1e-6);
    var light: vec3<f32>;
    if LIGHTING == LIGHTING_LIGHTMAP {
        var shares = vec3(0.0);
        if is_baked(BAKED_NORMAL_MAP) {
            shares = shares_of_directions(textureSample(normal_texture, material_sampler, point.uv).rgb);
        }
        light = lightmap_color(point, shares);
    } else {
        light = ambient_light(point, normal) + point.color.rgb;
    }
    light += local_light(point.position_in_eye, point.position_in_clip.xy, normal, LIGHTING == LIGHTING_LIGHTMAP);
    light = select(vec3(1.0), light, has_flag(FLAG_STORED_LIGHT));
    let alpha = material.diffuse.a * alpha_of_pass(point, texel.rgb, texel.a);
    if is_left_out(alpha, point.uv.x) {
        discard;
    }
    let seen = light * material.diffuse.rgb + material.emissive;
    return vec4(toned(texel.rgb * seen), alpha);
}

// The same in display space, with the detail texture over it, and faded as the pass is.
fn display_texel(point: SurfacePoint) -> vec4<f32> {
    var texel: vec4<f32>;
    if is_baked(BAKED_IN_LINEAR_LIGHT) {
        texel = blended_texel(point, point.uv);
        texel = vec4(display_from_linear(texel.rgb), texel.a);
    } else {
        texel = textureSample(material_texture, material_sampler, point.uv);
    }
    if is_baked(BAKED_DETAIL) && has_flag_here(FLAG_DETAIL, point.uv.x) {
        let detail = textureSample(detail_texture, detail_sampler, point.light_uv);
        texel = vec4(texel.rgb * detail.rgb * 2.0, texel.a);
    }
    return vec4(texel.rgb, alpha_of_pass(point, linear_from_display(texel.rgb), texel.a));
}
