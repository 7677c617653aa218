use super::*;

#[test]
fn blend_codes_are_those_of_direct3d() {
    use BlendFactor::*;
    let blend = |source, destination| {
        Some(Blend {
            source,
            destination,
        })
    };
    assert_eq!(blend_of(255, 255), None);
    assert_eq!(blend_of(5, 6), blend(SourceAlpha, InverseSourceAlpha));
    assert_eq!(blend_of(9, 3), blend(DestinationColor, SourceColor));
    assert_eq!(blend_of(12, 1), blend(SourceAlpha, InverseSourceAlpha));
    assert_eq!(blend_of(13, 255), blend(InverseSourceAlpha, SourceAlpha));
    assert_eq!(blend_of(255, 2), blend(One, One));
    assert_eq!(blend_of(2, 255), blend(One, Zero));
    assert_eq!(blend_of(0, 1), None);
    assert_eq!(blend_of(2, 14), None);
    let all = [
        Zero,
        One,
        SourceColor,
        InverseSourceColor,
        SourceAlpha,
        InverseSourceAlpha,
        DestinationAlpha,
        InverseDestinationAlpha,
        DestinationColor,
        InverseDestinationColor,
        SourceAlphaSaturated,
    ];
    for (code, factor) in (1..).zip(all) {
        assert_eq!(blend_of(code, 1), blend(factor, Zero), "{code}");
    }
}
