#!/bin/sh
# Upgrades an appliance in containers to another version, or rolls it back:
#   installer/docker/upgrade.sh <tag or commit> [flags of backup]     in the appliance's checkout
#   installer/docker/upgrade.sh --back
#   installer/docker/upgrade.sh                                       completes an interrupted run, and no more
# Calls continue, unless FreeSWITCH itself has to be recreated. A version that does not come up is rolled back, with all data.
#
# Each phase is written down before it begins. The next run continues an interrupted one like this:
#   build    the new images are built, under the tag `next`             puts the old checkout back
#   save     the server is down, its database is saved                  starts the old server
#   migrate  new images, new tables; no server was up on them yet       back
#   start    the new server starts: it may have accepted requests       starts it; back only by --back
#   up       done                                                       back only by --back
#   back     old images, old tables; no server is up                    back, from the beginning
#   restart  the old server starts: it may have accepted requests       starts it
set -eu

IMAGES='server kamailio mariadb tools redis'
UP_SECONDS=${UP_SECONDS:-600}
# disk space for the images and a copy of the database, with reserve
ROOM_MB=${ROOM_MB:-4000}
# complete even while the checkout is not
SELF='sh var/upgrade/upgrade.sh'
phase='' old='' branch='' new='' backup=''

say() {
  # The terminal may be gone.
  echo "$(date +%H:%M:%S) $*" 2> /dev/null || true
}

fail() {
  trap - EXIT
  echo "jackfield: $*" >&2 || true
  exit 1
}

find_engine() {
  command -v docker > /dev/null || fail 'there is no program docker: install Docker Engine'
  command -v flock > /dev/null || fail 'there is no program flock: install util-linux'
  if docker compose version > /dev/null 2>&1; then
    COMPOSE='docker compose'
  elif command -v docker-compose > /dev/null; then
    COMPOSE=docker-compose
  else
    fail 'there is no Compose: install the plugin docker-compose-plugin, or docker-compose'
  fi
  root=$(docker info --format '{{.DockerRootDir}}') || fail 'the Docker Engine does not answer (above): is it up, and may you use it?'
}

# once <service> <arguments>: with a fixed name, by which the next run finds the leftovers of a killed one
once() {
  service=$1
  shift
  $COMPOSE run --rm -T --no-deps --name "jackfield-upgrade-$service" "$service" "$@"
}

end_what_was_left() {
  for service in setup migrate tools; do
    docker rm --force "jackfield-upgrade-$service" > /dev/null 2>&1 || true
  done
}

# setting <name> <default>: as the compose tool resolves it
setting() {
  value=$(printenv "$1" || sed -n "s/^$1=//p" .env | tail -n 1)
  echo "${value:-$2}"
}

# name <image> <tag>
name() {
  echo "$prefix/$1:$2"
}

has() {
  docker image inspect "$(name "$1" "$2")" > /dev/null 2>&1
}

# tag <from> <to>: the images of one version
tag() {
  for image in $IMAGES; do
    if has "$image" "$1"; then docker tag "$(name "$image" "$1")" "$(name "$image" "$2")" || return 1; fi
  done
}

untag() {
  for image in $IMAGES; do
    if has "$image" "$1"; then docker rmi --no-prune "$(name "$image" "$1")" > /dev/null || return 1; fi
  done
}

# begin <phase>: written to disk before the phase begins
begin() {
  phase=$1
  {
    printf '%s\n' "phase $phase" "old $old" "branch $branch" "new $new" "backup $backup" > "$state.new" &&
      sync "$state.new" && mv "$state.new" "$state" && sync "$folder"
  } || fail "$state cannot be written (above), and nothing is begun without: make room, then $SELF"
}

# The current phase, empty if there is none.
recall() {
  phase='' old='' branch='' new='' backup=''
  [ -f "$state" ] || return 0
  while read -r key value; do
    case $key in
      phase) phase=$value ;;
      old) old=$value ;;
      branch) branch=$value ;;
      new) new=$value ;;
      backup) backup=$value ;;
    esac
  done < "$state"
  [ "$phase" ] && [ "$old" ] && [ "$new" ] || fail "$state is not whole: if the appliance is well, remove it"
}

# wait_until_well <service>: the server is well if everything that it needs is
wait_until_well() {
  end=$(($(date +%s) + UP_SECONDS))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$($COMPOSE ps -q "$1")" 2> /dev/null)" = healthy ]; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 1
  done
}

