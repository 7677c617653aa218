use super::*;
use crate::test_regions::{id, mixed, open};
use crate::{RegionId, Tolerance};

fn dat(region: &Region) -> RegionFile {
    RegionFile::ConvDat(ConvDat::from_region(region))
}

fn losses(source: &RegionFile, to: GeodataFormat) -> Vec<(LossKind, u64)> {
    let converted = convert(source, to, &ConvertOptions::default()).unwrap();
    let losses = converted.losses.iter();
    losses.map(|loss| (loss.kind, loss.count)).collect()
}

/// A region of the original server: flat pairs, a complex and a multilayer block.
fn pairs() -> Region {
    let mut region = mixed(31);
    region.blocks_mut()[300] = Block::Flat(Flat::from_pair(3528, 3496));
    region.blocks_mut()[256] = Block::Flat(Flat::from_pair(-4664, -4664));
    region
}

#[test]
fn each_edge_reports_what_it_loses() {
    let source = dat(&pairs());
    let lower = (LossKind::FlatHeights(FlatRule::Max), 1);
    for to in [
        GeodataFormat::L2j,
        GeodataFormat::L2g,
        GeodataFormat::L2m,
        GeodataFormat::L2d,
    ] {
        assert_eq!(losses(&source, to), [lower], "{to}");
    }
    let to_text = losses(&source, GeodataFormat::PathTxt);
    assert_eq!(to_text, [lower, (LossKind::Uniform, 1)]);
    assert_eq!(losses(&source, GeodataFormat::ConvDat), []);
    let l2j = RegionFile::L2j(L2j::from_region(&mixed(5), FlatRule::Max));
    assert_eq!(
        losses(&l2j, GeodataFormat::ConvDat),
        [(LossKind::SingleLayered, 1)]
    );
    assert!(convert(&l2j, GeodataFormat::L2s, &ConvertOptions::default()).is_err());
}

#[test]
fn the_rule_decides_which_height_stays() {
    for (rule, height) in [
        (FlatRule::Max, 3528),
        (FlatRule::Min, 3496),
        (FlatRule::Average, 3512),
    ] {
        let options = ConvertOptions {
            flat_rule: rule,
            ..ConvertOptions::default()
        };
        let converted = convert(&dat(&pairs()), GeodataFormat::L2j, &options).unwrap();
        assert_eq!(
            converted.file.region().blocks()[300],
            Block::Flat(Flat::from_height(height))
        );
    }
}

#[test]
fn cells_survive_every_way_there_and_back() {
    let source = dat(&mixed(31));
    let options = ConvertOptions {
        key: 7,
        ..ConvertOptions::default()
    };
    for format in GeodataFormat::ALL {
        // A whole region as text takes long, and is written in its own tests.
        if matches!(format, GeodataFormat::L2s | GeodataFormat::PathTxt) {
            continue;
        }
        let there = convert(&source, format, &options).unwrap().file;
        let bytes = there.write().unwrap();
        let read = RegionFile::read(format, id(), &bytes, Tolerance::STRICT).unwrap();
        assert_eq!(read, there, "{format}");
        let back = convert(&read, GeodataFormat::ConvDat, &options)
            .unwrap()
            .file;
        assert!(is_same_ground(back.region(), source.region()), "{format}");
    }
}

#[test]
fn diagonals_that_no_rule_gives_are_lost() {
    let mut l2d = L2d::from_region(&Region::flat(id(), 0), FlatRule::Max);
    assert_eq!(
        losses(&RegionFile::L2d(l2d.clone()), GeodataFormat::L2j),
        []
    );
    let mut cells = Box::new([Cell::new(0, Nswe::all()); 64]);
    cells[9] = Cell::new(4, Nswe::ALL_SIDES);
    cells[10] = Cell::new(20000, Nswe::ALL_SIDES);
    l2d.region.blocks_mut()[256 * 9 + 9] = Block::Complex(cells);
    let source = RegionFile::L2d(l2d.clone());
    let lost = losses(&source, GeodataFormat::L2j);
    assert_eq!(lost[0].0, LossKind::Diagonals, "{lost:?}");
    let rest = [(LossKind::HeightSteps, 1), (LossKind::HeightRange, 1)];
    assert_eq!(lost[1..], rest);
    let rp = convert(&source, GeodataFormat::Rp, &ConvertOptions::default()).unwrap();
    assert_eq!((rp.file.region(), &rp.losses[..]), (&l2d.region, &[][..]));
}

#[test]
fn flattening_follows_the_original_tools() {
    let mut region = Region::flat(id(), 0);
    let mut low = Box::new([open(0); 64]);
    low[20].height = 32;
    let mut high = low.clone();
    high[20].height = 40;
    let mut closed = low.clone();
    closed[20].nswe = Nswe::NORTH;
    for (index, cells) in [low, high, closed].into_iter().enumerate() {
        region.blocks_mut()[index] = Block::Complex(cells);
    }
    let options = ConvertOptions {
        flatten: true,
        ..ConvertOptions::default()
    };
    let flat = convert(&dat(&region), GeodataFormat::ConvDat, &options).unwrap();
    let expected = [(LossKind::Flattened, 1), (LossKind::FlattenedHeights, 63)];
    let lost: Vec<_> = (flat.losses.iter().map(|it| (it.kind, it.count))).collect();
    assert_eq!(lost, expected);
    let reported: Vec<String> = flat.losses.iter().map(Loss::to_string).collect();
    assert_eq!(reported[0], "1 block became flat");
    assert_eq!(
        reported[1],
        "63 cells of blocks that became flat changed height"
    );
    let blocks = flat.file.region().blocks();
    assert_eq!(blocks[0], Block::Flat(Flat::new(32, 0)));
    assert_eq!(blocks[1..3], region.blocks()[1..3]);
}

#[test]
fn same_ground_is_distinguished_from_other() {
    let region = mixed(5);
    let mut other = region.clone();
    other.id = RegionId::new(1, 1).unwrap();
    assert!(is_same_ground(&region, &other));
    other.blocks_mut()[256] = Block::Flat(Flat::from_height(-4664));
    assert!(!is_same_ground(&region, &other));
}
