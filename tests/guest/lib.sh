# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What topics (*.guest) use. A topic is a bash script that runs in one boot of the guest; it calls
# `scenario` once for each thing it shows. Nothing outlives the boot, so nothing is cleaned up, but
# each scenario uses namespaces of its own so that it can be read alone.
set -u

FAILED=0
FILTER=${1:-}

# scenario NAME FUNCTION: runs FUNCTION in a subshell that ends at the first failing command. Its
# output is shown when it fails. The runner counts the lines that begin with PASS and FAIL.
scenario() {
  local name=$1 start=$SECONDS
  case $name in *"$FILTER"*) ;; *) return 0 ;; esac
  (set -eE; trap 'echo "line $LINENO: $BASH_COMMAND"' ERR; "$2") >/tmp/scenario 2>&1
  if [ $? = 0 ]; then
    echo "PASS $name ($((SECONDS - start)) s)"
  else
    echo "FAIL $name"
    tail -n 60 /tmp/scenario | sed 's/^/     | /'
    FAILED=1
  fi
}

# namespaces NAME…: each with lo up.
namespaces() {
  local name
  for name; do
    ip netns add "$name"
    ip -n "$name" link set dev lo up
  done
}

# cable NS1 IF1 NS2 IF2: a veth pair, both ends up. Beware of names that ip takes for keywords.
cable() {
  ip -n "$1" link add "$2" type veth peer name "$4" netns "$3"
  ip -n "$1" link set dev "$2" up
  ip -n "$3" link set dev "$4" up
}

inside() { local name=$1; shift; ip netns exec "$name" "$@"; }

# reaches NS ADDRESS [PING ARGUMENT…]: three packets within five seconds, after up to ten for
# neighbour discovery and routing.
reaches() {
  local name=$1 address=$2 i
  shift 2
  for ((i = 0; i < 10; i++)); do
    inside "$name" ping -q -c 1 -W 1 "$address" "$@" >/dev/null 2>&1 && break
    sleep 0.2
  done
  inside "$name" ping -q -c 3 -i 0.2 -w 5 "$address" "$@"
}
