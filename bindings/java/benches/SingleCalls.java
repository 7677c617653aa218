import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Arrays;
import org.ironlands.geodata.Geodata;
import org.ironlands.geodata.Geodata.Line;

/**
 * Times single calls. Reads a line of pairs of points, x y z x y z, then the name of a call and the number of times that it
 * runs over all pairs; prints nanoseconds and a sum of the results.
 */
public final class SingleCalls {
    public static void main(String[] args) throws Exception {
        Geodata geodata = Geodata.load(Path.of(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int[] points = Arrays.stream(in.readLine().split(" ")).mapToInt(Integer::parseInt).toArray();
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            String[] words = text.split(" ");
            long start = System.nanoTime(), sum = 0;
            for (int round = Integer.parseInt(words[1]); round > 0; round--)
                sum += run(geodata, words[0], points);
            System.out.println(System.nanoTime() - start + " " + sum);
        }
    }

    private static long run(Geodata geodata, String call, int[] p) {
        long sum = 0;
        switch (call) {
            case "height":
                for (int i = 0; i < p.length; i += 6)
                    sum += geodata.height(p[i], p[i + 1], p[i + 2]);
                return sum;
            case "step":
                for (int i = 0; i < p.length; i += 6)
                    sum += sum(geodata.step(p[i], p[i + 1], p[i + 2], 1, -1));
                return sum;
            case "walk":
                for (int i = 0; i < p.length; i += 6)
                    sum += sum(geodata.straightWalk(p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5]));
                return sum;
            case "sight":
                for (int i = 0; i < p.length; i += 6)
                    sum += geodata.canSee(p[i], p[i + 1], p[i + 2], 30, p[i + 3], p[i + 4], p[i + 5], 30) ? 1 : 0;
                return sum;
            default:
                throw new IllegalArgumentException(call);
        }
    }

    private static long sum(Line line) {
        return line.end() + line.point().x() + line.point().y() + line.point().z();
    }
}
