// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/netlink_socket.h"

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <format>
#include <system_error>

#include "base/check.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;

constexpr int kDumpAttempts = 8;

std::unexpected<base::Error> netlink_failed(std::string_view action, int code) {
  return fail(Code::Io,
              std::format("cannot {} the netlink socket: {}", action, ::nl_geterror(code)));
}

// Attributes of an NLMSG_ERROR follow the copy of the request, which NETLINK_CAP_ACK cuts down to
// its header (net/netlink/af_netlink.c: netlink_ack).
std::string extended_message(const nlmsgerr& error) {
  const auto* const answer =
      reinterpret_cast<const nlmsghdr*>(reinterpret_cast<const char*>(&error) - NLMSG_HDRLEN);
  if ((answer->nlmsg_flags & NLM_F_ACK_TLVS) == 0) {
    return {};
  }
  std::size_t offset = NLMSG_HDRLEN + sizeof(nlmsgerr);
  if ((answer->nlmsg_flags & NLM_F_CAPPED) == 0) {
    offset += error.msg.nlmsg_len - sizeof(nlmsghdr);
  }
  if (offset >= answer->nlmsg_len) {
    return {};
  }
  const auto* const first =
      reinterpret_cast<const nlattr*>(reinterpret_cast<const char*>(answer) + NLMSG_ALIGN(offset));
  const nlattr* const found =
      ::nla_find(first, static_cast<int>(answer->nlmsg_len - offset), NLMSGERR_ATTR_MSG);
  return found == nullptr ? std::string()
                          : std::string(static_cast<const char*>(::nla_data(found)));
}

int on_error(sockaddr_nl*, nlmsgerr* error, void* argument) {
  auto& answer = *static_cast<NetlinkAnswer*>(argument);
  answer.error = -error->error;
  answer.message = extended_message(*error);
  return NL_STOP;
}

int on_finish(nl_msg*, void* argument) {
  *static_cast<bool*>(argument) = true;
  return NL_STOP;
}

int on_valid(nl_msg* message, void* argument) {
  const auto& visit = *static_cast<const std::function<void(const nlmsghdr&)>*>(argument);
  visit(*::nlmsg_hdr(message));
  return NL_OK;
}

struct FreeCallbacks {
  void operator()(nl_cb* callbacks) const { ::nl_cb_put(callbacks); }
};
using Callbacks = std::unique_ptr<nl_cb, FreeCallbacks>;

Callbacks make_callbacks(NetlinkAnswer& answer, bool& finished) {
  Callbacks callbacks(::nl_cb_alloc(NL_CB_DEFAULT));
  base::check(callbacks != nullptr, "no memory for netlink callbacks");
  ::nl_cb_err(callbacks.get(), NL_CB_CUSTOM, on_error, &answer);
  ::nl_cb_set(callbacks.get(), NL_CB_ACK, NL_CB_CUSTOM, on_finish, &finished);
  ::nl_cb_set(callbacks.get(), NL_CB_FINISH, NL_CB_CUSTOM, on_finish, &finished);
  return callbacks;
}

}  // namespace

NetlinkMessage::NetlinkMessage(std::uint16_t type, std::uint16_t flags)
    : message_(::nlmsg_alloc_simple(type, flags)) {
  base::check(message_ != nullptr, "no memory for a netlink message");
}

void NetlinkMessage::Free::operator()(nl_msg* message) const {
  ::nlmsg_free(message);
}

NetlinkMessage& NetlinkMessage::append(const void* value, std::size_t size) {
  base::check(::nlmsg_append(message_.get(), const_cast<void*>(value), size, NLMSG_ALIGNTO) == 0,
              "a netlink message is too small for its header");
  return *this;
}

NetlinkMessage& NetlinkMessage::bytes(int attribute, std::span<const std::uint8_t> value) {
  base::check(
      ::nla_put(message_.get(), attribute, static_cast<int>(value.size()), value.data()) == 0,
      "a netlink message is too small for its attributes");
  return *this;
}

