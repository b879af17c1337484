# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What mill and the scripts of image/ share: progress lines, the cache, and roots made of layers.
#
# The cache is a folder outside every checkout. An entry is CACHE/KIND/KEY, where the key is a hash of
# everything that decides the content, so an entry is never wrong and never changed: it is made in
# KEY.new and renamed when finished. One lock per kind lets two mills run at once; whoever holds it
# knows that every *.new is the remains of an interrupted run.
#
# Builders run in mount and pid namespaces of their own. Whatever they mounted is gone with their last
# process, however it died, so removing remains cannot walk into the host's /proc, /sys or /dev.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${MILLRACE_CACHE:-/var/cache/millrace}
suite=trixie

say() { printf 'mill: %s\n' "$*" >&2; }
die() { say "$1"; shift; local hint; for hint; do printf '      %s\n' "$hint" >&2; done; exit 1; }

# packages LIST: the names in image/packages/LIST.list, one a line.
packages() { sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$top/image/packages/$1.list"; }

# key FILE…: a short hash of names, modes and contents; folders count with all they hold.
key() {
  (cd "$top" && find "$@" \( -type f -o -type l \) -printf '%P %m %l\n' -exec sha256sum {} + | LC_ALL=C sort) |
    sha256sum | cut -c1-16
}

# step NAME TEXT COMMAND…: one line of progress with the seconds it took; the output goes to a log.
step() {
  local log=$cache/log/$1.log text=$2 start=$SECONDS pid rc=0
  shift 2
  mkdir -p "$cache/log"
  printf 'mill: %s … ' "$text" >&2
  ("$@") >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'kill -KILL $pid 2>/dev/null; echo >&2; say "interrupted; what was half made will be removed at the next run"; exit 130' INT TERM
  if [ -t 2 ]; then
    while kill -0 $pid 2>/dev/null; do
      printf '\rmill: %s … %d s ' "$text" $((SECONDS - start)) >&2
      sleep 1
    done
  fi
  wait $pid || rc=$?
  trap - INT TERM
  if [ $rc = 0 ]; then
    [ -t 2 ] && printf '\rmill: %s … ' "$text" >&2
    printf '%d s\n' $((SECONDS - start)) >&2
    return
  fi
  printf 'failed after %d s, exit status %d; first errors and last lines of the log:\n' $((SECONDS - start)) $rc >&2
  {
    grep -E '^(E|FAILED): |(^| )(error|Error): ' "$log" | head -n 5 || true # a compiler's first error is far from the end
    tail -n 15 "$log"
  } | sed 's/^/      | /' >&2
  die "the whole log is $log" "repeat the same command after mending the cause: what was finished is kept"
}

# contained COMMAND…: replaces this process; see the head of this file.
contained() { exec unshare --mount --propagation private --pid --fork --kill-child --mount-proc -- "$@"; }

# discard DIR…: remove remains; refuses where something is still mounted below.
discard() {
  local dir
  for dir; do
    [ -e "$dir" ] || continue
    awk -v d="$dir/" 'index($5, d) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
      while read -r mount; do umount "$mount"; done
    rm -rf --one-file-system "$dir"
  done
}

# obtain KIND KEY TEXT COMMAND…: the folder CACHE/KIND/KEY, made by `COMMAND… FOLDER.new` if it is
# not there yet. Sets $obtained. Marks the entry used; those of its kind unused for a month go.
obtain() {
  local kind=$1 key=$2 text=$3 lock dir=$cache/$1/$2 old
  shift 3
  if [ ! -d "$dir" ]; then
    mkdir -p "$cache/$kind"
    exec {lock}>"$cache/$kind/lock"
    flock -n $lock || { say "waiting for another mill that makes the $kind root"; flock $lock; }
    if [ ! -d "$dir" ]; then
      discard "$cache/$kind"/*.new
      find "$cache/$kind" -mindepth 1 -maxdepth 1 -type d -mtime +30 | while read -r old; do discard "$old"; done
      mkdir "$dir.new"
      step "$kind" "$text" contained "$@" "$dir.new"
      mv "$dir.new" "$dir"
    fi
    exec {lock}>&-
  fi
  touch "$dir"
  obtained=$dir
}

# mount_layers LAYERS DIR [UPPER]: the merged tree at DIR. LAYERS as overlayfs' lowerdir= wants them,
# topmost first. Without UPPER, what is written goes to memory and is lost.
mount_layers() {
  local layers=$1 dir=$2 upper=${3:-}
  if [ -z "$upper" ]; then
    mkdir -p "$cache/scratch"
    mount -t tmpfs -o mode=755 millrace "$cache/scratch"
    upper=$cache/scratch/upper
  fi
  mkdir -p "$dir" "$upper" "$upper.work"
  mount -t overlay -o "lowerdir=$layers,upperdir=$upper,workdir=$upper.work" millrace "$dir" ||
    die "cannot mount an overlay in $cache" "set MILLRACE_CACHE to a folder on ext4, xfs or btrfs"
}

# mount_api ROOT: what programs expect below / beside files.
mount_api() {
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount --rbind /dev "$1/dev"
  mount -t tmpfs -o mode=1777 tmp "$1/tmp"
}

# host_mirrors: sets $mirror and $mirror_security to what this host's own apt uses for Debian, and
# $proxy to its proxy. Third-party entries are not asked; no mirror's name is written anywhere.
host_mirrors() {
  local entries
  entries=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' | sort -u)
  mirror_security=$(awk '$1 == "Debian" && $2 == "Debian-Security" { print $3; exit }' <<<"$entries")
  mirror=$(awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }' <<<"$entries")
  [ -n "$mirror" ] ||
    die "this host's apt lists no Debian mirror (no downloaded index says Origin: Debian)" \
      "run: apt-get update   and see that /etc/apt/sources.list(.d) has a Debian entry"
  [ -n "$mirror_security" ] ||
    die "this host's apt lists no Debian security mirror (no index says Label: Debian-Security)" \
      "add the security entry to /etc/apt/sources.list(.d), then run: apt-get update"
  eval "$(apt-config shell proxy Acquire::http::Proxy valid_until Acquire::Check-Valid-Until/b)"
  proxy=${proxy:-} valid_until=${valid_until:-true}
  [ -z "$proxy" ] || export http_proxy=$proxy
}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
