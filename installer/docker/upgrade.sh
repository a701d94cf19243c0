#!/bin/sh
# Brings an appliance in containers to another version, or back:
#   installer/docker/upgrade.sh <tag or commit> [flags of backup]     in the checkout that it runs from
#   installer/docker/upgrade.sh --back
# Calls go on, unless FreeSWITCH itself is configured anew. A version that does not come up is taken back, with all data.
set -eu

IMAGES='server kamailio mariadb tools redis'
UP_SECONDS=${UP_SECONDS:-600}

fail() {
  echo "jackfield: $*" >&2
  exit 1
}

say() {
  echo "$(date +%H:%M:%S) $*"
}

compose() {
  if docker compose version > /dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

tools() {
  compose run --rm -T tools "$@"
}

# setting <name> <default>: as the compose tool finds it
setting() {
  value=$(printenv "$1" || sed -n "s/^$1=//p" .env | tail -n 1)
  echo "${value:-$2}"
}

# name <image> <tag>
name() {
  echo "$(setting IMAGE_PREFIX localhost/jackfield)/$1:$2"
}

# tag <from> <to>: the images of one version
tag() {
  for image in $IMAGES; do
    if docker image inspect "$(name "$image" "$1")" > /dev/null 2>&1; then
      docker tag "$(name "$image" "$1")" "$(name "$image" "$2")"
    fi
  done
}

# Waits until the server and all that it needs are well.
wait_until_well() {
  end=$(($(date +%s) + UP_SECONDS))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$(compose ps -q server)" 2> /dev/null)" = healthy ]; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 1
  done
}

start() {
  compose up -d && wait_until_well
}

# The old version: its checkout, its images, its tables.
bring_back() {
  compose stop server > /dev/null
  tools load-database || fail 'the tables of before cannot be loaded: the backup of before holds them'
  git checkout --quiet "$old"
  tag before "$now"
  start || fail "the old version does not come up: docker compose ps and logs say why"
  rm -f "$way"
}

main() {
  [ $# -ge 1 ] || fail 'name a tag or a commit, or --back'
  cd "$(dirname "$0")/../.."
  way=$(git rev-parse --git-dir)/jackfield-upgrade
  now=$(setting IMAGE_TAG local)
  if [ "$1" = --back ]; then
    [ -f "$way" ] || fail 'there is nothing to go back to: no upgrade was made'
    old=$(cat "$way")
    bring_back
    say "the version of before is up again, with its data of that time"
    return
  fi
  new=$(git rev-parse --verify --quiet "$1^{commit}") || fail "$1 is no tag or commit here: git fetch first"
  [ -z "$(git status --porcelain --untracked-files=no)" ] || fail 'files of this checkout were changed: git status'
  [ -n "$(compose ps -q server)" ] || fail 'no appliance is up: docker compose up -d'
  old=$(git symbolic-ref --quiet --short HEAD || git rev-parse HEAD)
  say 'backup'
  shift
  tools backup "$@"
  tag "$now" before
  say 'images'
  git checkout --quiet --detach "$new"
  if ! compose build; then
    git checkout --quiet "$old"
    tag before "$now"
    fail 'the new images cannot be built: nothing has changed'
  fi
  say 'database'
  compose stop server
  if ! tools save-database; then
    git checkout --quiet "$old"
    tag before "$now"
    start || true
    fail 'the tables cannot be saved: the old version is up again'
  fi
  echo "$old" > "$way"
  if compose run --rm -T --no-deps setup && compose run --rm -T --no-deps migrate && start; then
    say "this version is up; the way back, with the data of before: $0 --back"
    return
  fi
  bring_back
  fail 'the new version did not come up (the lines above say why): the old version is up again, with all its data'
}

# On one line: the checkout puts another file in the place of this one.
main "$@"; exit
