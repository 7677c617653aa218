//! Which textures suit which figure, for those who look at one without an object that says (dossier section 9.5).

/// What units wear where nothing else is there.
const FALLBACK: &str = "default0";

/// Figures with their first texture.
const FIRST: [(&str, &str); 47] = [
    ("unanhoco", "Cow00"),
    ("unanhodo", "Dog00"),
    ("unanhoha", "Hare00"),
    ("unanhoho", "Horse00"),
    ("unanhopi", "Pig00"),
    ("unanwiba", "Bat00"),
    ("unanwibo", "Boar00"),
    ("unanwicr", "Crab00"),
    ("unanwide", "Deer00"),
    ("unanwihy", "Hyena00"),
    ("unanwira", "Rat00"),
    ("unanwiti", "Tiger00"),
    ("unanwiwo", "Wolf00"),
    ("unhufe", "default0"),
    ("unhuma", "default0"),
    ("unorfe", "default0"),
    ("unorma", "default0"),
    ("unmoba1", "Banshee00"),
    ("unmoba2", "Banshee01"),
    ("unmobe0", "Beholder00"),
    ("unmobe1", "Beholder01"),
    ("unmoco2", "mainmenu00"),
    ("unmocu", "Curse00"),
    ("unmocy", "Cyclop00"),
    ("unmodg", "Dragon00"),
    ("unmodr", "Driad00"),
    ("unmoel0", "Earth00"),
    ("unmoel1", "Earth02"),
    ("unmoel2", "Earth01"),
    ("unmogo", "Goblin00"),
    ("unmogo1", "Golem00"),
    ("unmogo2", "Golem01"),
    ("unmoli", "LizardMan00"),
    ("unmomi", "MindFlayer00"),
    ("unmoog1", "Ogre00"),
    ("unmoog2", "Ogre02"),
    ("unmori", "Rick"),
    ("unmosh", "Shadow00"),
    ("unmosk", "Skeleton00"),
    ("unmosp", "Spider00"),
    ("unmosu", "Succubus00"),
    ("unmoto", "Toad00"),
    ("unmotr", "Troll00"),
    ("unmoun", "Unicorn00"),
    ("unmowi", "Willowisp00"),
    ("unmozo0", "ZombieMale00"),
    ("unmozo1", "ZombieFemale00"),
];

/// Figures with their texture 2.
const SECOND: [(&str, &str); 2] = [("unmodr", "Driad00L"), ("unmogo", "Goblin00L")];

/// Names without extension for the first texture, the most suitable first.
pub fn first(figure: &str) -> impl Iterator<Item = &str> {
    let is_unit = figure
        .get(..2)
        .is_some_and(|it| it.eq_ignore_ascii_case("un"));
    let names = known(&FIRST, figure).into_iter().chain([figure]);
    names.chain(is_unit.then_some(FALLBACK))
}

/// The name of texture 2, if there is one.
pub fn second(figure: &str) -> Option<&'static str> {
    known(&SECOND, figure)
}

fn known(names: &'static [(&str, &str)], figure: &str) -> Option<&'static str> {
    let found = names
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(figure));
    found.map(|(_, texture)| *texture)
}
