/** Answers that differ from another system of the family, and calls that can't be served. */

export interface Deviation {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    title: 'GET /markets without next_cursor',
    text: `The Rust clients request their first page without a query and get the catalog form
from the bare host. Give them the path prefix \`/clob\`, or \`MA==\` as their first cursor
([0.4](http/wire/0-ground-rules.md#04-two-forms-of-get-markets)).`,
  },
  {
    title: 'Sampling markets',
    text: `\`/sampling-markets\` and \`/sampling-simplified-markets\` list the markets that pay for
resting orders. No market does here, so they list all markets that accept orders, each with empty
\`rewards\`.`,
  },
  {
    title: 'Read-only keys',
    text: `Published clients read only \`apiKey\` of a new read-only key, which is not enough to
sign. The answer also has \`secret\` and \`passphrase\`.`,
  },
  {
    title: 'Orders that are sent again',
    text: `Other venues refuse a repeated order. Here it is answered with its current result and
\`"duplicate": true\` ([3.8](http/wire/3-signed-orders.md#38-repeated-orders)).`,
  },
  {
    title: 'Delayed orders',
    text: `In a market with a delay, the answer to an order that would trade waits for the
end of the delay, or is \`delayed\` at once, as the [profile](docs/profiles.md) says
([9.8](http/wire/9-matching-and-fees.md#98-delays)).`,
  },
  {
    title: 'Fees',
    text: `Fees are paid in cash: on top of what a BUY spends, also on top of a budget, and out of
what a SELL receives. A client that lowers its amount to a known balance (\`userUSDCBalance\`) is
accepted. It knows neither a builder's share, which raises the fees, nor a maker's rate above the
taker's: with those it needs a little more cash.`,
  },
  {
    title: 'Unknown orders',
    text: `An unknown id in \`GET /data/order/{id}\` is 404, not \`null\` with 200.`,
  },
  {
    title: 'Clients of the first version (v1)',
    text: `Orders of 12 fields are accepted like those of 11, signed for the contracts of their
time. Any fee rate may be signed into them: the fee is what \`/fee-rate\` says when the order is
accepted.`,
  },
  {
    title: 'Rust clients',
    text: `They fail on a missing key or a wrong type
([0.15](http/wire/0-ground-rules.md#015-strict-clients)), and start heartbeats by themselves where
that feature is on. The tests do not run the crates, but check answers, full and empty ones, against
the fields of their types (\`test/compat/clients/rust-types.json\`), and send what each of their
methods sends (\`test/compat/clients/client-requests.json\`). \`readonly_api_keys\` of the second
version reads an object in place of the list that all others read, and fails.`,
  },
  {
    title: 'Python clients',
    text: `\`py-clob-client\`, \`py-clob-client-v2\` and \`py-sdk\` cannot run in the tests. These
send what each of their methods sends, and check the fields that it reads
(\`test/compat/clients/client-requests.json\`).`,
  },
  {
    title: 'The official SDK after 0.2.0',
    text: `Its newest public source, 0.12.0, is not on npm. The tests check answers and stream
messages, full and empty ones, against the fields that it requires
(\`test/compat/clients/sdk-fields.json\`). It knows no reaction to a comment but \`HEART\`, and
fails on a list with one of the other kinds that this exchange accepts.`,
  },
  {
    title: 'Wallets',
    text: `There is no chain to query. Wallets are derived from their owner as those of the public
venue and of Kuest are; other factories can be listed (\`--wallets\`). A deposit wallet of another
factory is bound to the signer of its first accepted order, or by the operator alone under
\`--strict\`. Allowances are unlimited.`,
  },
  {
    title: 'Trades',
    text: `\`status\` is always \`CONFIRMED\`: nothing settles elsewhere. With \`journal_seq\`
anyone can compute \`id\` and \`transaction_hash\` ([receipts](http/orders/receipts.md)).`,
  },
  {
    title: 'Routes of one site',
    text: `The Kuest site calls routes that no client package has. Besides \`GET /volume\` they are
404 \`route_unknown\` here: \`/v1/biggest-winners\` and \`/user-pnl\` (no document says what they
answer; \`/v1/leaderboard\` ranks accounts by their profit), \`/builder/volume\`
(\`/v1/builders/volume\` has the days of all builders), \`/profile/username-availability\` (names
need not be unique, so every name is available), and \`/fees/...\`, \`/referrers\` and \`/other\`
(the site's own programs and outcomes, which do not exist here).`,
  },
  {
    title: 'Cancels sent twice',
    text: `\`DELETE /cancel-all\` and \`/cancel-market-orders\` are carried out each time.`,
  },
];
