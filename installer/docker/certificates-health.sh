#!/bin/sh
# Whether the service `certificates` has run in the last three minutes. A file, because Podman splits the words of a health
# check at their spaces.
test -n "$(find /tmp/alive -mmin -3)"
