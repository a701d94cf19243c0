#!/bin/sh
# Finds FreeSWITCH in an external image, and runs it.
set -eu
for binary in "${FREESWITCH_BIN:-}" /usr/bin/freeswitch /usr/local/bin/freeswitch /usr/local/freeswitch/bin/freeswitch /opt/freeswitch/bin/freeswitch; do
  [ -x "$binary" ] && break
done
if [ ! -x "$binary" ]; then
  echo 'this image has no freeswitch program at a usual place: set FREESWITCH_BIN to its path' >&2
  exit 1
fi
binary=$(readlink -f "$binary")
prefix=${binary%/bin/*}
for modules in "$prefix/lib/freeswitch/mod" "$prefix/mod" "$prefix"/lib/*/freeswitch/mod; do
  [ -f "$modules/mod_sofia.so" ] && break
done
for name in @@REQUIRED@@; do
  if [ ! -f "$modules/$name.so" ]; then
    echo "this image's FreeSWITCH lacks $name: name an image that has it as FREESWITCH_IMAGE" >&2
    exit 1
  fi
done
buffered=
command -v stdbuf > /dev/null && buffered='stdbuf -oL'
exec $buffered "$binary" -mod "$modules" @@ARGUMENTS@@
