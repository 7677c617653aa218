#ifndef IRONLANDS_GEODATA_H
#define IRONLANDS_GEODATA_H

/* Written by cbindgen from bindings/c/src; BLESS=1 cargo test -p ironlands-geodata-c --test header writes it again. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 The outcome of a call. `il_last_error` says more.
 */
typedef enum IlStatus {
  /*
   Done.
   */
  IlStatus_Ok = 0,
  /*
   No region is loaded at a point.
   */
  IlStatus_NoData = 1,
  /*
   A point is outside of all regions that can be.
   */
  IlStatus_Outside = 2,
  /*
   Regions cannot be read.
   */
  IlStatus_Load = 3,
  /*
   An argument has a value that it cannot have, or is NULL.
   */
  IlStatus_Argument = 4,
  /*
   There is no such layer.
   */
  IlStatus_NoLayer = 5,
  /*
   The array of the caller is too short; nothing was written to it, and the number of entries was returned.
   */
  IlStatus_TooShort = 6,
  /*
   A defect of this library; the call changed nothing.
   */
  IlStatus_Panic = 7,
} IlStatus;

/*
 How a path ends.
 */
typedef enum IlPathEnd {
  /*
   At the goal.
   */
  IlPathEnd_Reached = 0,
  /*
   No path leads there; the points lead to the nearest place.
   */
  IlPathEnd_Unreachable = 1,
  /*
   The budget was used up first; the points lead to the nearest place.
   */
  IlPathEnd_OutOfBudget = 2,
} IlPathEnd;

/*
 What the rows of a batch are. Numbers of rows are 32-bit integers.
 */
typedef enum IlBatch {
  /*
   x, y, z to the height of the nearest layer, or INT32_MIN.
   */
  IlBatch_Height = 0,
  /*
   Two points to the end and the last valid point; the end is -1 where there is no region.
   */
  IlBatch_StraightWalk = 1,
  /*
   Two points to 1 if the first sees the second, plus 2 for the reverse, or -1. The parameter is the height of both
   eyes.
   */
  IlBatch_LineOfSight = 2,
  /*
   As straight walks.
   */
  IlBatch_Swim = 3,
  /*
   As straight walks. The parameter is the required clearance.
   */
  IlBatch_Fly = 4,
} IlBatch;

/*
 Loaded regions with their doors and edits. A handle.
 */
typedef struct IlGeodata IlGeodata;

/*
 A point in game coordinates: x east, y south, z up.
 */
typedef struct IlPoint {
  /*
   To the east.
   */
  int32_t x;
  /*
   To the south.
   */
  int32_t y;
  /*
   Up.
   */
  int32_t z;
} IlPoint;

/*
 Ground in a cell.
 */
typedef struct IlLayer {
  /*
   Its height.
   */
  int32_t z;
  /*
   Sides on which one may leave it: 1 east, 2 west, 4 south, 8 north.
   */
  uint8_t nswe;
  /*
   Its place in the cell, 0 the lowest.
   */
  uint8_t index;
} IlLayer;

/*
 How a line ends.
 */
typedef struct IlLine {
  /*
   Of steps and walks: 0 reached, 1 on another layer, blocked by 2 a closed side, 3 a climb, 4 a drop, 5 a missing
   region. Of swims: 0 reached, 1 on land, 2 a wall, 3 no ground. Of flights: 0 reached, 1 blocked.
   */
  int32_t end;
  /*
   The last valid point.
   */
  struct IlPoint point;
} IlLine;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Loads a region's file or a folder of them, on all threads. `format` ("l2j", "conv.dat", ...) and `profile` ("pts",
 "acis", ...) may be NULL: all formats, and the step rule that suits them. If `is_strict` is not 0, a region that
 cannot be read is an error; otherwise it is left out.

 # Safety
 Texts end with a zero byte. `geodata` may be written to.
 */
enum IlStatus il_geodata_load(const char *path,
                              const char *format,
                              const char *profile,
                              int32_t is_strict,
                              struct IlGeodata **geodata);

/*
 Frees a handle; NULL is nothing.

 # Safety
 The handle is one of `il_geodata_load`, no other call uses it now, and none will.
 */
void il_geodata_free(struct IlGeodata *geodata);

/*
 Why the last call of this thread failed, as a text that ends with a zero byte. Returns the length of all of it without
 that byte; what does not fit is left out.

 # Safety
 `buffer` has `capacity` bytes, or is NULL.
 */
size_t il_last_error(char *buffer, size_t capacity);

/*
 Number of loaded regions; 0 for NULL.
 */
size_t il_region_count(const struct IlGeodata *geodata);

/*
 Whether a region is loaded at a point: 1 or 0.
 */
