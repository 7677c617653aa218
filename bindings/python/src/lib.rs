//! Geodata for servers, for Python: the module `ironlands_geodata`.
//!
//! In: numbers, tuples, NumPy arrays. Out: the same, or a `GeodataError`. Other Python threads run while regions are
//! loaded, paths are found and batches run. Panics become exceptions of Python.
//!
//! Deliberately absent: queries, which lie in the crate `ironlands-geodata-set`.
#![allow(unsafe_code, reason = "what the macros of pyo3 write")]

use pyo3::prelude::*;

/// Geodata of Lineage II: heights, walks, line of sight and paths on the regions of a folder.
#[pymodule]
mod ironlands_geodata {
    use ironlands_geodata_set::outcome::Failure;
    use ironlands_geodata_set::{
        ArrayQuery, DEFAULT_BUDGET, GeoPoint, GeodataSet, GroundLayer, LineEnd, LoadOptions,
        NO_HEIGHT, NO_RESULT, ObjectKind, PathEnd,
    };
    use numpy::ndarray::Array2;
    use numpy::{
        AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2,
        PyUntypedArrayMethods,
    };
    use pyo3::exceptions::PyException;
    use pyo3::prelude::*;
    use std::path::PathBuf;

    pyo3::create_exception!(
        ironlands_geodata,
        GeodataError,
        PyException,
        "Why a call failed: a message, and 1 for no region, 2 for a point outside of all regions, 3 for regions that \
         cannot be read, 4 for a value that an argument cannot have."
    );

