//! Tables over the synthetic terrain: nanoseconds per query of each library, and how our cost grows with the terrain.
//!
//! Contestants take turns within one run (`ironlands_query_bench::race`), so columns can be compared; criterion's
//! measurements are minutes apart.

use crate::SYNTHETIC;
use crate::world::World;
use ironlands_query_bench::peer::Boxed;
use ironlands_query_bench::peers::height_field::HeightField;
use ironlands_query_bench::race::{contestants, fitted_exponent, ns_each, shortest};
use ironlands_query_bench::synthetic::Layout;
use ironlands_query_bench::{Form, Peer, peers};
use ironlands_sim::triangles::Overlap;

const ROUNDS: usize = 4;
const QUERIES: [&str; 6] = ["height", "ray", "segment", "box", "box exact", "nearest"];

/// How many threads each library may use.
#[derive(Clone, Copy)]
enum Threads {
    /// Ours in both forms, peers one call at a time.
    One,
    /// Batch forms of all libraries.
    All,
}

/// For each of [`QUERIES`], nanoseconds per query of each contestant; `None` for one without such a query.
type Rows = [Vec<Option<f64>>; QUERIES.len()];

/// Prints all tables.
pub fn print() {
    let mut costs = Vec::new();
    for (name, n_cells) in SYNTHETIC {
        let mut world = World::synthetic(name, n_cells, Layout::Moved);
        world.check();
        world.peers.extend(peers::others(&world.mesh));
        let rows = print_world(&world);
        costs.push((world.mesh.triangles.len() as f64, rows));
    }
    print_exponents(&costs);
    for (name, n_cells) in SYNTHETIC {
        let name = format!("{name} regular");
        let mut world = World::synthetic(&name, n_cells, Layout::Regular);
        let field = HeightField::new(&world.mesh, n_cells);
        world.peers.push(Box::new(field));
        print_world(&world);
    }
}

/// The rows of one thread are returned.
fn print_world(world: &World) -> Rows {
    let peers: Vec<&str> = world.peers.iter().map(|peer| peer.name()).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a pool of one thread");
    let rows = pool.install(|| rows(world, Threads::One));
    println!("\n{}, one thread, ns per query", world.name);
    print_rows(&[&["batch", "single"], &*peers].concat(), &rows);
    let n_threads = rayon::current_num_threads();
    println!("\n{}, {n_threads} threads, ns per query", world.name);
    let rows_of_all = self::rows(world, Threads::All);
    print_rows(&[&["ours"], &*peers].concat(), &rows_of_all);
    rows
}

fn rows(world: &World, threads: Threads) -> Rows {
    let queries = &world.queries;
    let (n_rays, n_boxes) = (queries.rays.len(), queries.boxes.len());
    let (n_segments, n_points) = (queries.segments.len(), queries.points.len());
    [
        row(world, threads, queries.heights.len(), |p, form| {
            p.heights(&queries.heights, form)
        }),
        row(world, threads, n_rays, |p, form| {
            p.rays(&queries.rays, form)
        }),
        row(world, threads, n_segments, |p, form| {
            p.segments(&queries.segments, form)
        }),
        row(world, threads, n_boxes, |p, form| {
            p.boxes(&queries.boxes, Overlap::Bounds, form)
        }),
        row(world, threads, n_boxes, |p, form| {
            p.boxes(&queries.boxes, Overlap::Exact, form)
        }),
        row(world, threads, n_points, |p, form| {
            p.nearest(&queries.points, form)
        }),
    ]
}

fn row<'a, A>(
    world: &'a World,
    threads: Threads,
    n: usize,
    run_query: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
) -> Vec<Option<f64>> {
    let mut contestants = match threads {
        Threads::One => contestants(&world.ours, &world.peers, run_query),
        Threads::All => world
            .libraries()
            .map(|peer| run_query(peer, Form::Batch))
            .collect(),
    };
    let times = shortest(&mut contestants, ROUNDS);
    times
        .into_iter()
        .map(|time| Some(ns_each(time?, n)))
        .collect()
}

fn print_rows(names: &[&str], rows: &Rows) {
    print!("{:10}", "query");
    names.iter().for_each(|name| print!("{name:>12}"));
    println!();
    for (query, row) in QUERIES.iter().zip(rows) {
        print!("{query:10}");
        for ns in row {
            print!("{:>12}", ns.map_or("-".to_owned(), |ns| format!("{ns:.1}")));
        }
        println!();
    }
}

/// The exponent k of cost = c * triangles^k, by least squares on logarithms; 0: size does not matter, 1: a plain loop.
fn print_exponents(costs: &[(f64, Rows)]) {
    println!("\nexponent of our cost in the number of triangles, one thread");
    println!("{:10}{:>12}{:>12}", "query", "batch", "single");
    for (k, query) in QUERIES.iter().enumerate() {
        let exponent = |form: usize| {
            let points = costs.iter().map(|(n, rows)| Some((*n, rows[k][form]?)));
            let points: Option<Vec<(f64, f64)>> = points.collect();
            fitted_exponent(&points.expect("ours has all queries"))
        };
        println!("{query:10}{:>12.3}{:>12.3}", exponent(0), exponent(1));
    }
}
