import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.ironlands.geodata.Geodata;
import org.ironlands.geodata.Geodata.Layer;
import org.ironlands.geodata.Geodata.Line;
import org.ironlands.geodata.Geodata.Point;
import org.ironlands.geodata.Geodata.Route;
import org.ironlands.geodata.GeodataException;

/** Runs a script of calls from stdin and prints a line for each. */
public final class RunScript {
    private static StringTokenizer words;

    public static void main(String[] args) throws Exception {
        Geodata geodata = Geodata.load(Path.of(args[0]), args.length > 1 ? args[1] : null, null, false);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            words = new StringTokenizer(text);
            try {
                out.append(("0 " + run(geodata, words.nextToken())).trim());
            } catch (NoLayer error) {
                out.append(GeodataException.NO_LAYER);
            } catch (GeodataException error) {
                if (error.getMessage().isEmpty())
                    throw new IllegalStateException("an error without a message");
                out.append(error.status());
            }
            out.append('\n');
        }
        geodata.close();
        if (geodata.regionCount() != 0)
            throw new IllegalStateException("regions after closing");
        new PrintStream(System.out, false).append(out).flush();
    }

    private static int n() {
        return Integer.parseInt(words.nextToken());
    }

    private static String run(Geodata geodata, String call) {
        switch (call) {
            case "height":
                return "" + geodata.height(n(), n(), n());
            case "below":
                return text(geodata.layerAtOrBelow(n(), n(), n()));
            case "above":
                return text(geodata.layerAtOrAbove(n(), n(), n()));
            case "layers": {
                StringBuilder out = new StringBuilder();
                var layers = geodata.layers(n(), n());
                out.append(layers.size());
                for (Layer layer : layers)
                    out.append(' ').append(text(layer));
                return out.toString();
            }
            case "step":
                return text(geodata.step(n(), n(), n(), n(), n()));
            case "walk": {
                int[] p = numbers(6);
                Line line = geodata.straightWalk(p[0], p[1], p[2], p[3], p[4], p[5]);
                if (geodata.canWalk(p[0], p[1], p[2], p[3], p[4], p[5]) != line.isReached())
                    return "canWalk differs";
                return text(line);
            }
            case "swim":
                return text(geodata.swim(n(), n(), n(), n(), n(), n()));
            case "fly":
                return text(geodata.fly(n(), n(), n(), n(), n(), n(), n()));
            case "sight": {
                int[] p = numbers(6);
                return geodata.canSee(p[0], p[1], p[2], 34.5f, p[3], p[4], p[5], 30.0f) ? "1" : "0";
            }
            case "path": {
                Route route = geodata.path(n(), n(), n(), n(), n(), n(), n());
                StringBuilder out = new StringBuilder(route.end() + " " + route.points().size());
                for (Point point : route.points())
                    out.append(' ').append(text(point));
                return out.toString();
            }
            case "batch": {
                int kind = n();
                float parameter = Float.parseFloat(words.nextToken());
                int[] queries = numbers(n() * (kind == Geodata.HEIGHTS ? 3 : 6));
                StringBuilder out = new StringBuilder();
                for (int number : geodata.batch(kind, parameter, queries))
                    out.append(number).append(' ');
                return out.toString();
            }
            case "add": {
                int id = n(), bottom = n(), top = n(), isWall = n();
                geodata.addObject(id, numbers(2 * n()), bottom, top, isWall != 0);
                return "";
            }
            case "remove":
                geodata.removeObject(n());
                return "";
            case "block": {
                int x = n(), y = n(), count = n();
                byte[] counts = bytes(64);
                short[] heights = new short[count];
                for (int i = 0; i < count; i++)
                    heights[i] = (short) n();
                geodata.setBlock(x, y, counts, heights, bytes(count));
                return "";
            }
            default:
                throw new IllegalArgumentException(call);
        }
    }

    private static int[] numbers(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++)
            numbers[i] = n();
        return numbers;
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++)
            bytes[i] = (byte) n();
        return bytes;
    }

    private static String text(Layer layer) {
        if (layer == null)
            throw new NoLayer();
        return layer.z() + " " + layer.nswe();
    }

    /** What the other languages report as a status is null in Java. */
    private static final class NoLayer extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static String text(Line line) {
        return line.end() + " " + text(line.point());
    }

    private static String text(Point point) {
        return point.x() + " " + point.y() + " " + point.z();
    }
}