int32_t il_has_region_at(const struct IlGeodata *geodata, int32_t x, int32_t y);

/*
 Height of the layer nearest to a point.
 */
enum IlStatus il_height(const struct IlGeodata *geodata, struct IlPoint at, int32_t *height);

/*
 The layer nearest to a point.
 */
enum IlStatus il_nearest_layer(const struct IlGeodata *geodata, struct IlPoint at, struct IlLayer *layer);

/*
 The highest layer at or below a point; `NoLayer` if all are above.
 */
enum IlStatus il_layer_at_or_below(const struct IlGeodata *geodata, struct IlPoint at, struct IlLayer *layer);

/*
 The lowest layer at or above a point; `NoLayer` if all are below.
 */
enum IlStatus il_layer_at_or_above(const struct IlGeodata *geodata, struct IlPoint at, struct IlLayer *layer);

/*
 All layers at a point, from the ground up. `count` is set to their number.

 # Safety
 `layers` has `capacity` entries, or is NULL where that is 0.
 */
enum IlStatus il_layers(const struct IlGeodata *geodata,
                        int32_t x,
                        int32_t y,
                        struct IlLayer *layers,
                        size_t capacity,
                        size_t *count);

/*
 A step from the middle of a cell to one of its eight neighbors: `dx` and `dy` are -1, 0 or 1.
 */
enum IlStatus il_step(const struct IlGeodata *geodata,
                      struct IlPoint from,
                      int32_t dx,
                      int32_t dy,
                      struct IlLine *line);

/*
 Walks straight from point to point.
 */
enum IlStatus il_straight_walk(const struct IlGeodata *geodata,
                               struct IlPoint from,
                               struct IlPoint to,
                               struct IlLine *line);

/*
 Whether two see each other, 1 or 0, with their eyes at these heights above the points.
 */
enum IlStatus il_line_of_sight(const struct IlGeodata *geodata,
                               struct IlPoint from,
                               struct IlPoint to,
                               float from_eye,
                               float to_eye,
                               int32_t *is_visible);

/*
 Swims straight from point to point.
 */
enum IlStatus il_swim(const struct IlGeodata *geodata, struct IlPoint from, struct IlPoint to, struct IlLine *line);

/*
 Flies straight from point to point, with `height` points of clearance.
 */
enum IlStatus il_fly(const struct IlGeodata *geodata,
                     struct IlPoint from,
                     struct IlPoint to,
                     int32_t height,
                     struct IlLine *line);

/*
 Finds a path that looks at no more than `budget` cells: its corners, with start and goal. `count` is set to their
 number; if they are more than `capacity`, call again with room for them.

 # Safety
 `points` has `capacity` entries, or is NULL where that is 0.
 */
enum IlStatus il_path(const struct IlGeodata *geodata,
                      struct IlPoint from,
                      struct IlPoint to,
                      uint32_t budget,
                      struct IlPoint *points,
                      size_t capacity,
                      size_t *count,
                      enum IlPathEnd *end);

/*
 Runs `n_rows` queries of a kind over arrays, on all threads. `queries` has 3 numbers a row for heights and 6 for all
 others; `results` has 1 for heights and lines of sight and 4 for all others.

 # Safety
 Both arrays have that many numbers.
 */
enum IlStatus il_batch(const struct IlGeodata *geodata,
                       int32_t kind,
                       float parameter,
                       const int32_t *queries,
                       int32_t *results,
                       size_t n_rows);

/*
 Closes a door, or puts another object on the ground: a prism over an outline of `n_points` points, x and y each. What
 has the same id is removed. A wall (`is_wall` not 0) reaches ground that is 192 points away, others 48.

 # Safety
 `outline` has 2 * `n_points` numbers.
 */
enum IlStatus il_add_object(const struct IlGeodata *geodata,
                            uint64_t id,
                            const int32_t *outline,
                            size_t n_points,
                            int16_t bottom,
                            int16_t top,
                            int32_t is_wall);

/*
 Removes an object: the door is open. Nothing happens if there is none.
 */
enum IlStatus il_remove_object(const struct IlGeodata *geodata, uint64_t id);

/*
 Replaces the block that holds a point. `layer_counts` has the number of layers of each of its 64 cells, x-major;
 `heights` and `nswe` those of all `n_layers` layers, cell after cell.

 # Safety
 The arrays have that many numbers.
 */
enum IlStatus il_set_block(const struct IlGeodata *geodata,
                           int32_t x,
                           int32_t y,
                           const uint8_t *layer_counts,
                           const int16_t *heights,
                           const uint8_t *nswe,
                           size_t n_layers);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* IRONLANDS_GEODATA_H */
