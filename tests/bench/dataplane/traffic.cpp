// SPDX-License-Identifier: GPL-2.0-or-later
//
// traffic generate DEVICE TO-MAC FROM-MAC LENGTH SECONDS FILE one|turn|random COUNT
//     sends to the destinations of FILE (text, an address a line; the first COUNT, a power of two)
// traffic sink DEVICE              counts and drops what comes in
// traffic redirect DEVICE OUT TO-MAC FROM-MAC      sends on without looking anything up
//
// sink and redirect print the number of frames for every line they read, and end with their input.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <net/if.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "base/address.h"

namespace {

struct Settings {
  std::uint8_t to[6] = {};
  std::uint8_t from[6] = {};
  std::uint32_t device = 0;
  std::uint32_t destinations = 1;
  std::uint32_t random = 0;
  std::uint32_t inet6 = 0;
  std::uint32_t length = 60;
};

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "traffic: cannot %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

void set_mac(std::uint8_t* into, const std::string& text) {
  const auto mac = millrace::base::MacAddress::parse(text);
  if (!mac) {
    die("read the address " + text);
  }
  std::ranges::copy(mac->bytes, into);
}

int map_of(bpf_object* object, const char* name) {
  return bpf_object__find_map_fd_by_name(object, name);
}

int program_of(bpf_object* object, const char* name) {
  return bpf_program__fd(bpf_object__find_program_by_name(object, name));
}

void store(bpf_object* object, const Settings& settings) {
  const std::uint32_t zero = 0;
  if (bpf_map_update_elem(map_of(object, "settings"), &zero, &settings, BPF_ANY) != 0) {
    die("store the settings");
  }
}

std::uint64_t count(bpf_object* object) {
  std::vector<std::uint64_t> each(static_cast<std::size_t>(libbpf_num_possible_cpus()));
  const std::uint32_t zero = 0;
  bpf_map_lookup_elem(map_of(object, "counter"), &zero, each.data());
  std::uint64_t total = 0;
  for (const std::uint64_t one : each) {
    total += one;
  }
  return total;
}

void load_destinations(bpf_object* object, const std::string& file, Settings& settings) {
  std::ifstream lines(file);
  std::string line;
  for (std::uint32_t index = 0; index < settings.destinations && std::getline(lines, line);
       ++index) {
    const auto address = millrace::base::IpAddress::parse(line);
    if (!address) {
      die("read the destination " + line);
    }
    std::uint8_t words[16] = {};
    std::ranges::copy(address->bytes(), words);
    settings.inet6 = address->family() == millrace::base::Family::Inet6 ? 1 : 0;
    bpf_map_update_elem(map_of(object, "destinations"), &index, words, BPF_ANY);
  }
}

// Each call costs milliseconds before its first frame, so it is told to repeat often.
void generate(bpf_object* object, double seconds, std::size_t length) {
  std::vector<std::uint8_t> frame(length);
  bpf_test_run_opts options = {};
  options.sz = sizeof options;
  options.data_in = frame.data();
  options.data_size_in = static_cast<std::uint32_t>(frame.size());
  options.repeat = 1 << 18;
  options.flags = BPF_F_TEST_XDP_LIVE_FRAMES;
  options.batch_size = 64;
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (bpf_prog_test_run_opts(program_of(object, "generate"), &options) != 0) {
      die("run the generator");
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%llu %.6f\n", static_cast<unsigned long long>(count(object)), took.count());
}

void stand(bpf_object* object, int program, std::uint32_t device) {
  bpf_link_create_opts options = {};
  options.sz = sizeof options;
  options.flags = XDP_FLAGS_DRV_MODE;
  if (bpf_link_create(program, static_cast<int>(device), BPF_XDP, &options) < 0) {
    die("attach");
  }
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%llu\n", static_cast<unsigned long long>(count(object)));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    std::fprintf(stderr, "usage: traffic generate|sink|redirect DEVICE …\n");
    return 2;
  }
  bpf_object* object = bpf_object__open_file(MILLRACE_TRAFFIC_OBJECT, nullptr);
  if (object == nullptr || bpf_object__load(object) != 0) {
    die("load the programs");
  }
  const std::uint32_t device = if_nametoindex(words[1].c_str());
  Settings settings;
  settings.device = device;
  if (words[0] == "sink") {
    stand(object, program_of(object, "sink"), device);
  } else if (words[0] == "redirect" && words.size() == 5) {
    const std::uint32_t zero = 0;
    const std::uint32_t out = if_nametoindex(words[2].c_str());
    set_mac(settings.to, words[3]);
    set_mac(settings.from, words[4]);
    store(object, settings);
    bpf_map_update_elem(map_of(object, "way"), &zero, &out, BPF_ANY);
    stand(object, program_of(object, "redirect"), device);
  } else if (words[0] == "generate" && words.size() == 9) {
    set_mac(settings.to, words[2]);
    set_mac(settings.from, words[3]);
    settings.length = static_cast<std::uint32_t>(std::stoul(words[4]));
    settings.random = words[7] == "random" ? 1 : 0;
    settings.destinations = static_cast<std::uint32_t>(std::stoul(words[8]));
    load_destinations(object, words[6], settings);
    store(object, settings);
    generate(object, std::stod(words[5]), settings.length);
  }
  return 0;
}