start() {
  timeout --foreground "$UP_SECONDS" $COMPOSE up -d && wait_until_well server
}

checkout_old() {
  if [ "$branch" ] && [ "$(git rev-parse --verify --quiet "refs/heads/$branch")" = "$old" ]; then
    git checkout --quiet "$@" "$branch"
  else
    git checkout --quiet "$@" --detach "$old"
  fi
}

# An interrupted checkout is between two versions: even if the new one is complete, the old one may be, too.
mend_checkout() {
  rm -f "$(git rev-parse --git-path index.lock)"
  { git checkout --quiet --force --detach "$new" && checkout_old --force; } || fail "the old checkout cannot be had (above): $again"
}

# Only the checkout was changed: the rollback of the previous upgrade is still possible.
leave_build() {
  untag next || true
  if [ -f "$state.last" ]; then mv "$state.last" "$state"; else rm -f "$state"; fi
}

forget() {
  rm -f "$state" "$state.last" "$folder/upgrade.sh"
  phase=''
}

again="run this again: $SELF --back"

# Back to the old version: its checkout, its images, its tables. Each step can be repeated.
bring_back() {
  begin back
  say 'back: the old checkout and images'
  checkout_old || fail "the old checkout cannot be had (above): $again"
  if has server before; then
    tag before "$(setting IMAGE_TAG local)" || fail "the images of before cannot be named (above): $again"
  else
    say 'back: the previous images are gone, and are built again'
    $COMPOSE build || fail "the old images cannot be built (above): $again"
  fi
  say 'back: the database'
  $COMPOSE stop server || fail "the server cannot be stopped (above): $again"
  once setup || fail "the old configurations cannot be written (above): $again"
  { $COMPOSE up -d --no-deps mariadb && wait_until_well mariadb; } || fail "the old MariaDB does not come up ($COMPOSE logs mariadb): $again"
  once tools load-database || fail "the tables of before cannot be loaded (above): $again; the backup $backup of the folder BACKUPS holds them too"
  restart
}

restart() {
  begin restart
  say 'back: start'
  start || fail "the old version does not come up ($COMPOSE ps and logs say why): $again"
  forget
}

# Continues an interrupted run: afterwards nothing is half done.
resume() {
  say "a run was cut off in the phase '$phase'"
  end_what_was_left
  case $phase in
    build)
      mend_checkout
      leave_build
      say 'the checkout of before is back; nothing else had changed'
      ;;
    save)
      restart
      say 'the old version is up again; its data had not changed'
      ;;
    migrate | back)
      mend_checkout
      bring_back
      say 'the old version is up again, with its data of before'
      ;;
    start)
      if [ "${1:-}" = --back ]; then
        mend_checkout
        bring_back
      else
        finish || fail "the new version does not come up ($COMPOSE ps and logs say why). Back, without the data it has received since its start: $SELF --back"
      fi
      ;;
    restart)
      restart
      say 'the old version is up again, with its data of before'
      ;;
  esac
  recall
}

finish() {
  say 'start'
  start || return 1
  begin up
  untag next || true
  say "the new version is up; the way back, with the data of before: $SELF --back"
}

# After a signal: without a running server it rolls back, with one the operator decides.
stopped() {
  trap '' INT TERM HUP
  # A lost connection leaves no terminal to report to.
  [ "$1" != HUP ] || exec >> "$folder/log" 2>&1
  say "stopped by SIG$1 in the phase '${phase:-before all}'"
  trap 'fail "the way back was stopped: $again"' INT TERM
  case $phase in
    build | save | migrate)
      resume
      fail 'stopped: the old version is as it was'
      ;;
    start) fail "stopped while the new version starts: go on with $SELF, or back with $SELF --back" ;;
    back | restart) fail "the way back was stopped: $again" ;;
    *) fail 'stopped: nothing has changed' ;;
  esac
}

check() {
  [ -z "$(git status --porcelain --untracked-files=no)" ] || fail 'files of this checkout were changed: git status names them; commit or stash them'
}

