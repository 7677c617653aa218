package org.ironlands.geodata;

/** Why a call failed. */
public final class GeodataException extends RuntimeException {
    /** No region is loaded at a point. */
    public static final int NO_DATA = 1;
    /** A point is outside of all regions that can be. */
    public static final int OUTSIDE = 2;
    /** Regions cannot be read. */
    public static final int LOAD = 3;
    /** An argument has a value that it cannot have. */
    public static final int ARGUMENT = 4;
    /** There is no such layer. */
    public static final int NO_LAYER = 5;
    /** A defect of the library; the call changed nothing. */
    public static final int PANIC = 7;

    private static final long serialVersionUID = 1;

    private final int status;

    GeodataException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** One of the numbers above. */
    public int status() {
        return status;
    }
}
