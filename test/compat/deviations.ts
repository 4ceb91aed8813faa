/** Where we answer otherwise than another system of the family, or can't do what a client does. */

export interface Deviation {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    title: 'Empty lists and unknown dates',
    text: `Lists are \`[]\`, never null. A date that does not exist is null, not \`""\`: the
strictest client (Rust) takes null or ISO 8601.`,
  },
  {
    title: 'How lists end',
    text: `\`GET /data/orders\` ends with \`next_cursor: ""\`, but with \`LTE=\` for the
User-Agents \`@polymarket/clob-client\`, \`py_clob_client\` and \`rs_clob_client\`, which would
start again otherwise. A request whose \`next_cursor\` is there but empty gets an empty page
that says \`LTE=\`. All other lists end with \`LTE=\`. A cursor that is not the base64 of an
offset is refused, and so is \`LTE=\`.`,
  },
  {
    title: 'Times of trades',
    text: `\`match_time\` and \`last_update\` are ISO 8601, and Unix seconds as text for the
User-Agent \`rs_clob_client\`, which reads nothing else.`,
  },
  {
    title: 'GET /markets without next_cursor',
    text: `Two systems have this path; here the presence of \`next_cursor\` tells them apart.
The Rust clients ask for their first page without any query and with the same User-Agent for
both, so they get the catalog form from the bare host. They need the path prefix \`/clob\`, or
\`MA==\` as their first cursor. With a prefix (\`/clob\`, \`/gamma\`, \`/data\`) signatures are
good for the path with it and without it.`,
  },
  {
    title: 'Sampling markets',
    text: `\`/sampling-markets\` and \`/sampling-simplified-markets\` list the markets that pay
for resting orders. None does here, and bots take their markets from there, so they list all
that accept orders, each with empty \`rewards\`.`,
  },
  {
    title: 'Read-only keys',
    text: `Published clients read \`apiKey\` alone of a new read-only key, with which nothing
can be signed. The answer has \`secret\` and \`passphrase\` beside it. Such a key may call GET
routes with L2 headers; all else is 403 \`read_only_key\`.`,
  },
  {
    title: 'Heartbeats',
    text: `The first beat arms; each later one carries the id of the last answer. Without a beat
for 15 seconds (\`--heartbeat-window-seconds\`) all live orders of the owner are cancelled. A
beat without an id when armed counts as a beat, for the bot was restarted. A wrong id is 400
with the right one beside it.`,
  },
  {
    title: 'Orders that are sent again',
    text: `Others refuse a repeated order. Here the same signed order is answered with its
result as it stands and \`"duplicate": true\`, at any distance in time and after a restart, and
is never matched twice. The same order with another type, expiration or post-only is refused
with the wording clients know.`,
  },
  {
    title: 'Delayed orders',
    text: `In a market with a delay, an order that would trade is answered at once, as
\`delayed\` with \`releaseAt\`; one family answers when the delay is over. It is listed as
\`delayed\` until then, can't be canceled meanwhile (\`not_canceled\` says so), and becomes
\`live\`, \`matched\` or \`unmatched\`. What came of it is told by \`GET /data/order/{id}\`, by
the same order sent again, and by a notification. The owner's dead man's switch leaves it too,
but what it does not match then does not rest. An owner has at most 500 of them at a time.`,
  },
  {
    title: 'Sizes and market orders',
    text: `Sizes are whole steps of 0.01 token and cash is exact, so nothing is rounded. A GTC
or GTD order off its grid is refused. A FOK or FAK BUY spends at most its cash on whole steps
and is complete when what is left buys none; \`POST /debug/order\` shows the nearest amounts.`,
  },
  {
    title: 'Fees',
    text: `Where a market charges, fees are paid in cash: on top of what a BUY spends, also on
top of a budget, and out of what a SELL gets. So a client that lowers its amount to a known
balance (\`userUSDCBalance\`) is taken at its word. It knows neither a builder's share, which
raises the fees, nor a maker's rate above the taker's: with those it needs some cash more.`,
  },
  {
    title: 'Errors',
    text: `Texts are worded as the family of the auth headers expects (\`POLY_\`, or \`KUEST_\`
and \`SERVICE_\`); \`code\` is the same for all. Every success is exactly 200, but for \`POST
/data/orders\` and \`POST /data/volumes\` (207). What is out of its bounds is refused, never
clamped. An unknown id in \`GET /data/order/{id}\` is 404, not \`null\` with 200.`,
  },
  {
    title: 'Which price is BUY',
    text: `\`side=BUY\` of \`/price\` and \`/prices\` is the best ask, as the Kuest clients mean
it; \`--price-side-meaning polymarket\` turns it round.`,
  },
  {
    title: 'Price histories',
    text: `\`interval=1m\` is a minute; \`--history-1m month\` makes it a month, as Polymarket
means it.`,
  },
  {
    title: 'Clients of the first version (v1)',
    text: `Orders of 12 fields are taken as those of 11 are, signed for the contracts of their
time. Any fee rate may be signed into them: what is charged is what \`/fee-rate\` says when the
order is accepted. \`/version\` says 2: no client of version 1 asks for it.`,
  },
  {
    title: 'Rust clients',
    text: `They fail on a missing key or a wrong type, so order results always have all keys,
\`owner\` is a UUID everywhere, and \`transaction_hash\` is there from the beginning. They ask
\`GET /last-trades-prices\` with a body. They start heartbeats by themselves where that feature
is on. The crates are not run by these tests: what they need of shapes is what wire 0.15 and 1
say of them.`,
  },
  {
    title: 'Wallets',
    text: `There is no chain to ask. Proxy and Safe wallets are derived from their owner; a
deposit wallet is bound to whoever signs its first order that is accepted, for good, or by the
operator alone under \`--strict\`. Allowances are without limit.`,
  },
  {
    title: 'Books',
    text: `\`POST /books\` sends both sides of a book, also to an item with a \`side\`: with one
side the hash would not be the book's.`,
  },
  {
    title: 'Trades',
    text: `\`status\` is always \`CONFIRMED\`: a trade is shown when it is on the disk, and nothing
settles elsewhere. \`journal_seq\` is ours: with it anyone can compute \`id\` and
\`transaction_hash\` (http/receipts.md).`,
  },
  {
    title: 'What others may see',
    text: `\`owner\` in \`/builder/trades\` and \`POST /data/orders\` is the nil UUID unless the
key is the caller's own, and the orders of the latter come without their trades.`,
  },
  {
    title: 'Cancels sent twice',
    text: `\`DELETE /cancel-all\` and \`/cancel-market-orders\` are carried out each time.`,
  },
  {
    title: 'The prefix /data',
    text: `\`/data/orders\`, \`/data/order/{id}\` and \`/data/trades\` are always the order book's
own routes. The analytics' \`GET /trades\` is not behind that prefix.`,
  },
  {
    title: 'What is not served',
    text: `Requests for quotes (\`/rfq/...\`): \`/rfq/config\` says \`enabled: false\` and the
rest is 404 \`rfq_disabled\`. Rewards and rebates: nobody pays any, so all their lists are
empty.`,
  },
];
