"""Runs a script of calls from stdin on the regions of a folder, and prints a line for each: the tests compare it with
what the library returns in Rust."""

import sys

import numpy as np

from ironlands_geodata import Geodata, GeodataError

NO_LAYER = 5
# Of batches by number: the method, numbers of a row, and its parameter.
BATCHES = [
    lambda g, rows, _: g.heights(rows.reshape(-1, 3)),
    lambda g, rows, _: g.straight_walks(rows.reshape(-1, 6)),
    lambda g, rows, eye: g.lines_of_sight(rows.reshape(-1, 6), eye),
    lambda g, rows, _: g.swims(rows.reshape(-1, 6)),
    # In another order, another type, and as lists, a batch is the same.
    lambda g, rows, height: g.flights(
        np.asfortranarray(rows.reshape(-1, 6).astype(np.int64)), int(height)
    ),
]


def text(numbers):
    return " ".join(str(int(number)) for number in numbers)


def layer(found):
    if found is None:
        return None
    return text(found)


def line(found):
    end, point = found
    return text([end, *point])


def run(geodata, call, words):
    if call == "batch":
        kind, parameter, _, *rows = words
        rows = np.array([int(number) for number in rows], dtype=np.int32)
        return text(np.ravel(BATCHES[int(kind)](geodata, rows, float(parameter))))
    n = [int(word) for word in words]
    if call == "height":
        return text([geodata.height(tuple(n))])
    if call == "below":
        return layer(geodata.layer_at_or_below(tuple(n)))
    if call == "above":
        return layer(geodata.layer_at_or_above(tuple(n)))
    if call == "layers":
        layers = geodata.layers(*n)
        return text([len(layers), *(number for found in layers for number in found)])
    if call == "step":
        return line(geodata.step(tuple(n[:3]), n[3], n[4]))
    if call == "walk":
        return line(geodata.straight_walk(tuple(n[:3]), tuple(n[3:])))
    if call == "swim":
        return line(geodata.swim(tuple(n[:3]), tuple(n[3:])))
    if call == "fly":
        return line(geodata.fly(tuple(n[:3]), tuple(n[3:6]), n[6]))
    if call == "sight":
        return text([geodata.line_of_sight(tuple(n[:3]), tuple(n[3:]), 34.5, 30.0)])
    if call == "path":
        end, points = geodata.path(tuple(n[:3]), tuple(n[3:6]), budget=n[6])
        return text([end, len(points), *(number for point in points for number in point)])
    if call == "add":
        outline = list(zip(n[5::2], n[6::2]))
        geodata.add_object(n[0], outline, n[1], n[2], wall=n[3] != 0)
        return ""
    if call == "remove":
        geodata.remove_object(n[0])
        return ""
    if call == "block":
        x, y, count = n[:3]
        counts, heights, nswe = n[3:67], n[67 : 67 + count], n[67 + count :]
        geodata.set_block(x, y, np.array(counts, dtype=np.uint8), heights, nswe)
        return ""
    raise ValueError(call)


def main():
    geodata = Geodata(sys.argv[1], format=sys.argv[2] if len(sys.argv) > 2 else None)
    for text_line in sys.stdin:
        call, *words = text_line.split()
        try:
            result = run(geodata, call, words)
            print(NO_LAYER if result is None else f"0 {result}".strip())
        except GeodataError as error:
            message, status = error.args
            assert message
            print(status)
    try:
        geodata.heights(np.zeros((2, 4), dtype=np.int32))
    except GeodataError as error:
        assert error.args[1] == 4
    else:
        raise AssertionError("rows of four numbers are no points")


main()
