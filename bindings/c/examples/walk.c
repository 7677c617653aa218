/* Loads a folder of regions, looks around, walks, finds a path, closes a door in its way, and queries from four threads.
 *
 *   cargo build --profile bindings -p ironlands-geodata-c
 *   cc -I bindings/c/include bindings/c/examples/walk.c -L target/bindings -lironlands_geodata_c -pthread -o walk
 *   LD_LIBRARY_PATH=target/bindings ./walk DATA/LINEAGE2
 */
#include <ironlands/geodata.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N_THREADS 4
#define N_QUERIES 100000

static void check(IlStatus status, const char *what) {
    char error[512];
    if (status == IlStatus_Ok)
        return;
    il_last_error(error, sizeof error);
    fprintf(stderr, "%s: status %d: %s\n", what, (int)status, error);
    exit(1);
}

/* All threads share one handle. */
static void *sum_of_heights(void *geodata) {
    long long sum = 0;
    for (int i = 0; i < N_QUERIES; i++) {
        IlPoint at = {1000 + i % 30000, 2000 + i % 28000, -3000};
        int32_t height = 0;
        check(il_height(geodata, at, &height), "height");
        sum += height;
    }
    long long *result = malloc(sizeof *result);
    *result = sum;
    return result;
}

int main(int argc, char **argv) {
    IlGeodata *geodata = NULL;
    check(il_geodata_load(argc > 1 ? argv[1] : "DATA/LINEAGE2", NULL, NULL, 0, &geodata), "load");
    printf("%zu regions\n", il_region_count(geodata));

    /* The harbor of the demo, and its beacon in the next region. */
    IlPoint harbor = {17496, 22728, -3736}, beacon = {60296, 8664, -2376};
    IlLayer layer;
    check(il_nearest_layer(geodata, harbor, &layer), "nearest layer");
    printf("the ground of the harbor is at %d, open sides %d\n", (int)layer.z, layer.nswe);

    IlLine line;
    check(il_straight_walk(geodata, harbor, beacon, &line), "straight walk");
    printf("a straight walk ends with %d at %d,%d,%d\n", (int)line.end, (int)line.point.x, (int)line.point.y,
           (int)line.point.z);

    IlPoint *points = NULL;
    size_t count = 0;
    IlPathEnd end;
    IlStatus status = il_path(geodata, harbor, beacon, 20000000, NULL, 0, &count, &end);
    if (status == IlStatus_TooShort) {
        points = malloc(count * sizeof *points);
        status = il_path(geodata, harbor, beacon, 20000000, points, count, &count, &end);
    }
    check(status, "path");
    printf("the path to the beacon has %zu corners\n", count);

    /* A door over the second corner of the path. */
    int32_t x = points[1].x, y = points[1].y;
    int32_t outline[] = {x - 40, y - 40, x + 40, y - 40, x + 40, y + 40, x - 40, y + 40};
    check(il_add_object(geodata, 1, outline, 4, (int16_t)points[1].z, (int16_t)(points[1].z + 100), 0), "close");
    check(il_straight_walk(geodata, points[0], points[1], &line), "straight walk");
    printf("with the door closed the walk to it ends with %d\n", (int)line.end);
    check(il_remove_object(geodata, 1), "open");
    check(il_straight_walk(geodata, points[0], points[1], &line), "straight walk");
    printf("with the door open it ends with %d\n", (int)line.end);
    free(points);

    pthread_t threads[N_THREADS];
    long long sums[N_THREADS];
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, sum_of_heights, geodata);
    for (int i = 0; i < N_THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        sums[i] = *(long long *)sum;
        free(sum);
    }
    for (int i = 1; i < N_THREADS; i++)
        if (sums[i] != sums[0])
            return 1;
    printf("%d threads agree on the sum of %d heights: %lld\n", N_THREADS, N_QUERIES, sums[0]);

    il_geodata_free(geodata);
    return 0;
}