NetlinkMessage& NetlinkMessage::bare_text(int attribute, std::string_view value) {
  return bytes(attribute, {reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
}

NetlinkMessage& NetlinkMessage::text(int attribute, std::string_view value) {
  const std::string closed(value);
  return bare_text(attribute, {closed.c_str(), closed.size() + 1});
}

NetlinkMessage& NetlinkMessage::number8(int attribute, std::uint8_t value) {
  return bytes(attribute, {&value, 1});
}

NetlinkMessage& NetlinkMessage::number16(int attribute, std::uint16_t value) {
  return bytes(attribute, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

NetlinkMessage& NetlinkMessage::number32(int attribute, std::uint32_t value) {
  return bytes(attribute, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

NetlinkMessage& NetlinkMessage::nested(int attribute,
                                       const std::function<void(NetlinkMessage&)>& fill) {
  nlattr* const start = ::nla_nest_start(message_.get(), attribute);
  base::check(start != nullptr, "a netlink message is too small for its attributes");
  fill(*this);
  ::nla_nest_end(message_.get(), start);
  return *this;
}

std::string NetlinkAnswer::to_string() const {
  const std::string text = std::generic_category().message(error);
  return message.empty() ? text : std::format("{}: {}", text, message);
}

void NetlinkSocket::Free::operator()(nl_sock* socket) const {
  ::nl_socket_free(socket);
}

base::Result<NetlinkSocket> NetlinkSocket::open() {
  NetlinkSocket opened;
  opened.socket_.reset(::nl_socket_alloc());
  base::check(opened.socket_ != nullptr, "no memory for a netlink socket");
  nl_sock* const socket = opened.socket_.get();
  if (const int code = ::nl_connect(socket, NETLINK_ROUTE); code < 0) {
    return netlink_failed("open", code);
  }
  if (const int code = ::nl_socket_set_buffer_size(socket, 1 << 20, 1 << 18); code < 0) {
    return netlink_failed("size", code);
  }
  // Words in addition to numbers, and dumps of one device; kernels since 4.20 have all of them.
  const int on = 1;
  for (const int option : {NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK}) {
    if (::setsockopt(::nl_socket_get_fd(socket), SOL_NETLINK, option, &on, sizeof on) != 0) {
      return fail(Code::Io, std::format("cannot prepare the netlink socket: {}",
                                        std::generic_category().message(errno)));
    }
  }
  return opened;
}

base::Result<NetlinkAnswer> NetlinkSocket::request(const NetlinkMessage& message) {
  if (const int code = ::nl_send_auto(socket_.get(), message.get()); code < 0) {
    return netlink_failed("write to", code);
  }
  NetlinkAnswer answer;
  bool finished = false;
  const Callbacks callbacks = make_callbacks(answer, finished);
  while (!finished && answer.error == 0) {
    const int code = ::nl_recvmsgs(socket_.get(), callbacks.get());
    if (code < 0 && answer.error == 0) {
      return netlink_failed("read from", code);
    }
  }
  return answer;
}

base::Result<void> NetlinkSocket::dump(const NetlinkMessage& message,
                                       const std::function<void()>& restart,
                                       const std::function<void(const nlmsghdr&)>& visit) {
  for (int attempt = 0; attempt < kDumpAttempts; ++attempt) {
    restart();
    // The library numbers a message once; a repeated one needs a new number to match its answers.
    ::nlmsg_hdr(message.get())->nlmsg_seq = NL_AUTO_SEQ;
    if (const int code = ::nl_send_auto(socket_.get(), message.get()); code < 0) {
      return netlink_failed("write to", code);
    }
    NetlinkAnswer answer;
    bool finished = false;
    bool torn = false;
    const Callbacks callbacks = make_callbacks(answer, finished);
    ::nl_cb_set(callbacks.get(), NL_CB_VALID, NL_CB_CUSTOM, on_valid,
                const_cast<void*>(static_cast<const void*>(&visit)));
    while (!finished && answer.error == 0) {
      const int code = ::nl_recvmsgs(socket_.get(), callbacks.get());
      if (code == -NLE_DUMP_INTR) {
        torn = true;
      } else if (code < 0 && answer.error == 0) {
        return netlink_failed("read from", code);
      }
    }
    if (answer.error != 0) {
      return fail(Code::Io, std::format("the kernel refused a dump: {}", answer.to_string()));
    }
    if (!torn) {
      return {};
    }
  }
  return fail(Code::Io, std::format("{} dumps in a row were torn by changes", kDumpAttempts));
}

}  // namespace millrace::system
