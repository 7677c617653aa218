//! Geodata queries: heights, walks, lines of sight and paths over a region of blocks from the input, with a door in it.
//! Every query returns, whatever the ground is, and paths by cells and by zones agree.
#![no_main]

use ironlands_assets_lineage2::{
    Block, Cell, Flat, GeoCell, Multilayer, Nswe, Region, ZERO_REGION,
};
use ironlands_sim::geodata::path::{
    LazyGeodata, PathEnd, PathFinder, PathGuide, PathOptions, PathRequest, PathSearch,
    ZoneCache,
};
use ironlands_sim::geodata::{
    CornerRule, LineRule, StepTarget,
    GeoObject, GeoPoint, Geodata, NoDataRule, ObjectKind, Profile, RegionPack, Viewer,
};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

/// Blocks along a side of the part that is drawn on; a wall is around it, so that floods end.
const SIDE: usize = 4;

/// What the input says, as long as it lasts.
struct Input<'a>(Unstructured<'a>);

impl Input<'_> {
    fn i16(&mut self) -> i16 {
        self.0.arbitrary().unwrap_or_default()
    }

    fn i32(&mut self) -> i32 {
        self.0.arbitrary().unwrap_or_default()
    }

    fn is(&mut self) -> bool {
        self.0.arbitrary().unwrap_or_default()
    }

    fn cell(&mut self) -> Cell {
        cell(self.i16().cast_unsigned())
    }

    fn block(&mut self) -> Block {
        match self.0.int_in_range(0..=2).unwrap_or(0) {
            0 => Block::Flat(Flat::new(self.i16(), self.i16())),
            1 => Block::Complex(Box::new([(); 64].map(|()| self.cell()))),
            _ => {
                let n_layers = self.0.int_in_range(1..=4).unwrap_or(1);
                let columns: Vec<Vec<Cell>> = (0..64)
                    .map(|_| (0..n_layers).map(|_| self.cell()).collect())
                    .collect();
                let block = Multilayer::new(columns.iter().map(Vec::as_slice));
                Block::Multilayer(Box::new(block.expect("one to four layers").sorted()))
            }
        }
    }

    fn profile(&mut self) -> Profile {
        Profile {
            max_up: self.i32().clamp(0, 1 << 16),
            uses_flat_pair: self.is(),
            max_down: self.is().then(|| self.i32().clamp(0, 1 << 16)),
            no_data: if self.is() { NoDataRule::Open } else { NoDataRule::Blocked },
            target: if self.is() { StepTarget::Highest } else { StepTarget::Nearest },
            corners: if self.is() { CornerRule::BothWays } else { CornerRule::SourceOnly },
            lines: if self.is() { LineRule::EveryCell } else { LineRule::Bresenham },
        }
    }

    /// A point of the part that is drawn on.
    fn point(&mut self) -> GeoPoint {
        let side = (SIDE * 128) as i32;
        let [x, y] = [(); 2].map(|()| i32::from(self.i16()).rem_euclid(side));
        GeoPoint::new(x, y, self.i32())
    }
}

fn cell(word: u16) -> Cell {
    let nswe = Nswe::from_bits_truncate(word as u8 & 15);
    Cell::new((word as i16 >> 4) * 8, nswe)
}

fn query(input: &mut Input<'_>) {
    let mut region = Region::flat(ZERO_REGION, 0);
    for at in 0..=SIDE {
        for wall in [at * 256 + SIDE, SIDE * 256 + at] {
            region.blocks_mut()[wall] = Block::Flat(Flat::new(i16::MAX, i16::MAX));
        }
    }
    for at in 0..SIDE * SIDE {
        region.blocks_mut()[at / SIDE * 256 + at % SIDE] = input.block();
    }
    let mut geodata = Geodata::new([(ZERO_REGION, RegionPack::new(&region))]);
    let kind = if input.is() { ObjectKind::Door } else { ObjectKind::Wall };
    let outline = [(); 4].map(|()| (i32::from(input.i16()) % 512, i32::from(input.i16()) % 512));
    if let Some(door) = GeoObject::from_outline(&outline, input.i16(), input.i16(), kind) {
        geodata = geodata.with_object(1, &Arc::new(door));
    }
    let profile = input.profile();
    for _ in 0..2 {
        let [from, to] = [input.point(), input.point()];
        let eye = input.i16().into();
        let cell = GeoCell::from_point(from.x, from.y).expect("a point of the region");
        assert!(geodata.nearest_layer(cell, from.z).is_ok() && geodata.layers(cell).is_ok());
        let _ = geodata.straight_walk(from, to, &profile);
        let [a, b] = [from, to].map(|point| Viewer::new(point, eye));
        let _ = geodata.one_way_line_of_sight(&a, &b, profile.no_data);
        let _ = (geodata.swim(from, to), geodata.fly(from, to, 40), geodata.fall(from));
        if profile.no_data == NoDataRule::Blocked {
            paths(&geodata, &profile, PathRequest { from, to });
        }
    }
}

fn paths(geodata: &Geodata, profile: &Profile, request: PathRequest) {
    let options = PathOptions {
        budget: 1 << 16,
        ..PathOptions::default()
    };
    let mut scratch = PathSearch::default();
    let exact = PathFinder::exact(geodata, profile).find(&request, &options, &mut scratch);
    let mut zones = ZoneCache::new(profile, None);
    let mut ground = LazyGeodata::from(geodata);
    let guided = PathGuide::new(&mut ground, &mut zones).find(&request, &options, &mut scratch);
    let (Ok(exact), Ok(guided)) = (exact, guided) else {
        return;
    };
    if exact.end != PathEnd::OutOfBudget && guided.end != PathEnd::OutOfBudget {
        assert_eq!(exact.end, guided.end, "{request:?}");
    }
}

fuzz_target!(|data: &[u8]| query(&mut Input(Unstructured::new(data))));
