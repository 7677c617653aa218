/* Runs a script of calls from stdin on the regions of a folder, and prints a line for each: the tests compare it with
 * what the library returns in Rust. */
#include <ironlands/geodata.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t number(void) {
    int32_t value;
    if (scanf("%" SCNd32, &value) != 1) {
        fprintf(stderr, "a number is missing\n");
        exit(3);
    }
    return value;
}

static IlPoint point(void) {
    IlPoint at;
    at.x = number();
    at.y = number();
    at.z = number();
    return at;
}

static void print_status(IlStatus status) {
    printf("%d", (int)status);
}

static void print_line(IlStatus status, IlLine line) {
    print_status(status);
    if (status == IlStatus_Ok)
        printf(" %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32, line.end, line.point.x, line.point.y, line.point.z);
}

static void print_layer(IlStatus status, IlLayer layer) {
    print_status(status);
    if (status == IlStatus_Ok)
        printf(" %" PRId32 " %d", layer.z, layer.nswe);
}

static void run_layers(const IlGeodata *geodata) {
    IlLayer layers[255];
    size_t count = 0;
    int32_t x = number(), y = number();
    IlStatus status = il_layers(geodata, x, y, layers, 255, &count);
    print_status(status);
    if (status != IlStatus_Ok)
        return;
    printf(" %zu", count);
    for (size_t i = 0; i < count; i++)
        printf(" %" PRId32 " %d", layers[i].z, layers[i].nswe);
    if (count > 1 && il_layers(geodata, x, y, layers, 1, &count) != IlStatus_TooShort)
        printf(" (too short an array was taken)");
}

static void run_path(const IlGeodata *geodata) {
    static IlPoint points[4096];
    IlPoint from = point(), to = point();
    uint32_t budget = (uint32_t)number();
    size_t count = 0;
    IlPathEnd end;
    IlStatus status = il_path(geodata, from, to, budget, points, 4096, &count, &end);
    print_status(status);
    if (status != IlStatus_Ok)
        return;
    printf(" %d %zu", (int)end, count);
    for (size_t i = 0; i < count; i++)
        printf(" %" PRId32 " %" PRId32 " %" PRId32, points[i].x, points[i].y, points[i].z);
}

static void run_batch(const IlGeodata *geodata) {
    int32_t kind = number(), queries[64], results[64];
    float parameter;
    if (scanf("%f", &parameter) != 1)
        exit(3);
    size_t rows = (size_t)number(), row_in = kind == IlBatch_Height ? 3 : 6;
    size_t row_out = kind == IlBatch_Height || kind == IlBatch_LineOfSight ? 1 : 4;
    for (size_t i = 0; i < rows * row_in; i++)
        queries[i] = number();
    IlStatus status = il_batch(geodata, kind, parameter, queries, results, rows);
    print_status(status);
    for (size_t i = 0; status == IlStatus_Ok && i < rows * row_out; i++)
        printf(" %" PRId32, results[i]);
}

static void run_add(const IlGeodata *geodata) {
    int32_t outline[64];
    uint64_t id = (uint64_t)number();
    int16_t bottom = (int16_t)number(), top = (int16_t)number();
    int32_t is_wall = number();
    size_t count = (size_t)number();
    for (size_t i = 0; i < 2 * count; i++)
        outline[i] = number();
    print_status(il_add_object(geodata, id, outline, count, bottom, top, is_wall));
}

static void run_block(const IlGeodata *geodata) {
    static uint8_t counts[64], nswe[64 * 255];
    static int16_t heights[64 * 255];
    int32_t x = number(), y = number();
    size_t layers = (size_t)number();
    for (size_t i = 0; i < 64; i++)
        counts[i] = (uint8_t)number();
    for (size_t i = 0; i < layers; i++)
        heights[i] = (int16_t)number();
    for (size_t i = 0; i < layers; i++)
        nswe[i] = (uint8_t)number();
    print_status(il_set_block(geodata, x, y, counts, heights, nswe, layers));
}

static int run(const IlGeodata *geodata, const char *call) {
    IlLine line = {0};
    IlLayer layer = {0};
    IlPoint from, to;
    int32_t value = 0;
    IlStatus status;
    if (!strcmp(call, "layers"))
        return run_layers(geodata), 1;
    if (!strcmp(call, "path"))
        return run_path(geodata), 1;
    if (!strcmp(call, "batch"))
        return run_batch(geodata), 1;
    if (!strcmp(call, "add"))
        return run_add(geodata), 1;
    if (!strcmp(call, "remove"))
        return print_status(il_remove_object(geodata, (uint64_t)number())), 1;
    if (!strcmp(call, "block"))
        return run_block(geodata), 1;
    from = point();
    if (!strcmp(call, "height")) {
        status = il_height(geodata, from, &value);
        print_status(status);
        if (status == IlStatus_Ok)
            printf(" %" PRId32, value);
        return 1;
    }
    if (!strcmp(call, "below"))
        return status = il_layer_at_or_below(geodata, from, &layer), print_layer(status, layer), 1;
    if (!strcmp(call, "above"))
        return status = il_layer_at_or_above(geodata, from, &layer), print_layer(status, layer), 1;
    if (!strcmp(call, "step")) {
        int32_t dx = number(), dy = number();
        return status = il_step(geodata, from, dx, dy, &line), print_line(status, line), 1;
    }
    to = point();
    if (!strcmp(call, "walk"))
        return status = il_straight_walk(geodata, from, to, &line), print_line(status, line), 1;
    if (!strcmp(call, "swim"))
        return status = il_swim(geodata, from, to, &line), print_line(status, line), 1;
    if (!strcmp(call, "fly"))
        return status = il_fly(geodata, from, to, number(), &line), print_line(status, line), 1;
    if (!strcmp(call, "sight")) {
        status = il_line_of_sight(geodata, from, to, 34.5f, 30.0f, &value);
        print_status(status);
        if (status == IlStatus_Ok)
            printf(" %" PRId32, value);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    char call[16], error[256];
    IlGeodata *geodata = NULL;
    if (argc < 2)
        return 2;
    if (il_geodata_load("no such folder", NULL, NULL, 0, &geodata) != IlStatus_Load ||
        il_last_error(error, sizeof error) == 0 || il_height(NULL, (IlPoint){0, 0, 0}, NULL) != IlStatus_Argument)
        return 4;
    if (il_geodata_load(argv[1], argc > 2 ? argv[2] : NULL, NULL, 0, &geodata) != IlStatus_Ok) {
        il_last_error(error, sizeof error);
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    while (scanf("%15s", call) == 1) {
        if (!run(geodata, call))
            return 3;
        printf("\n");
    }
    il_geodata_free(geodata);
    return 0;
}
