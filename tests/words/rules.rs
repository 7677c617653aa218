//! The list of words. `not_yet` are folders that are not clean yet: delete them one after the other.

/// Words that are not used, and what to say instead.
pub struct Rule {
    /// Separated by `|`; names in their own case, everything else in lowercase.
    pub words: &'static str,
    /// What to say instead.
    pub say: &'static str,
    /// Beginnings of paths where the words are still used, separated by spaces.
    pub not_yet: &'static str,
}

impl Rule {
    /// The single words or phrases.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.split('|')
    }

    /// The folders and files that are not clean yet.
    pub fn not_yet(&self) -> impl Iterator<Item = &'static str> {
        self.not_yet.split_whitespace()
    }
}

/// Spelling, in prose and in parts of names.
pub const SPELLING: &[Rule] = &[
    Rule {
        words: "colour|colours|coloured|colouring",
        say: "color",
        not_yet: "",
    },
    Rule {
        words: "grey|greys|greyish|greyscale",
        say: "gray",
        not_yet: "",
    },
    Rule {
        words: "centre|centres|centred",
        say: "center",
        not_yet: "",
    },
    Rule {
        words: "behaviour|behaviours",
        say: "behavior",
        not_yet: "",
    },
    Rule {
        words: "metre|metres|kilometre|kilometres|centimetre|centimetres|millimetre|millimetres",
        say: "meter",
        not_yet: "",
    },
    Rule {
        words: "neighbour|neighbours|neighbouring|neighbourhood",
        say: "neighbor",
        not_yet: "",
    },
    Rule {
        words: "licence|licences",
        say: "license",
        not_yet: "",
    },
    Rule {
        words: "favour|favours|favourite|honour|honours",
        say: "favor, honor",
        not_yet: "",
    },
    Rule {
        words: "catalogue|catalogues|analogue|dialogue",
        say: "catalog, analog, dialog",
        not_yet: "",
    },
    Rule {
        words: "labelled|labelling|travelled|modelled|modelling|cancelled|cancelling|signalled|levelled",
        say: "one l: labeled, canceled",
        not_yet: "worlds/lineage2/",
    },
    Rule {
        words: "analyse|analysed|analysing|initialise|initialised|normalise|normalised|optimise|optimised|organise|organised|recognise|recognised|realise|realised|serialise|serialised|quantise|quantised|triangulise|summarise|summarised",
        say: "-ize",
        not_yet: "assets-loader/parkan/",
    },
    Rule {
        words: "artefact|artefacts|fibre|fibres|calibre|theatre",
        say: "artifact, fiber",
        not_yet: "demo/",
    },
    Rule {
        words: "towards",
        say: "toward",
        not_yet: "assets-loader/evil-islands/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ renderer/ scene/ worlds/lineage2/ worlds/parkan/",
    },
    Rule {
        words: "afterwards",
        say: "later, then",
        not_yet: "fuzz/ renderer/",
    },
    Rule {
        words: "backwards|upwards|downwards|inwards|outwards",
        say: "without s: backward, upward",
        not_yet: "assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ exchange/ renderer/ scene/ tests/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "whilst|amongst",
        say: "while, among",
        not_yet: "",
    },
    Rule {
        words: "storey|storeys",
        say: "story, floor",
        not_yet: "demo/ tests/",
    },
    Rule {
        words: "plough|ploughed|ploughs",
        say: "plow",
        not_yet: "demo/",
    },
    Rule {
        words: "judgement",
        say: "judgment",
        not_yet: "",
    },
];
/// Whole names in code that have a better one.
pub const NAMES: &[Rule] = &[
    Rule {
        words: "heights_at",
        say: "height_at_batch",
        not_yet: "",
    },
    Rule {
        words: "segment_hit|segments_hit",
        say: "cast_segment, cast_segment_batch",
        not_yet: "",
    },
    Rule {
        words: "cast_rays",
        say: "cast_ray_batch",
        not_yet: "",
    },
    Rule {
        words: "trace_all",
        say: "cast_shape_batch",
        not_yet: "",
    },
    Rule {
        words: "find_all",
        say: "find_batch",
        not_yet: "",
    },
    Rule {
        words: "sees_each_other|sights",
        say: "line_of_sight, line_of_sight_batch",
        not_yet: "",
    },
    Rule {
        words: "sweep_sphere|sweep_spheres|sweep_capsule",
        say: "cast_sphere, cast_sphere_batch, cast_capsule",
        not_yet: "",
    },
    Rule {
        words: "faces_in_aabbs|instances_in_aabbs|areals_at|find_routes|closest_points",
        say: "the name of the single query and _batch",
        not_yet: "",
    },
    Rule {
        words: "Instructions|with_instructions",
        say: "SimdLevel, with_simd_level",
        not_yet: "",
    },
    Rule {
        words: "Lanes",
        say: "SimdVector",
        not_yet: "",
    },
    Rule {
        words: "is_way_straight",
        say: "is_straight_walk_free",
        not_yet: "",
    },
    Rule {
        words: "Judge|TileJudge",
        say: "CullContext",
        not_yet: "renderer/",
    },
    Rule {
        words: "Moment",
        say: "FrameContext",
        not_yet: "renderer/",
    },
    Rule {
        words: "ModelLook|TileLook",
        say: "Appearance; ColorBy",
        not_yet: "assets-loader/lineage2/ engine/ renderer/ scene/",
    },
    Rule {
        words: "Cast",
        say: "ModelContents",
        not_yet: "assets-loader/evil-islands/ engine/",
    },
    Rule {
        words: "Works",
        say: "a builder that says what it builds",
        not_yet: "demo/",
    },
    Rule {
        words: "Stray|stray|strays",
        say: "unused option",
        not_yet: "assets-loader/evil-islands/ engine/",
    },
    Rule {
        words: "Asked|asked",
        say: "query, requested",
        not_yet: "assets-loader/source/ engine/ examples/ fuzz/ renderer/ tests/ worlds/lineage2/",
    },
    Rule {
        words: "mason",
        say: "builder",
        not_yet: "",
    },
];
/// Words and phrases in comments, messages, help and documents that a native writer would not use for what is meant.
pub const PHRASES: &[Rule] = &[
    Rule {
        words: "question|questions",
        say: "query",
        not_yet: "assets-loader/parkan/ assets-loader/source/ demo/ examples/ fuzz/ renderer/ tests/ worlds/evil-islands/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "answer|answers|answered|answering",
        say: "result, return",
        not_yet: "ARCHITECTURE.md README.md assets-loader/core/ assets-loader/evil-islands/ assets-loader/parkan/ assets-loader/proof/ assets-loader/source/ demo/ engine/ examples/ fuzz/ renderer/ scene/ tests/ worlds/evil-islands/ worlds/lineage2/ worlds/source/",
    },
    Rule {
        words: "ask|asks|asked|asking",
        say: "query, request, call",
        not_yet: "ARCHITECTURE.md assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ examples/ exchange/ fuzz/ renderer/ scene/ tests/ worlds/lineage2/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "tell|tells|told",
        say: "describe, report, return",
        not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ examples/ exchange/ fuzz/ renderer/ scene/ tests/ worlds/evil-islands/ worlds/lineage2/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "nobody|somebody|everybody|everyone|someone|whoever|whom",
        say: "the subject by its name: caller, character, thread",
        not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ examples/ renderer/ scene/ tests/ worlds/evil-islands/ worlds/lineage2/ worlds/source/",
    },
    Rule {
        words: "taut",
        say: "shortened by string pulling",
        not_yet: "worlds/parkan/",
    },
    Rule {
        words: "many at once",
        say: "in a batch",
        not_yet: "engine/",
    },
    Rule {
        words: "one by one",
        say: "one at a time",
        not_yet: "assets-loader/core/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ renderer/ scene/",
    },
    Rule {
        words: "in step",
        say: "in lockstep",
        not_yet: "assets-loader/source/ worlds/evil-islands/",
    },
    Rule {
        words: "there and back",
        say: "round trip",
        not_yet: "demo/ tests/ worlds/lineage2/",
    },
    Rule {
        words: "who sees",
        say: "line of sight",
        not_yet: "tests/",
    },
    Rule {
        words: "how far one",
        say: "straight walk",
        not_yet: "",
    },
    Rule {
        words: "what there is",
        say: "inventory",
        not_yet: "assets-loader/parkan/ demo/ engine/ exchange/ renderer/ worlds/lineage2/",
    },
    Rule {
        words: "what is there|what stands|what walks|who walks|who comes",
        say: "objects, movers, characters",
        not_yet: "assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/record-derive/ assets-loader/source/ demo/ engine/ exchange/ renderer/ scene/ tests/ worlds/evil-islands/ worlds/parkan/",
    },
    Rule {
        words: "is sound|are sound|a sound map|a sound mesh|a sound file|unsound",
        say: "valid",
        not_yet: "assets-loader/evil-islands/ assets-loader/source/ renderer/ tests/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "under way",
        say: "in progress",
        not_yet: "engine/ worlds/source/",
    },
    Rule {
        words: "rule of steps|rules of steps",
        say: "step rule",
        not_yet: "assets-loader/lineage2/ worlds/lineage2/",
    },
    Rule {
        words: "judge|judges|judged",
        say: "cull, decide, validate",
        not_yet: "assets-loader/evil-islands/ exchange/ renderer/ tests/ worlds/evil-islands/",
    },
    Rule {
        words: "trouble|troubles|fault|faults",
        say: "finding: error, warning or note",
        not_yet: "README.md SECURITY.md assets-loader/core/ assets-loader/evil-islands/ assets-loader/parkan/ assets-loader/proof/ assets-loader/source/ demo/ engine/ tests/ worlds/parkan/",
    },
    Rule {
        words: "stray|strays",
        say: "unused option",
        not_yet: "assets-loader/evil-islands/ assets-loader/source/ engine/",
    },
    Rule {
        words: "mason|masons",
        say: "builder",
        not_yet: "demo/",
    },
    Rule {
        words: "one comes|one gets|one stands|one walks|one sees",
        say: "the character, the viewer",
        not_yet: "assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ scene/ worlds/lineage2/",
    },
    Rule {
        words: "comes to",
        say: "reaches",
        not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/source/ demo/ engine/ examples/ tests/ worlds/lineage2/ worlds/source/",
    },
    Rule {
        words: "it meets|ray meets|rays meet|is met|was met",
        say: "hits, is hit",
        not_yet: "assets-loader/evil-islands/ demo/ worlds/evil-islands/ worlds/lineage2/ worlds/parkan/ worlds/source/",
    },
    Rule {
        words: "lately|of late",
        say: "recently",
        not_yet: "",
    },
    Rule {
        words: "anew",
        say: "again; rebuilt",
        not_yet: "assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ renderer/ worlds/evil-islands/",
    },
    Rule {
        words: "on the spot",
        say: "on demand",
        not_yet: "",
    },
    Rule {
        words: "lent|lends",
        say: "passes, borrows",
        not_yet: "",
    },
    Rule {
        words: "second texture layer|second textures|second texture",
        say: "decal layer",
        not_yet: "assets-loader/evil-islands/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ exchange/ renderer/ scene/",
    },
    Rule {
        words: "stored light",
        say: "lightmap",
        not_yet: "assets-loader/source/ demo/ engine/ exchange/ renderer/ scene/ tests/ worlds/source/",
    },
    Rule {
        words: "fine structure|microtexture",
        say: "detail texture",
        not_yet: "README.md assets-loader/parkan/ assets-loader/source/ demo/ engine/ renderer/ scene/ tests/ worlds/parkan/",
    },
    Rule {
        words: "inhabitant|inhabitants",
        say: "object",
        not_yet: "assets-loader/parkan/ worlds/parkan/",
    },
    Rule {
        words: "piles",
        say: "buckets",
        not_yet: "demo/",
    },
    Rule {
        words: "goes on",
        say: "continues",
        not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/source/ demo/ engine/ examples/ exchange/ renderer/ scene/ tests/ worlds/evil-islands/ worlds/lineage2/ worlds/parkan/",
    },
    Rule {
        words: "no use|of use",
        say: "used; unused",
        not_yet: "assets-loader/parkan/ assets-loader/source/ engine/",
    },
    Rule {
        words: "so many",
        say: "a number of; this many",
        not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/proof/ assets-loader/source/ demo/ engine/ examples/ exchange/ renderer/ scene/ tests/ worlds/evil-islands/",
    },
];

/// Names of constructors, alone or before an underscore.
pub const CONSTRUCTORS: &[Rule] = &[Rule {
    words: "of|over",
    say: "new, from_*",
    not_yet: "assets-loader/core/ assets-loader/evil-islands/ assets-loader/lineage2/ assets-loader/parkan/ assets-loader/proof/ assets-loader/source/ demo/ engine/ examples/ exchange/ renderer/ worlds/evil-islands/",
}];
