package org.ironlands.geodata;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Loaded regions of geodata with their doors and edits. Points are game coordinates: x east, y south, z up. Any number of
 * threads may use one at a time; queries do not wait for each other, and see an edit as soon as it has returned.
 *
 * <p>Where there is no region, calls throw a {@link GeodataException} with the status {@link GeodataException#NO_DATA}.
 */
public final class Geodata implements AutoCloseable {
    /** Sides on which a layer may be left. */
    public static final int EAST = 1, WEST = 2, SOUTH = 4, NORTH = 8;

    /** Kinds of batches: rows of 3 numbers for heights and 6 for all others. */
    public static final int HEIGHTS = 0, WALKS = 1, SIGHTS = 2, SWIMS = 3, FLIGHTS = 4;

    /** Cells that a path may look at unless a call says otherwise. */
    public static final int DEFAULT_BUDGET = 20_000_000;

    static {
        loadLibrary();
    }

    /** A point. */
    public record Point(int x, int y, int z) {
    }

    /** Ground in a cell, and the sides on which one may leave it. */
    public record Layer(int z, int nswe) {
    }

    /**
     * How a line ends, and the last valid point. Of steps and walks: 0 reached, 1 on another layer, blocked by 2 a closed
     * side, 3 a climb, 4 a drop, 5 a missing region. Of swims: 0 reached, 1 on land, 2 a wall, 3 no ground. Of flights: 0
     * reached, 1 blocked.
     */
    public record Line(int end, Point point) {
        /** Whether it arrives. */
        public boolean isReached() {
            return end == 0;
        }
    }

    /** How a path ends (0 reached, 1 unreachable, 2 out of budget), and its corners with start and goal. */
    public record Route(int end, List<Point> points) {
        /** Whether it arrives; otherwise it leads to the nearest place. */
        public boolean isReached() {
            return end == 0;
        }
    }

    private static final long FAILED = -1;

    private final long handle;

    private Geodata(long handle) {
        this.handle = handle;
    }

    /** Loads a folder of regions, whatever their formats, with the step rule that suits them. */
    public static Geodata load(Path path) {
        return load(path, null, null, false);
    }

    /**
     * Loads a region's file or a folder of them, on all threads. {@code format} ("l2j", "conv.dat", ...) and {@code
     * profile} ("pts", "acis", ...) may be null. If it is strict, a region that cannot be read is an error; otherwise it is
     * left out.
     */
    public static Geodata load(Path path, String format, String profile, boolean isStrict) {
        long handle = nativeLoad(path.toString(), format, profile, isStrict);
        if (handle == 0)
            throw lastError();
        return new Geodata(handle);
    }

    /** Unloads all regions. Calls that follow find no data. */
    @Override
    public void close() {
        nativeClose(handle);
    }

    /** Number of loaded regions. */
    public int regionCount() {
        return number(nativeRegionCount(handle));
    }

    /** Whether a region is loaded at a point. */
    public boolean hasRegion(int x, int y) {
        return number(nativeHasRegion(handle, x, y)) != 0;
    }

    /** Height of the layer nearest to a point. */
    public int height(int x, int y, int z) {
        return number(nativeHeight(handle, x, y, z));
    }

    /** The layer nearest to a point. */
    public Layer nearestLayer(int x, int y, int z) {
        return layer(number(nativeLayer(handle, x, y, z, 0)));
    }

    /** The highest layer at or below a point, or null. */
    public Layer layerAtOrBelow(int x, int y, int z) {
        return layerOrNull(nativeLayer(handle, x, y, z, -1));
    }

    /** The lowest layer at or above a point, or null. */
    public Layer layerAtOrAbove(int x, int y, int z) {
        return layerOrNull(nativeLayer(handle, x, y, z, 1));
    }

    /** All layers at a point, from the ground up. */
    public List<Layer> layers(int x, int y) {
        int[] numbers = nativeLayers(handle, x, y);
        if (numbers == null)
            throw lastError();
        List<Layer> layers = new ArrayList<>(numbers.length);
        for (int number : numbers)
            layers.add(layer(number));
        return layers;
    }

    /** A step from the middle of a cell to one of its eight neighbors: {@code dx} and {@code dy} are -1, 0 or 1. */
    public Line step(int x, int y, int z, int dx, int dy) {
        return groundLine(nativeStep(handle, x, y, z, dx, dy));
    }

    /** Walks straight from point to point. */
    public Line straightWalk(int ax, int ay, int az, int bx, int by, int bz) {
        return groundLine(nativeStraightWalk(handle, ax, ay, az, bx, by, bz));
    }

    /** Whether a straight walk arrives. */
    public boolean canWalk(int ax, int ay, int az, int bx, int by, int bz) {
        return number(nativeCanWalk(handle, ax, ay, az, bx, by, bz)) != 0;
    }

    /** Whether two see each other, with their eyes at these heights above the points. */
    public boolean canSee(int ax, int ay, int az, float aEye, int bx, int by, int bz, float bEye) {
        return number(nativeCanSee(handle, ax, ay, az, bx, by, bz, aEye, bEye)) != 0;
    }

    /** Swims straight from point to point. */
    public Line swim(int ax, int ay, int az, int bx, int by, int bz) {
        return line(nativeSwim(handle, ax, ay, az, bx, by, bz));
    }

    /** Flies straight from point to point, with {@code height} points of clearance. */
    public Line fly(int ax, int ay, int az, int bx, int by, int bz, int height) {
        return line(nativeFly(handle, ax, ay, az, bx, by, bz, height));
    }

    /** Finds a path that looks at no more than {@code budget} cells. */
    public Route path(int ax, int ay, int az, int bx, int by, int bz, int budget) {
        int[] numbers = nativePath(handle, ax, ay, az, bx, by, bz, budget);
        if (numbers == null)
            throw lastError();
        List<Point> points = new ArrayList<>(numbers.length / 3);
        for (int i = 1; i < numbers.length; i += 3)
            points.add(new Point(numbers[i], numbers[i + 1], numbers[i + 2]));
        return new Route(numbers[0], points);
    }

    /**
     * Runs a batch of one kind on all threads. Rows of heights are x, y, z and give a height, or {@link Integer#MIN_VALUE};
     * rows of all others are two points and give the end and the last valid point, of lines of sight 1 if the first sees
     * the second plus 2 for the reverse. Ends are -1 where there is no region. {@code parameter} is the height of both eyes
     * or the clearance of flights.
     */
    public int[] batch(int kind, float parameter, int[] queries) {
        int[] results = new int[kind == HEIGHTS ? queries.length / 3 : queries.length / 6 * (kind == SIGHTS ? 1 : 4)];
        number(nativeBatch(handle, kind, parameter, queries, results));
        return results;
    }

    /**
     * Closes a door, or puts another object on the ground: a prism over an outline of x, y, x, y, ... What has the same id
     * is removed. A wall reaches ground that is 192 points away, others 48.
     */
    public void addObject(long id, int[] outline, int bottom, int top, boolean isWall) {
        number(nativeAddObject(handle, id, outline, bottom, top, isWall));
    }

    /** Removes an object: the door is open. Nothing happens if there is none. */
    public void removeObject(long id) {
        number(nativeRemoveObject(handle, id));
    }

    /**
     * Replaces the block that holds a point. {@code layerCounts} has the number of layers of each of its 64 cells, x-major;
     * {@code heights} and {@code nswe} those of all layers, cell after cell.
     */
    public void setBlock(int x, int y, byte[] layerCounts, short[] heights, byte[] nswe) {
        number(nativeSetBlock(handle, x, y, layerCounts, heights, nswe));
    }

    /** From the lowest bit: 16 of the height, 21 of x, 21 of y, the end. */
    private static Line groundLine(long result) {
        if (result == FAILED)
            throw lastError();
        return new Line((int) (result >>> 58), new Point((int) (result << 27 >> 43), (int) (result << 6 >> 43), (short) result));
    }

    private static Line line(int[] numbers) {
        if (numbers == null)
            throw lastError();
        return new Line(numbers[0], new Point(numbers[1], numbers[2], numbers[3]));
    }

    /** The status is in the upper half. */
    private static int number(long result) {
        if (result >>> 32 != 0)
            throw lastError();
        return (int) result;
    }

    private static Layer layerOrNull(long result) {
        return result >>> 32 == GeodataException.NO_LAYER ? null : layer(number(result));
    }

    private static Layer layer(int number) {
        return new Layer((short) number, number >> 16);
    }

    private static GeodataException lastError() {
        return new GeodataException(nativeStatus(), nativeError());
    }

    /** The library of the property {@code ironlands.geodata.library}, else the one in this jar. */
    private static void loadLibrary() {
        String property = System.getProperty("ironlands.geodata.library");
        if (property != null) {
            System.load(Path.of(property).toAbsolutePath().toString());
            return;
        }
        String name = System.mapLibraryName("ironlands_geodata_java");
        String place = "/native/" + System.getProperty("os.name").split(" ")[0] + "-" + System.getProperty("os.arch") + "/"
                + name;
        try (InputStream library = Geodata.class.getResourceAsStream(place)) {
            if (library == null)
                throw new UnsatisfiedLinkError(place + " is not in the jar");
            Path copy = Files.createTempDirectory("ironlands").resolve(name);
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            copy.toFile().deleteOnExit();
            copy.getParent().toFile().deleteOnExit();
            System.load(copy.toString());
        } catch (IOException error) {
            throw new UnsatisfiedLinkError(place + " cannot be unpacked: " + error);
        }
    }

    private static native long nativeLoad(String path, String format, String profile, boolean isStrict);

    private static native void nativeClose(long handle);

    private static native int nativeStatus();

    private static native String nativeError();

    private static native long nativeRegionCount(long handle);

    private static native long nativeHasRegion(long handle, int x, int y);

    private static native long nativeHeight(long handle, int x, int y, int z);

    private static native long nativeLayer(long handle, int x, int y, int z, int which);

    private static native int[] nativeLayers(long handle, int x, int y);

    private static native long nativeCanWalk(long handle, int ax, int ay, int az, int bx, int by, int bz);

    private static native long nativeCanSee(long handle, int ax, int ay, int az, int bx, int by, int bz, float aEye,
            float bEye);

    private static native long nativeStep(long handle, int x, int y, int z, int dx, int dy);

    private static native long nativeStraightWalk(long handle, int ax, int ay, int az, int bx, int by, int bz);

    private static native int[] nativeSwim(long handle, int ax, int ay, int az, int bx, int by, int bz);

    private static native int[] nativeFly(long handle, int ax, int ay, int az, int bx, int by, int bz, int height);

    private static native int[] nativePath(long handle, int ax, int ay, int az, int bx, int by, int bz, int budget);

    private static native long nativeBatch(long handle, int kind, float parameter, int[] queries, int[] results);

    private static native long nativeAddObject(long handle, long id, int[] outline, int bottom, int top, boolean isWall);

    private static native long nativeRemoveObject(long handle, long id);

    private static native long nativeSetBlock(long handle, int x, int y, byte[] layerCounts, short[] heights, byte[] nswe);
}
