# SPDX-License-Identifier: GPL-2.0-or-later
"""netmiko as Debian has it, with its driver for Junos: edits, commits on trial, confirms, rolls back."""
import sys

from netmiko import ConnectHandler

HOST, USER, PASSWORD = sys.argv[1:]


def expect(text, wanted):
    assert wanted in text, f"expected '{wanted}' in: {text}"


router = ConnectHandler(device_type="juniper_junos", host=HOST, username=USER, password=PASSWORD)
expect(router.find_prompt(), f"{USER}@")
expect(router.send_command("show version"), "Hostname: ")
before = router.send_command("show configuration | display set")

router.config_mode()
assert router.check_config_mode()
router.send_config_set(["set interfaces eth0 description netmiko"], exit_config_mode=False)
expect(router.send_command("show | compare"), "+   description netmiko;")
expect(router.commit(check=True), "configuration check succeeds")
expect(router.commit(confirm=True, confirm_delay=5), "commit confirmed will be automatically rolled back in 5 minutes")
expect(router.commit(comment="confirmed by netmiko"), "commit complete")
expect(router.send_command("run show configuration interfaces eth0 description"), "netmiko")

try:
    router.send_config_set(["set interfaces eth0 mtu 1"], exit_config_mode=False, error_pattern="not within range")
    raise AssertionError("a value out of range went unnoticed")
except Exception as error:  # netmiko's own type moved between its versions
    expect(type(error).__name__ + str(error), "ConfigInvalidException")

router.send_config_set(["rollback 2"], exit_config_mode=False)
expect(router.commit(and_quit=True), "commit complete")
assert not router.check_config_mode()
after = router.send_command("show configuration | display set")
assert after.strip() == before.strip(), f"before:\n{before}\nafter:\n{after}"

# Uncommitted changes: the driver answers the question by itself.
router.config_mode()
router.send_config_set(["set interfaces eth0 description left"], exit_config_mode=False)
router.exit_config_mode()
assert not router.check_config_mode()
router.send_config_set(["rollback 0"])
router.disconnect()
print("netmiko is content")
