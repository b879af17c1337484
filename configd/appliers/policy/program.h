// SPDX-License-Identifier: GPL-2.0-or-later
//
// A route-map while it is made: entries with labels to jump to. FRR evaluates entries in order; one
// that matches applies what it sets and then accepts, rejects or goes on at a later entry. That is
// enough for any program without loops, so whatever a policy needs (negations, subroutines, changes
// in a certain order) becomes entries and jumps forward.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "appliers/frr_object.h"

namespace millrace::appliers::policy {

// Where evaluation goes on: Accept, Reject, or a place in the program.
struct Label {
  int number = 0;
  bool operator==(const Label&) const = default;
};
inline constexpr Label kAccept{-1};
inline constexpr Label kReject{-2};

class Program {
 public:
  Label label();
  // What comes next is there; it is reached when something before jumps or runs into it.
  void place(Label at);
  // Whether evaluation ever comes to what is added next.
  bool reached() const { return reached_; }

  // When all `matches` hold ("match …"), applies `sets` ("set …") and goes on at `target`; else
  // falls through. Nothing is added where evaluation never comes.
  void add(std::vector<std::string> matches, std::vector<std::string> sets, Label target);
  // Goes on at `target`.
  void jump(Label target);

  // Requires: every label used is placed.
  std::size_t size();
  // The lines of the route-map. Requires: size() is at most 65535.
  FrrObject render(std::string_view name);
  // The same without a name, to be hashed.
  std::string text();

 private:
  struct Entry {
    std::vector<std::string> matches;
    std::vector<std::string> sets;
    Label target;
  };
  void settle();  // the pending jump becomes an entry
  std::vector<std::string> body(std::size_t index) const;

  std::vector<Entry> entries_;
  std::vector<std::size_t> places_;  // by label: the entry it stands before
  std::vector<bool> used_;
  std::optional<Label> pending_;
  bool reached_ = true;
};

}  // namespace millrace::appliers::policy
