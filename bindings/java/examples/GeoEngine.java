import java.nio.file.Path;
import java.util.List;
import org.ironlands.geodata.Geodata;
import org.ironlands.geodata.Geodata.Line;
import org.ironlands.geodata.Geodata.Point;
import org.ironlands.geodata.Geodata.Route;
import org.ironlands.geodata.GeodataException;

/**
 * A geo engine with the methods that community servers call, over the library: where no region is, everything is allowed
 * and heights are those that were passed, as in those servers.
 *
 * <pre>
 * bindings/java/build-jar.sh
 * javac -cp target/ironlands-geodata.jar -d /tmp/engine bindings/java/examples/GeoEngine.java
 * java -cp target/ironlands-geodata.jar:/tmp/engine GeoEngine DATA/LINEAGE2
 * </pre>
 */
public final class GeoEngine {
    /** Height of a character's eyes: twice the collision height, of which servers take three quarters. */
    private static final float EYE_PART = 1.5f;

    private final Geodata geodata;

    public GeoEngine(Path folder) {
        geodata = Geodata.load(folder);
    }

    public boolean hasGeo(int x, int y) {
        return geodata.hasRegion(x, y);
    }

    public int getHeight(int x, int y, int z) {
        return hasGeo(x, y) ? geodata.height(x, y, z) : z;
    }

    public int getNextLowerZ(int x, int y, int z) {
        Geodata.Layer layer = hasGeo(x, y) ? geodata.layerAtOrBelow(x, y, z) : null;
        return layer == null ? z : layer.z();
    }

    public int getNextHigherZ(int x, int y, int z) {
        Geodata.Layer layer = hasGeo(x, y) ? geodata.layerAtOrAbove(x, y, z) : null;
        return layer == null ? z : layer.z();
    }

    public boolean canMoveToTarget(int ox, int oy, int oz, int tx, int ty, int tz) {
        return !hasGeo(ox, oy) || geodata.canWalk(ox, oy, oz, tx, ty, tz);
    }

    /** The target if it can be reached, else the last valid point; the origin if the line ends on another layer. */
    public Point getValidLocation(int ox, int oy, int oz, int tx, int ty, int tz) {
        if (!hasGeo(ox, oy))
            return new Point(tx, ty, tz);
        Line line = geodata.straightWalk(ox, oy, oz, tx, ty, tz);
        return line.end() == 1 ? new Point(ox, oy, oz) : line.point();
    }

    public boolean canSeeTarget(int ox, int oy, int oz, float oHeight, int tx, int ty, int tz, float tHeight) {
        return !hasGeo(ox, oy) || geodata.canSee(ox, oy, oz, oHeight * EYE_PART, tx, ty, tz, tHeight * EYE_PART);
    }

    public Point getValidSwimLocation(int ox, int oy, int oz, int tx, int ty, int tz) {
        return hasGeo(ox, oy) ? geodata.swim(ox, oy, oz, tx, ty, tz).point() : new Point(tx, ty, tz);
    }

    public Point getValidFlyLocation(int ox, int oy, int oz, int height, int tx, int ty, int tz) {
        return hasGeo(ox, oy) ? geodata.fly(ox, oy, oz, tx, ty, tz, height).point() : new Point(tx, ty, tz);
    }

    /** Corners of a path, or an empty list. */
    public List<Point> findPath(int ox, int oy, int oz, int tx, int ty, int tz) {
        if (!hasGeo(ox, oy) || !hasGeo(tx, ty))
            return List.of();
        Route route = geodata.path(ox, oy, oz, tx, ty, tz, Geodata.DEFAULT_BUDGET);
        return route.isReached() ? route.points() : List.of();
    }

    public void closeDoor(int id, int[] outline, int bottom, int top) {
        geodata.addObject(id, outline, bottom, top, false);
    }

    public void openDoor(int id) {
        geodata.removeObject(id);
    }

    public static void main(String[] args) {
        GeoEngine engine = new GeoEngine(Path.of(args.length > 0 ? args[0] : "DATA/LINEAGE2"));
        // The harbor of the demo, and its beacon in the next region.
        System.out.println("height of the harbor: " + engine.getHeight(17496, 22728, -3700));
        System.out.println("valid location: " + engine.getValidLocation(17496, 22728, -3736, 60296, 8664, -2376));
        List<Point> path = engine.findPath(17496, 22728, -3736, 60296, 8664, -2376);
        System.out.println("corners of the path to the beacon: " + path.size());
        Point a = path.get(0), b = path.get(1);
        System.out.println("first corner reached: " + engine.canMoveToTarget(a.x(), a.y(), a.z(), b.x(), b.y(), b.z()));
        int[] square = {b.x() - 40, b.y() - 40, b.x() + 40, b.y() - 40, b.x() + 40, b.y() + 40, b.x() - 40, b.y() + 40};
        engine.closeDoor(1, square, b.z(), b.z() + 100);
        System.out.println("with a closed door: " + engine.canMoveToTarget(a.x(), a.y(), a.z(), b.x(), b.y(), b.z()));
        engine.openDoor(1);
        System.out.println("with it open: " + engine.canMoveToTarget(a.x(), a.y(), a.z(), b.x(), b.y(), b.z()));
        try {
            engine.geodata.height(-600000, -500000, 0);
        } catch (GeodataException error) {
            System.out.println("no region: " + error.getMessage());
        }
    }
}
