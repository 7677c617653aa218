# %% [markdown]
# Geodata from Python, cell by cell as in a notebook.
#
#     cargo build --profile bindings -p ironlands-geodata
#     ln -s "$PWD/target/bindings/libironlands_geodata.so" ironlands_geodata.so
#     python3 bindings/python/examples/geodata.py DATA/LINEAGE2
#
# or `pip install ./bindings/python`, which builds a wheel.

# %%
import sys
import time

import numpy as np

from ironlands_geodata import NO_HEIGHT, Geodata, GeodataError

geodata = Geodata(sys.argv[1] if len(sys.argv) > 1 else "DATA/LINEAGE2")
print(f"{geodata.n_regions} regions")

# %% The harbor of the demo, and its beacon in the next region.
harbor, beacon = (17496, 22728, -3736), (60296, 8664, -2376)
print("layers at the harbor:", geodata.layers(*harbor[:2]))
print("a straight walk ends with", geodata.straight_walk(harbor, beacon))
end, corners = geodata.path(harbor, beacon)
print(f"the path to the beacon has {len(corners)} corners")

# %% A door over the second corner of the path, closed and opened.
x, y, z = corners[1]
square = [(x - 40, y - 40), (x + 40, y - 40), (x + 40, y + 40), (x - 40, y + 40)]
geodata.add_object(1, square, z, z + 100)
print("with the door closed a walk to it ends with", geodata.straight_walk(corners[0], corners[1])[0])
geodata.remove_object(1)
print("with the door open it ends with", geodata.straight_walk(corners[0], corners[1])[0])

# %% A million heights as arrays, on all cores.
rng = np.random.default_rng(1)
points = np.column_stack(
    [rng.integers(0, 65536, 1_000_000), rng.integers(0, 32768, 1_000_000), np.full(1_000_000, -3000)]
).astype(np.int32)
start = time.perf_counter()
heights = geodata.heights(points)
seconds = time.perf_counter() - start
known = heights[heights != NO_HEIGHT]
print(f"{len(points) / seconds:,.0f} heights a second; mean {known.mean():.1f}, highest {known.max()}")

# %% Which of a thousand places see the beacon.
near = np.array(beacon) + rng.integers(-1500, 1500, (1000, 3)) * [1, 1, 0]
lines = np.hstack([near, np.tile(beacon, (1000, 1))])
seen = geodata.lines_of_sight(lines)
print(f"{np.count_nonzero(seen == 3)} of {len(lines)} places see the beacon and are seen from it")

# %% What has no region raises an error.
try:
    geodata.height((-600000, -500000, 0))
except GeodataError as error:
    print("no height:", error.args[0])
