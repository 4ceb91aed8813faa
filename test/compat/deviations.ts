/** Answers that differ from another system of the family, and calls that can't be served. */

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
    title: 'Dialects',
    text: `Two public venues have this interface. Where they differ, the family of a request's
auth headers decides which of them the answer follows, and without auth headers the setting
\`--dialect\`: how analytics name tokens, the times of trades, the end of \`GET /data/orders\`,
which price is \`BUY\`, a \`limit\` above 100 of a catalog list, \`interval=1m\`, and the
sentences of errors. [One table](http/wire/0-ground-rules.md#014-dialects) lists all of it.`,
  },
  {
    title: 'How lists end',
    text: `Lists end with \`next_cursor: "LTE="\`. In the dialect \`kuest\`, \`GET
/data/orders\` ends with \`""\`, unless the User-Agent is \`@polymarket/clob-client\`,
\`py_clob_client\` or \`rs_clob_client\`, which would otherwise start again. A request with an
empty \`next_cursor\` gets an empty page with \`LTE=\`. A cursor that is not the base64 of an
offset is refused, and so is \`LTE=\`.`,
  },
  {
    title: 'GET /markets without next_cursor',
    text: `Two systems have this path; the presence of \`next_cursor\` tells them apart. The
Rust clients request their first page without a query and with the same User-Agent for both, so
they get the catalog form from the bare host. Give them the path prefix \`/clob\`, or \`MA==\`
as their first cursor. With a prefix (\`/clob\`, \`/gamma\`, \`/data\`, \`/data-api\`) a
signature is valid for the path with it and without it.`,
  },
  {
    title: 'Sampling markets',
    text: `\`/sampling-markets\` and \`/sampling-simplified-markets\` list the markets that
pay for resting orders. No market does here. Bots find their markets there, so the lists
contain all markets that accept orders, each with empty \`rewards\`.`,
  },
  {
    title: 'Read-only keys',
    text: `Published clients read only \`apiKey\` of a new read-only key, which is not enough
to sign. The answer also has \`secret\` and \`passphrase\`. Such a key may call GET routes
with L2 headers; everything else is 403 \`read_only_key\`.`,
  },
  {
    title: 'Heartbeats',
    text: `The first beat arms the switch; each later one carries the id of the last answer.
Without a beat for 15 seconds (\`--heartbeat-window-seconds\`) all live orders of the owner
are cancelled. A beat without an id counts when the switch is armed, because the bot may have
been restarted. A wrong id is answered 400 with the right id.`,
  },
  {
    title: 'Orders that are sent again',
    text: `Other venues refuse a repeated order. Here the same signed order is answered with
its current result and \`"duplicate": true\`, however late it comes, also after a restart, and
is never matched twice. The same order with another type, expiration or post-only is refused
in the wording that clients know.`,
  },
  {
    title: 'Delayed orders',
    text: `In a market with a delay, an order that would trade is answered at once as
\`delayed\` with \`releaseAt\`; another venue answers when the delay is over. It is listed as
\`delayed\` until then, can't be canceled meanwhile (\`not_canceled\` says so), and becomes
\`live\`, \`matched\` or \`unmatched\`. \`GET /data/order/{id}\`, the same order sent again,
and a notification show the result. The owner's dead man's switch leaves it too, but what it
then does not match does not rest. An owner has at most 500 of them at a time.`,
  },
  {
    title: 'Sizes and market orders',
    text: `Sizes are whole steps of 0.01 token and cash is exact, so nothing is rounded. A GTC
or GTD order off its grid is refused. A FOK or FAK BUY spends at most its cash on whole steps
and is complete when what is left buys none; \`POST /debug/order\` shows the nearest amounts.`,
  },
  {
    title: 'Fees',
    text: `Where a market charges fees, they are paid in cash: on top of what a BUY spends,
also on top of a budget, and out of what a SELL receives. So a client that lowers its amount
to a known balance (\`userUSDCBalance\`) is accepted. Such a client knows neither a builder's
share, which raises the fees, nor a maker's rate above the taker's: with those it needs a
little more cash.`,
  },
  {
    title: 'Errors',
    text: `Texts are worded by dialect; \`code\` is the same for all. Every success is exactly
200, except \`POST /data/orders\` and \`POST /data/volumes\` (207). A value out of bounds is
refused, except where a dialect clamps the \`limit\` of a catalog list. An unknown id in \`GET
/data/order/{id}\` is 404, not \`null\` with 200.`,
  },
  {
    title: 'Clients of the first version (v1)',
    text: `Orders of 12 fields are accepted like those of 11, signed for the contracts of
their time. Any fee rate may be signed into them: the fee is what \`/fee-rate\` says when the
order is accepted. \`/version\` says 2: no client of version 1 asks for it.`,
  },
  {
    title: 'Rust clients',
    text: `They fail on a missing key or a wrong type, so order results always have all keys,
\`owner\` is a UUID everywhere, and \`transaction_hash\` is there from the beginning. They ask
\`GET /last-trades-prices\` with a body. They start heartbeats by themselves where that
feature is on. These tests do not run the crates; wire 0.15 and 1 state the shapes that they
need.`,
  },
  {
    title: 'Wallets',
    text: `There is no chain to query. Proxy and Safe wallets are derived from their owner. A
deposit wallet is bound permanently to the signer of its first accepted order, or by the operator
alone under \`--strict\`. Allowances are unlimited.`,
  },
  {
    title: 'Books',
    text: `\`POST /books\` returns both sides of a book, also for an item with a \`side\`: the
hash covers both sides.`,
  },
  {
    title: 'Trades',
    text: `\`status\` is always \`CONFIRMED\`: a trade is shown when it is on the disk, and
nothing settles elsewhere. Only a fault of the sandbox tells another. \`journal_seq\` exists only
here: with it anyone can compute \`id\` and \`transaction_hash\`
([receipts](http/orders/receipts.md)).`,
  },
  {
    title: 'What other clients may see',
    text: `\`owner\` in \`/builder/trades\` and \`POST /data/orders\` is the nil UUID unless
the key is the caller's own, and the orders of the latter come without their trades.`,
  },
  {
    title: 'Cancels sent twice',
    text: `\`DELETE /cancel-all\` and \`/cancel-market-orders\` are carried out each time.`,
  },
  {
    title: 'The prefix /data',
    text: `\`/data/orders\` and \`/data/order/{id}\` are always the order book's own routes.
\`GET /data/trades\` is the caller's own trades with any auth header, and the \`GET /trades\` of
the analytics without. \`/clob/data/trades\` and \`/data-api/trades\` leave no doubt.`,
  },
  {
    title: 'What is not served',
    text: `Requests for quotes (\`/rfq/...\`): \`/rfq/config\` says \`enabled: false\` and the
rest is 404 \`rfq_disabled\`. Rewards and rebates: none are paid, so all their lists are
empty.`,
  },
];
