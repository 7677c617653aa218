//! The list of words.

/// Words that are not used, and what to say instead.
pub struct Rule {
    /// Separated by `|`; names in their own case, everything else in lowercase.
    pub words: &'static str,
    /// What to say instead.
    pub say: &'static str,
}

impl Rule {
    /// The single words or phrases.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.split('|')
    }
}

/// Spelling, in prose and in parts of names.
pub const SPELLING: &[Rule] = &[
    Rule {
        words: "colour|colours|coloured|colouring",
        say: "color",
    },
    Rule {
        words: "grey|greys|greyish|greyscale",
        say: "gray",
    },
    Rule {
        words: "centre|centres|centred",
        say: "center",
    },
    Rule {
        words: "behaviour|behaviours",
        say: "behavior",
    },
    Rule {
        words: "metre|metres|kilometre|kilometres|centimetre|centimetres|millimetre|millimetres",
        say: "meter",
    },
    Rule {
        words: "neighbour|neighbours|neighbouring|neighbourhood",
        say: "neighbor",
    },
    Rule {
        words: "licence|licences",
        say: "license",
    },
    Rule {
        words: "favour|favours|favourite|honour|honours",
        say: "favor, honor",
    },
    Rule {
        words: "catalogue|catalogues|analogue|dialogue",
        say: "catalog, analog, dialog",
    },
    Rule {
        words: "labelled|labelling|travelled|modelled|modelling|cancelled|cancelling|signalled|levelled",
        say: "one l: labeled, canceled",
    },
    Rule {
        words: "analyse|analysed|analysing|initialise|initialised|normalise|normalised|optimise|optimised|organise|organised|recognise|recognised|realise|realised|serialise|serialised|quantise|quantised|triangulise|summarise|summarised",
        say: "-ize",
    },
    Rule {
        words: "artefact|artefacts|fibre|fibres|calibre|theatre",
        say: "artifact, fiber",
    },
    Rule {
        words: "towards",
        say: "toward",
    },
    Rule {
        words: "afterwards",
        say: "later, then",
    },
    Rule {
        words: "backwards|upwards|downwards|inwards|outwards",
        say: "without s: backward, upward",
    },
    Rule {
        words: "whilst|amongst",
        say: "while, among",
    },
    Rule {
        words: "storey|storeys",
        say: "story, floor",
    },
    Rule {
        words: "plough|ploughed|ploughs",
        say: "plow",
    },
    Rule {
        words: "judgement",
        say: "judgment",
    },
];
/// Whole names in code that have a better one.
pub const NAMES: &[Rule] = &[
    Rule {
        words: "heights_at",
        say: "height_at_batch",
    },
    Rule {
        words: "segment_hit|segments_hit",
        say: "cast_segment, cast_segment_batch",
    },
    Rule {
        words: "cast_rays",
        say: "cast_ray_batch",
    },
    Rule {
        words: "trace_all",
        say: "cast_shape_batch",
    },
    Rule {
        words: "find_all",
        say: "find_batch",
    },
    Rule {
        words: "sees_each_other|sights",
        say: "line_of_sight, line_of_sight_batch",
    },
    Rule {
        words: "sweep_sphere|sweep_spheres|sweep_capsule",
        say: "cast_sphere, cast_sphere_batch, cast_capsule",
    },
    Rule {
        words: "faces_in_aabbs|instances_in_aabbs|areals_at|find_routes|closest_points",
        say: "the name of the single query and _batch",
    },
    Rule {
        words: "Instructions|with_instructions",
        say: "SimdLevel, with_simd_level",
    },
    Rule {
        words: "Lanes",
        say: "SimdVector",
    },
    Rule {
        words: "is_way_straight",
        say: "is_straight_walk_free",
    },
    Rule {
        words: "Judge|TileJudge",
        say: "CullContext",
    },
    Rule {
        words: "Moment",
        say: "FrameContext",
    },
    Rule {
        words: "ModelLook|TileLook|LookBy",
        say: "Appearance; ColorBy",
    },
    Rule {
        words: "Cast",
        say: "ModelContents",
    },
    Rule {
        words: "Works",
        say: "a builder that says what it builds",
    },
    Rule {
        words: "Stray|stray|strays",
        say: "unused option",
    },
    Rule {
        words: "Asked|asked",
        say: "query, requested",
    },
    Rule {
        words: "answer|Answer|ask|question|questions|Question",
        say: "result, out; query",
    },
    Rule {
        words: "tell|tells|told",
        say: "report, describe",
    },
    Rule {
        words: "mason",
        say: "builder",
    },
];
/// Words and phrases in comments, messages, help and documents that a native writer would not use for what is meant.
pub const PHRASES: &[Rule] = &[
    Rule {
        words: "question|questions",
        say: "query",
    },
    Rule {
        words: "answer|answers|answered|answering",
        say: "result, return",
    },
    Rule {
        words: "ask|asks|asked|asking",
        say: "query, request, call",
    },
    Rule {
        words: "tell|tells|told",
        say: "describe, report, return",
    },
    Rule {
        words: "nobody|somebody|everybody|everyone|someone|whoever|whom",
        say: "the subject by its name: caller, character, thread",
    },
    Rule {
        words: "taut",
        say: "shortened by string pulling",
    },
    Rule {
        words: "many at once",
        say: "in a batch",
    },
    Rule {
        words: "one by one",
        say: "one at a time",
    },
    Rule {
        words: "in step",
        say: "in lockstep",
    },
    Rule {
        words: "there and back",
        say: "round trip",
    },
    Rule {
        words: "who sees",
        say: "line of sight",
    },
    Rule {
        words: "how far one",
        say: "straight walk",
    },
    Rule {
        words: "what there is",
        say: "inventory",
    },
    Rule {
        words: "what is there|what stands|what walks|who walks|who comes",
        say: "objects, movers, characters",
    },
    Rule {
        words: "is sound|are sound|a sound map|a sound mesh|a sound file|unsound",
        say: "valid",
    },
    Rule {
        words: "under way",
        say: "in progress",
    },
    Rule {
        words: "rule of steps|rules of steps",
        say: "step rule",
    },
    Rule {
        words: "judge|judges|judged",
        say: "cull, decide, validate",
    },
    Rule {
        words: "trouble|troubles|fault|faults",
        say: "finding: error, warning or note",
    },
    Rule {
        words: "stray|strays",
        say: "unused option",
    },
    Rule {
        words: "mason|masons",
        say: "builder",
    },
    Rule {
        words: "one comes|one gets|one stands|one walks|one sees",
        say: "the character, the viewer",
    },
    Rule {
        words: "comes to",
        say: "reaches",
    },
    Rule {
        words: "it meets|ray meets|rays meet|is met|was met",
        say: "hits, is hit",
    },
    Rule {
        words: "lately|of late",
        say: "recently",
    },
    Rule {
        words: "anew",
        say: "again; rebuilt",
    },
    Rule {
        words: "on the spot",
        say: "on demand",
    },
    Rule {
        words: "lent|lends",
        say: "passes, borrows",
    },
    Rule {
        words: "second texture layer|second textures|second texture",
        say: "decal layer, blend texture",
    },
    Rule {
        words: "stored light",
        say: "lightmap",
    },
    Rule {
        words: "fine structure",
        say: "detail texture",
    },
    Rule {
        words: "inhabitant|inhabitants",
        say: "object",
    },
    Rule {
        words: "piles",
        say: "buckets",
    },
    Rule {
        words: "goes on",
        say: "continues",
    },
    Rule {
        words: "no use|of use",
        say: "used; unused",
    },
    Rule {
        words: "so many",
        say: "a number of; this many",
    },
];

/// Names of constructors, alone or before an underscore.
pub const CONSTRUCTORS: &[Rule] = &[Rule {
    words: "of|over",
    say: "new, from_*",
}];
