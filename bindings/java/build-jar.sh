#!/bin/sh
# Builds target/ironlands-geodata.jar: the classes, and the library for this machine. Further libraries may be added to
# the jar under native/SYSTEM-PROCESSOR/, by the names that Java's os.name (first word) and os.arch have.
set -eu
cd "$(dirname "$0")/../.."
for tool in javac jar java; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: a JDK of version 17 or newer has it" >&2; exit 1; }
done
cargo build --profile bindings --locked -p ironlands-geodata-java
target=${CARGO_TARGET_DIR:-target}
classes=$target/java-classes
rm -rf "$classes"
mkdir -p "$classes"
javac --release 17 -Xlint:all -Werror -d "$classes" bindings/java/java/org/ironlands/geodata/*.java
property() { java -XshowSettings:properties -version 2>&1 | sed -n "s/^ *$1 = //p"; }
place=$classes/native/$(property os.name | cut -d' ' -f1)-$(property os.arch)
mkdir -p "$place"
for library in libironlands_geodata_java.so libironlands_geodata_java.dylib ironlands_geodata_java.dll; do
    if [ -e "$target/bindings/$library" ]; then cp "$target/bindings/$library" "$place/"; fi
done
jar --create --file "$target/ironlands-geodata.jar" -C "$classes" .
echo "$target/ironlands-geodata.jar"
