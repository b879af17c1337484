# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Routers for topics: the same programs as on a whole router, without systemd, in a network and a mount
# namespace of their own. configd runs services through its table of units (--units direct). Only the
# daemons of FRR that every router has are started: in emulation each costs a second.

# What the first process of a router does; it keeps the namespaces alive.
router_main() {
  local name=$1
  mount -t tmpfs run /run
  mount -t sysfs sys /sys
  mkdir -p /run/lock /run/frr /run/millrace /run/chrony
  chown frr:frr /run/frr
  cp -a /etc "/tmp/etc.$name" && mount --bind "/tmp/etc.$name" /etc
  mkdir -p /etc/millrace
  echo "chrony.service /run/chrony/chronyd.pid /usr/sbin/chronyd -x -F 1" >/etc/millrace/units
  mount -t tmpfs -o mode=700 state /var/lib/millrace
  mount -t tmpfs -o mode=755 frr /var/lib/frr && chown frr:frr /var/lib/frr
  for daemon in zebra mgmtd staticd; do
    "/usr/lib/frr/$daemon" -d -A 127.0.0.1
  done
  /usr/libexec/millrace/configd --units direct &
  echo $! >/run/configd.pid
  exec sleep infinity
}

# router NAME: starts one in the namespace NAME, made by `namespaces`, whose cables are there already.
# Returns when its configd takes commands.
router() {
  local name=$1 i
  mkdir -p /var/lib/millrace
  export -f router_main
  # its output is kept, and no daemon holds the scenario's
  nsenter --net="/run/netns/$name" unshare --mount --propagation private \
    bash -c 'router_main "$1"' router "$name" >"/tmp/router.$name.log" 2>&1 </dev/null &
  echo $! >"/tmp/router.$name.pid"
  for ((i = 0; i < 300; i++)); do
    on "$name" cli -c "show system commit" >/dev/null 2>&1 && return 0
    sleep 0.2
  done
  echo "router $name gives no answer:"
  cat "/tmp/router.$name.log"
  return 1
}

# on NAME COMMAND…: runs it in that router.
on() {
  local name=$1
  shift
  nsenter --target "$(<"/tmp/router.$name.pid")" --mount --net -- "$@"
}

# configure NAME <LINES: one session that must succeed as a whole.
configure() { { echo configure; cat; echo commit; echo exit; } | on "$1" cli; }