upgrade() {
  check
  git read-tree -n -m -u HEAD "$target" || fail "files that are not git's are in the way of $1 (above): move them"
  [ -n "$($COMPOSE ps -q server)" ] || fail "no appliance is up: $COMPOSE up -d"
  # The container engine may run on another machine.
  if [ -d "$root" ]; then
    free=$(($(df -Pk "$root" | awk 'NR == 2 { print $4 }') / 1024))
    [ "$free" -ge "$ROOM_MB" ] || fail "only $free MB are free in $root, and $ROOM_MB are needed (ROOM_MB): docker image prune, or a larger disk"
  fi
  shift
  once tools check-cells || fail 'an upgrade may not begin now (above): nothing has changed'
  say 'backup'
  once tools backup "$@" > "$folder/backup" || fail 'no backup, no upgrade (above): nothing has changed'
  cat "$folder/backup"
  made=$(sed -n 's#^/backups/##p' "$folder/backup")
  [ "$made" ] || fail 'the backup is not in the folder BACKUPS: leave out --to'
  once tools check-backup "$@" "$made" || fail "the backup $made is not whole: nothing has changed"
  rm -f "$state.last"
  if [ "$phase" ]; then cp "$state" "$state.last"; fi
  old=$(git rev-parse HEAD) branch=$(git symbolic-ref --quiet --short HEAD || true) new=$target backup=$made
  cp "$script" "$folder/upgrade.new"
  mv "$folder/upgrade.new" "$folder/upgrade.sh"
  begin build
  say 'images'
  untag next
  # Without --pull an image would never get a security update: local images of Debian and Node would be used for ever.
  flags=$(setting BUILD_FLAGS --pull)
  if ! { git checkout --quiet --detach "$new" && IMAGE_TAG=next $COMPOSE build $flags && has server next && checkout_old; }; then
    checkout_old || fail "the new images cannot be built, nor the old checkout be had (above): $again"
    leave_build
    fail 'the new images cannot be built (above): nothing has changed'
  fi
  rm -f "$state.last"
  begin save
  say 'database'
  now=$(setting IMAGE_TAG local)
  if ! { tag "$now" before && $COMPOSE stop server && once tools save-database; }; then
    restart
    fail 'the database cannot be saved (above): the old version is up again'
  fi
  begin migrate
  if git checkout --quiet --detach "$new" && tag next "$now" && once setup && once migrate && begin start && finish; then return; fi
  bring_back
  fail 'the new version did not come up (the lines above say why): the old version is up again, with all its data'
}

# The script that began it must end it, whatever version the checkout has by now.
hand_over() {
  if [ -f "$folder/upgrade.sh" ] && ! cmp -s "$script" "$folder/upgrade.sh"; then exec sh "$folder/upgrade.sh" "$@"; fi
}

main() {
  script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
  cd "$(dirname "$script")/../.."
  [ -f .env ] || fail "there is no .env in $PWD: docs/install/containers.md"
  git rev-parse HEAD > /dev/null || fail "$PWD is no checkout of git"
  find_engine
  prefix=$(setting IMAGE_PREFIX localhost/jackfield)
  folder=var/upgrade state=var/upgrade/state
  mkdir -p "$folder"
  # Children inherit the lock: leftovers of a killed run are waited for.
  exec 9> "$folder/lock"
  flock --nonblock 9 || fail 'another upgrade is at work, or what is left of one that was killed: wait for it'
  recall
  cut_off=''
  case $phase in
    '') ;;
    up) [ "${1:-}" != --back ] || hand_over "$@" ;;
    *)
      cut_off=$phase
      hand_over "$@"
      ;;
  esac
  [ $# -ge 1 ] || [ "$cut_off" ] || fail 'name a tag or a commit, or --back'
  if [ $# -ge 1 ] && [ "$1" != --back ]; then
    target=$(git rev-parse --verify --quiet "$1^{commit}") || fail "$1 is no tag or commit here: git fetch --tags first"
  fi
  trap 'stopped INT' INT
  trap 'stopped TERM' TERM
  trap 'stopped HUP' HUP
  trap '[ $? = 0 ] || echo "jackfield: ended in disorder in the phase ${phase:-before all} (above): $SELF" >&2' EXIT
  if [ "$cut_off" ]; then resume "$@"; fi
  case ${1:-} in
    '') ;;
    --back)
      if [ "$cut_off" ]; then return; fi
      [ "$phase" = up ] || fail 'there is nothing to go back to: no upgrade was made'
      check
      once tools check-database || fail 'the database of before is not whole (above): nothing has changed'
      bring_back
      say 'the old version is up again, with its data of before'
      ;;
    *)
      # This step itself may have been interrupted.
      if [ "$cut_off" != start ] || [ "$new" != "$target" ]; then upgrade "$@"; fi
      ;;
  esac
}

# On one line: the checkout replaces this file.
main "$@"; exit
