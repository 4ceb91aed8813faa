// The operations of a workload in liquibook's OrderBook. liquibook.ts builds this program and
// writes the operations to its standard input: for each round their number, and then the records.
// The program answers each round with its speed, and a round of no operations with the levels.
// A book of liquibook keeps pointers to orders and finds them by price, so a venue that uses it
// needs a table from ids to orders: the one here.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "book/order_book.h"

namespace {

namespace book = liquibook::book;

enum Kind : uint32_t { GTC = 0, FAK = 1, FOK = 2, CANCEL = 3 };

// As liquibook.ts writes it, in the byte order of x86 and ARM.
struct Record {
  uint64_t id;
  uint32_t price;
  uint32_t lots;
  uint32_t kind;
  uint32_t is_bid;
};
static_assert(sizeof(Record) == 24, "a record has 24 bytes");

class Order {
 public:
  explicit Order(const Record& record)
      : id(record.id), price_(record.price), lots_(record.lots), is_bid_(record.is_bid != 0) {}

  bool is_limit() const { return true; }
  bool is_buy() const { return is_bid_; }
  bool all_or_none() const { return false; }
  bool immediate_or_cancel() const { return false; }
  book::Price price() const { return price_; }
  book::Price stop_price() const { return 0; }
  book::Quantity order_qty() const { return lots_; }

  const uint64_t id;

 private:
  uint32_t price_;
  uint32_t lots_;
  bool is_bid_;
};

[[noreturn]] void fail(const char* what, uint64_t id) {
  std::fprintf(stderr, "order %016llx %s\n", static_cast<unsigned long long>(id), what);
  std::exit(1);
}

class Venue : public book::OrderBook<Order*> {
 public:
  void call(const Record& record) {
    if (record.kind == CANCEL) cancel_by_id(record.id);
    else place(record);
  }

 protected:
  void on_fill(Order* const&, Order* const& maker, book::Quantity, book::Cost,
               bool is_taker_filled, bool is_maker_filled) override {
    is_taker_filled_ = is_taker_filled;
    if (is_maker_filled) orders_.erase(maker->id);
  }

 private:
  void place(const Record& record) {
    const auto [entry, is_new] = orders_.try_emplace(record.id, record);
    if (!is_new) fail("is there already", record.id);
    is_taker_filled_ = false;
    add(&entry->second, conditions(record.kind));
    if (is_taker_filled_) orders_.erase(entry);
    else if (record.kind != GTC) fail("was not filled", record.id);
  }

  void cancel_by_id(uint64_t id) {
    const auto entry = orders_.find(id);
    if (entry == orders_.end()) fail("is not there", id);
    cancel(&entry->second);
    orders_.erase(entry);
  }

  static book::OrderConditions conditions(uint32_t kind) {
    if (kind == FAK) return book::oc_immediate_or_cancel;
    return kind == FOK ? book::oc_fill_or_kill : book::oc_no_conditions;
  }

  std::unordered_map<uint64_t, Order> orders_;
  bool is_taker_filled_ = false;
};

// Operations a second. Records of a batch are read before the clock starts, as ours are prepared.
double run_round(Venue& venue, const std::vector<Record>& records) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t BATCH = 512;
  Record batch[BATCH];
  Clock::duration taken{};
  for (size_t at = 0; at < records.size(); at += BATCH) {
    const size_t count = std::min(BATCH, records.size() - at);
    std::memcpy(batch, &records[at], count * sizeof(Record));
    const auto start = Clock::now();
    for (size_t i = 0; i < count; i += 1) venue.call(batch[i]);
    taken += Clock::now() - start;
  }
  return static_cast<double>(records.size()) / std::chrono::duration<double>(taken).count();
}

// The levels of a side as `price:lots`, the best first.
template <class Orders>
std::string levels(const Orders& orders) {
  std::string text;
  for (auto at = orders.begin(); at != orders.end();) {
    const uint64_t price = at->first.price();
    uint64_t lots = 0;
    for (; at != orders.end() && at->first.price() == price; ++at) lots += at->second.open_qty();
    if (!text.empty()) text += ' ';
    text += std::to_string(price) + ':' + std::to_string(lots);
  }
  return text;
}

}  // namespace

int main() {
  Venue venue;
  std::vector<Record> records;
  for (uint32_t count = 0; std::fread(&count, sizeof(count), 1, stdin) == 1;) {
    if (count == 0) {
      const std::string bids = levels(venue.bids());
      std::printf("{\"depth\":\"%s | %s\"}\n", bids.c_str(), levels(venue.asks()).c_str());
    } else {
      records.resize(count);
      if (std::fread(records.data(), sizeof(Record), count, stdin) != count) {
        std::fprintf(stderr, "the input ends within a round\n");
        return 1;
      }
      std::printf("{\"perSecond\":%.0f}\n", run_round(venue, records));
    }
    std::fflush(stdout);
  }
}