    /// A point in game coordinates: x east, y south, z up.
    type Point = (i32, i32, i32);
    /// Height and open sides of a layer.
    type Layer = (i32, u8);
    /// How a line ends, and the last valid point.
    type Line = (i32, Point);
    /// Rows of numbers, or what NumPy can turn into them.
    type Rows<'py> = PyArrayLike2<'py, i32, AllowTypeChange>;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("GeodataError", module.py().get_type::<GeodataError>())?;
        module.add("NO_HEIGHT", NO_HEIGHT)?;
        module.add("NO_RESULT", NO_RESULT)
    }

    /// Loaded regions with their doors and edits.
    ///
    /// Geodata(path, format=None, profile=None, strict=False) loads a region's file or a folder of them. `format` is one
    /// of "l2j", "conv.dat" and so on, `profile` one of "pts", "acis" and so on.
    #[pyclass(frozen)]
    struct Geodata {
        set: GeodataSet,
    }

    #[pymethods]
    impl Geodata {
        #[new]
        #[pyo3(signature = (path, format=None, profile=None, strict=false))]
        fn new(
            py: Python<'_>,
            path: PathBuf,
            format: Option<String>,
            profile: Option<String>,
            strict: bool,
        ) -> PyResult<Self> {
            let options = LoadOptions {
                format,
                profile,
                is_strict: strict,
            };
            let set = py.detach(|| GeodataSet::load(&path, &options));
            Ok(Self {
                set: set.map_err(raised)?,
            })
        }

        /// Number of loaded regions.
        #[getter]
        fn n_regions(&self) -> usize {
            self.set.n_regions()
        }

        /// Regions that could not be read, each with the reason.
        #[getter]
        fn left_out(&self) -> Vec<String> {
            self.set.left_out().to_vec()
        }

        /// Whether a region is loaded at a point.
        fn has_region(&self, x: i32, y: i32) -> bool {
            self.set.has_region_at(x, y)
        }

        /// Height of the layer nearest to a point.
        fn height(&self, at: Point) -> PyResult<i32> {
            self.set.height(point(at)).map_err(raised)
        }

        /// (height, open sides) of the highest layer at or below a point, or None. Sides: 1 east, 2 west, 4 south, 8
        /// north.
        fn layer_at_or_below(&self, at: Point) -> PyResult<Option<Layer>> {
            let found = self.set.layer_at_or_below(point(at)).map_err(raised)?;
            Ok(found.map(layer))
        }

        /// (height, open sides) of the lowest layer at or above a point, or None.
        fn layer_at_or_above(&self, at: Point) -> PyResult<Option<Layer>> {
            let found = self.set.layer_at_or_above(point(at)).map_err(raised)?;
            Ok(found.map(layer))
        }

        /// (height, open sides) of all layers at a point, from the ground up.
        fn layers(&self, x: i32, y: i32) -> PyResult<Vec<Layer>> {
            let layers = self.set.layers(x, y).map_err(raised)?;
            Ok(layers.into_iter().map(layer).collect())
        }

        /// A step to a neighboring cell: (end, point). `dx` and `dy` are -1, 0 or 1.
        fn step(&self, from_: Point, dx: i32, dy: i32) -> PyResult<Line> {
            self.set
                .step(point(from_), dx, dy)
                .map(line)
                .map_err(raised)
        }

        /// Walks straight: (end, last valid point). Ends: 0 reached, 1 on another layer, blocked by 2 a closed side, 3 a
        /// climb, 4 a drop, 5 a missing region.
        fn straight_walk(&self, from_: Point, to: Point) -> PyResult<Line> {
            let walk = self.set.straight_walk(point(from_), point(to));
            walk.map(line).map_err(raised)
        }

        /// Whether two see each other, with their eyes at these heights above the points.
        #[pyo3(signature = (from_, to, from_eye=34.5, to_eye=34.5))]
        fn line_of_sight(
            &self,
            from_: Point,
            to: Point,
            from_eye: f32,
            to_eye: f32,
        ) -> PyResult<bool> {
            let eyes = [from_eye, to_eye];
            self.set
                .line_of_sight(point(from_), point(to), eyes)
                .map_err(raised)
        }

        /// Swims straight: (end, last point). Ends: 0 reached, 1 on land, 2 a wall, 3 no ground.
        fn swim(&self, from_: Point, to: Point) -> PyResult<Line> {
            self.set
                .swim(point(from_), point(to))
                .map(line)
                .map_err(raised)
        }

        /// Flies straight with `height` points of clearance: (end, last point). Ends: 0 reached, 1 blocked.
        #[pyo3(signature = (from_, to, height=46))]
        fn fly(&self, from_: Point, to: Point, height: i32) -> PyResult<Line> {
            let flight = self.set.fly(point(from_), point(to), height);
            flight.map(line).map_err(raised)
        }

        /// Finds a path that looks at no more than `budget` cells: (end, corners). Ends: 0 reached, 1 unreachable, 2 out of
        /// budget; then the corners lead to the nearest place.
        #[pyo3(signature = (from_, to, budget=DEFAULT_BUDGET))]
        fn path(
            &self,
            py: Python<'_>,
            from_: Point,
            to: Point,
            budget: u32,
        ) -> PyResult<(i32, Vec<Point>)> {
            let path = py.detach(|| self.set.path(point(from_), point(to), budget));
            let path = path.map_err(raised)?;
            let end = match path.end {
                PathEnd::Reached => 0,
                PathEnd::Unreachable => 1,
                PathEnd::OutOfBudget | PathEnd::Canceled => 2,
            };
            let points = path.points.iter();
            Ok((end, points.map(|it| (it.x, it.y, it.z)).collect()))
        }

        /// Heights of the nearest layers for an array of n x 3 numbers: an array of n, NO_HEIGHT where there is no region.
        fn heights<'py>(
            &self,
            py: Python<'py>,
            points: Rows<'py>,
        ) -> PyResult<Bound<'py, PyArray1<i32>>> {
            let results = self.batch(py, &points, &ArrayQuery::Height)?;
            Ok(results.into_pyarray(py))
        }

        /// Straight walks for an array of n x 6 numbers, two points each: an array of n x 4, the end and the last valid
        /// point.
        fn straight_walks<'py>(
            &self,
            py: Python<'py>,
            lines: Rows<'py>,
        ) -> PyResult<Bound<'py, PyArray2<i32>>> {
            self.lines(py, &lines, &ArrayQuery::StraightWalk(*self.set.profile()))
        }

        /// Lines of sight for an array of n x 6 numbers: an array of n, 1 if the first sees the second, plus 2 for the
        /// reverse, NO_RESULT where there is no region.
        #[pyo3(signature = (lines, eye=34.5))]
        fn lines_of_sight<'py>(
            &self,
            py: Python<'py>,
            lines: Rows<'py>,
            eye: f32,
        ) -> PyResult<Bound<'py, PyArray1<i32>>> {
            let kind = ArrayQuery::LineOfSight {
                eye_height: eye,
                profile: *self.set.profile(),
            };
            Ok(self.batch(py, &lines, &kind)?.into_pyarray(py))
        }

        /// Straight swims, as straight_walks.
        fn swims<'py>(
            &self,
            py: Python<'py>,
            lines: Rows<'py>,
        ) -> PyResult<Bound<'py, PyArray2<i32>>> {
            self.lines(py, &lines, &ArrayQuery::Swim)
        }

        /// Straight flights, as straight_walks.
        #[pyo3(signature = (lines, height=46))]
        fn flights<'py>(
            &self,
            py: Python<'py>,
            lines: Rows<'py>,
            height: i32,
        ) -> PyResult<Bound<'py, PyArray2<i32>>> {
            self.lines(py, &lines, &ArrayQuery::Fly { height })
        }

        /// Closes a door, or puts another object on the ground: a prism over an outline of (x, y). What has the same id is
        /// removed. A wall reaches ground that is 192 points away, others 48.
        #[pyo3(signature = (id, outline, bottom, top, wall=false))]
        fn add_object(
            &self,
            id: u64,
            outline: Vec<(i32, i32)>,
            bottom: i16,
            top: i16,
            wall: bool,
        ) -> PyResult<()> {
            let kind = match wall {
                true => ObjectKind::Wall,
                false => ObjectKind::Door,
            };
            self.set
                .add_object(id, &outline, [bottom, top], kind)
                .map_err(raised)
        }

        /// Removes an object: the door is open. Nothing happens if there is none.
        fn remove_object(&self, id: u64) {
            self.set.remove_object(id);
        }

        /// Replaces the block that holds a point. `layer_counts` has the number of layers of each of its 64 cells, x-major;
        /// `heights` and `nswe` those of all layers, cell after cell.
        fn set_block(
            &self,
            x: i32,
            y: i32,
            layer_counts: PyArrayLike1<'_, u8, AllowTypeChange>,
            heights: PyArrayLike1<'_, i16, AllowTypeChange>,
            nswe: PyArrayLike1<'_, u8, AllowTypeChange>,
        ) -> PyResult<()> {
            let counts = layer_counts.as_array().to_vec();
            let (heights, nswe) = (heights.as_array().to_vec(), nswe.as_array().to_vec());
            self.set
                .set_block(x, y, &counts, &heights, &nswe)
                .map_err(raised)
        }
    }

    impl Geodata {
        fn lines<'py>(
            &self,
            py: Python<'py>,
            rows: &Rows<'py>,
            kind: &ArrayQuery,
        ) -> PyResult<Bound<'py, PyArray2<i32>>> {
            let results = self.batch(py, rows, kind)?;
            let shape = (results.len() / kind.row_out(), kind.row_out());
            let results = Array2::from_shape_vec(shape, results);
            Ok(results
                .expect("as many numbers as rows have")
                .into_pyarray(py))
        }

        fn batch(&self, py: Python<'_>, rows: &Rows<'_>, kind: &ArrayQuery) -> PyResult<Vec<i32>> {
            let shape = rows.shape();
            if shape[1] != kind.row_in() {
                let why = format!(
                    "expected rows of {} numbers, got {}",
                    kind.row_in(),
                    shape[1]
                );
                return Err(GeodataError::new_err((why, 4)));
            }
            // In the order of rows, whatever the array's own order is.
            let numbers: Vec<i32> = rows.as_array().iter().copied().collect();
            let mut results = vec![0; shape[0] * kind.row_out()];
            let done = py.detach(|| self.set.array_batch(kind, &numbers, &mut results));
            done.map_err(raised)?;
            Ok(results)
        }
    }

    fn raised(error: impl Into<Failure>) -> PyErr {
        let failure = error.into();
        GeodataError::new_err((failure.text(), failure.status() as i32))
    }

    fn point((x, y, z): Point) -> GeoPoint {
        GeoPoint { x, y, z }
    }

    fn layer(layer: GroundLayer) -> Layer {
        (layer.z, layer.nswe.bits())
    }

    fn line(LineEnd { end, point }: LineEnd) -> Line {
        (end, (point.x, point.y, point.z))
    }
}
