/**
 * The layers of the code, as rules for dependency-cruiser (`npm run layers`, part of
 * `npm run check`). A room is a folder of sources with one concept. Type imports count like all
 * others.
 *
 * Rules: no import cycles; a room imports only rooms above it in ROOMS; code outside a room that has
 * an index.ts, its public face, imports nothing else of it; only `venue/plots.ts` imports an optional
 * plot; the product never imports `bench`, `deploy` or `test`. These may import any file.
 */
import { existsSync } from 'node:fs';

/** The plots: the top-level folders of the product. */
const PRODUCT = '^(engine|persistence|catalog|http|sandbox|console|cluster|venue|cli)/';

/** The optional plots: folders that only their own line of `venue/plots.ts` imports. */
const OPTIONAL = ['catalog/sync', 'cluster', 'console', 'http/tracing', 'sandbox'];
const PLOTS_FILE = '^venue/plots\\.ts$';

/**
 * Every room, the lowest layer first. A room imports only rooms that stand above it here. The head
 * of its index.ts says what it is; rooms without one have a comment here.
 */
export const ROOMS = [
  'engine/model',
  'engine/book',
  // How fees are computed (wire 9.9, docs/decisions/0002-money-in-integers.md).
  'engine/fees',
  // The mutable state of the engine, and the checks and changes that several commands share.
  'engine/state',
  // Counts what streams number: the steps of each market and of each owner
  // (http/streams/streams.md).
  'engine/steps',
  // Read-only views of the state.
  'engine/views',
  // Accounts and their owners: opening accounts, API keys, the fee account, dismissed
  // notifications, and the checks of who may act for an account and trade with it.
  'engine/accounts',
  // The life of an order.
  'engine/orders',
  // Commands that move money and tokens outside of trading: deposit and withdraw, split and merge,
  // convert, redeem, and the terms of builders.
  'engine/money',
  // What the operator does with markets, in the order of a market's life: create it, change its
  // terms, pause it, open a neg-risk event, close and resolve.
  'engine/markets',
  'engine/snapshot',
  'engine',
  'persistence/shared',
  'persistence/threads',
  // Payloads: the form in which the journal stores a command with its evidence.
  'persistence/rows',
  // The journal: the durable log of every command that changed something, in `journal.db` and its
  // archives.
  'persistence/journal',
  // Recovery: applies the journal's commands after a snapshot, or all of them, by the same `apply`
  // as live commands, and compares the resulting fills with the stored ones.
  'persistence/recovery',
  // The data folder: the names of its files, its lock and its secrets.
  'persistence/folder',
  // Snapshots of the whole state, and the follower: a thread that replays the durable journal in
  // an engine of its own to write snapshots and to make audits, so that the matching thread does
  // neither.
  'persistence/snapshots',
  // What accounts hold, paid and won: the tables `positions`, `activities`, `market_states` and
  // `account_totals` of analytics.db.
  'persistence/projection/positions',
  // The projector: a thread that replays the durable journal and fills analytics.db.
  'persistence/projection',
  // The read-only connection to analytics.db that all reads share: prepared statements, the keys
  // that stand for names, and searches of trades.
  'persistence/reads/tables',
  'persistence/reads/records',
  'persistence/reads/analytics',
  // Reads of the explorer: commands as they were journaled with what they did, and what belongs to
  // one order, account or market.
  'persistence/reads/explorer',
  // All reads of analytics.db, answered by threads of their own over read-only connections.
  'persistence/reads',
  'catalog/model',
  // Rows of the catalog as JSON text (wire 8), and the writer of texts with slots.
  'catalog/json',
  // Records of the public catalog's JSON form (wire 8): a schema for each kind, the identities of
  // records that come without one, and the splitter that cuts files into records.
  'catalog/records',
  // The search index of the catalog (SQLite's FTS5) and the matching of words against it.
  'catalog/search',
  // What people add to the catalog: comments, reactions and profiles of account holders, and the
  // operator's edits of records, with a log of the operator's actions.
  'catalog/content',
  'catalog/schema',
  // The queries of the catalog, answered by its reader threads: lists of markets and events,
  // single records, comments and searches.
  'catalog/queries',
  // How records enter the catalog: imports of files, pages of a sync, the operator's additions,
  // and placeholders for markets that the catalog lost.
  'catalog/intake',
  // Reads of the catalog by the main thread itself, without a reader thread.
  'catalog/lookup',
  // The catalog: descriptions and pictures of events and markets, comments and profiles, in
  // catalog.db.
  'catalog',
  'catalog/builtin',
  'persistence/tools',
  // Folders of backups: those that the operator makes, lists and removes while the exchange runs,
  // and those that a timer makes, tries and rotates.
  'persistence/backups',
  'persistence',
  'http/codec',
  // Every bound of the HTTP and WebSocket interface, in one place.
  'http/bounds',
  // The only folder that imports the socket library.
  'http/socket',
  'http/errors',
  // What the whole server shares at run time: the time of commands, the log, and the splitting of
  // long work into turns of the event loop.
  'http/runtime',
  // Who may use the operator's listener: names, tokens and roles, and requests that wait for a
  // second operator.
  'http/operators',
  // What a venue may change without a new interface: records with a name and a date.
  'http/profiles',
  'http/api',
  // Signatures: EIP-712 orders, L1 and L2 authentication, and the recovery of signers.
  'http/signing',
  // Rate limits and overload protection: they decide which requests are refused.
  'http/admission',
  // Every setting of the exchange, as one record, and its defaults.
  'http/settings',
  'http/parameters',
  'http/views',
  // Authentication: it proves which wallet, API key or operator sent a request, and issues API
  // keys.
  'http/auth',
  // The HTTP listener: it reads requests, calls the handlers of their routes and writes the
  // answers.
  'http/server',
  // The intake of orders: parsing, signature checks in verifier threads, and sequencing.
  'http/orders',
  // Explains a submitted order step by step, for POST /debug/order.
  'http/debug',
  'http/format',
  // What all WebSocket channels share: connections and their bounds, subscriptions, the messages
  // kept for resumes, and close codes.
  'http/streams/delivery',
  // The market channel `/ws/market`: books, prices, trades and terms of markets.
  'http/streams/market',
  // The user channel `/ws/user`: the orders, trades and balances of one owner.
  'http/streams/user',
  // The live-data channel `/ws/live`: trades of all markets, comments and reactions.
  'http/streams/live',
  'http/streams',
  // Metrics and health.
  'http/metrics',
  // Command lines made from tables of options.
  'cli/parser',
  'http/services',
  'http/routes/prices',
  'catalog/routes',
  'catalog/routes/content',
  'http/routes/markets',
  'http/routes/orders',
  // Endpoints for builders: their keys, fees and trades.
  'http/routes/builders',
  // Endpoints for the trading and read-only keys of an owner.
  'http/routes/keys',
  'http/routes/account',
  'http/routes/system',
  'http/routes/analytics',
  'http/routes/data-v2',
  'http/explorer',
  // What the operator's endpoints share: routes for one command, and the fields `by` and `reason`.
  'http/admin/shared',
  'http/admin/markets',
  'http/admin/accounts',
  'http/admin/catalog',
  'http/admin/backups',
  // The OpenAPI and AsyncAPI documents and the page that shows them.
  'http/documentation',
  'http/routes',
  'http/admin',
  'http/tracing',
  // The commands of the program and the options of each, as tables for the parser. options.md
  // shows the same tables; a test compares them.
  'cli/options',
  'cli/place-order',
  'cli/ready',
  'cli/tools',
  'catalog/sync',
  // Faults on demand, for programs that want to see how they fail: kinds of faults, the registry
  // of those that exist, and what each of them hit.
  'sandbox/faults',
  // Faults of requests: answers that are refused, held back or lost, and acts on the market of an
  // order.
  'sandbox/request-faults',
  // Faults of streams, books and trades.
  'sandbox/stream-faults',
  'sandbox/crowd',
  // The sandbox moves the exchange's clock: forward only, and by ten years at most in all.
  'sandbox/time',
  'sandbox/faucet',
  'sandbox/relay',
  // Saved states of the sandbox: copies of a data folder's databases, made while the exchange
  // runs, to which it can be brought back.
  'sandbox/saved-states',
  'sandbox/admin',
  'sandbox/replay',
  'sandbox/package',
  'sandbox/arena',
  'sandbox',
  'console',
  'cluster/log',
  'cluster/feed',
  'cluster/replica',
  // The content of the catalog in a cluster (docs/decisions/0042-content-records.md): each write
  // that comes from outside is a record in the log of commands, which every node applies to its
  // own catalog.
  'cluster/content',
  'cluster',
  'venue',
  'cli/serve',
  'cli/mcp',
  'console/browser/decimal',
  'console/browser/wire',
  // Signs in the browser as the published clients do: API keys, requests and orders, with a
  // private key in memory or a wallet of the browser.
  'console/browser/signing',
  // Signs the requests of the page /docs as dev accounts. .ci/console.mjs builds it into
  // `http/documentation/built/signing.js`, which the scripts of that page import.
  'console/browser/docs',
  // The streams of a page: one connection of each kind, shared by all that is on it.
  'console/browser/streams',
  // What charts draw: price histories, the depth of a book, sparklines; and uPlot, which is loaded
  // when a chart is first drawn.
  'console/browser/charts',
  'console/browser/kit',
  // Forms that are made from the schemas of the exchange's own description, so that a form never
  // lacks a field that its route has.
  'console/browser/forms',
  'console/browser/identity',
  // What an order will do before it is sent: the typed terms as whole numbers, an estimate from
  // the book, and the explanation of the exchange.
  'console/browser/trading',
  'console/browser/markets',
  'console/browser/market',
  // Moves between cash and tokens: forms that split, merge and convert, and what sends a move.
  'console/browser/moves',
  'console/browser/portfolio',
  'console/browser/inspector',
  'console/browser/explorer',
  'console/browser/sandbox',
  // The operator's pages: markets, accounts, money, content, backups, the log of actions, and the
  // health of the exchange.
  'console/browser/operator',
  'console/browser',
];

/** The files of these rooms, without those of rooms below their folders. */
function filesOf(rooms) {
  return `^(${rooms.join('|')})/[^/]+$`;
}

const layers = ROOMS.slice(0, -1).map((room, place) => ({
  name: `layer: ${room}`,
  comment: `${room} may import only the rooms above it in .dependency-cruiser.mjs`,
  severity: 'error',
  from: { path: filesOf([room]) },
  to: { path: filesOf(ROOMS.slice(place + 1)) },
}));

/**
 * Entry files import this guard before anything else: it ends the process on a Node version that
 * crashes in native modules, so it must not bring the rest of its room along.
 */
const NODE_GUARD = '^persistence/threads/node-version\\.ts$';

/** A room without an index.ts has no public face: other rooms import its files. */
const publicFaces = ROOMS.filter((room) => existsSync(`${room}/index.ts`)).map((room) => ({
  name: `public face: ${room}`,
  comment: `other rooms import ${room}/index.ts and nothing else of the room`,
  severity: 'error',
  from: { path: PRODUCT, pathNot: filesOf([room]) },
  to: { path: filesOf([room]), pathNot: [`^${room}/index\\.ts$`, NODE_GUARD] },
}));

/** The pages of the console know the answers of all routes, those of other plots included. */
const PAGES = '^console/browser/';

const optionalPlots = OPTIONAL.map((plot) => ({
  name: `optional: ${plot}`,
  comment: `the exchange can do without ${plot}: only venue/plots.ts imports it`,
  severity: 'error',
  from: { path: `${PRODUCT}|^main\\.ts$`, pathNot: [`^${plot}/`, PLOTS_FILE, PAGES] },
  to: { path: `^${plot}/` },
}));

export default {
  forbidden: [
    {
      name: 'no cycles',
      comment: 'files that import each other can be neither read nor changed alone',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'product without tests',
      comment: 'the product runs without bench/, deploy/ and test/',
      severity: 'error',
      from: { path: `${PRODUCT}|^main\\.ts$` },
      to: { path: '^(bench|deploy|test)/' },
    },
    {
      name: 'every folder is a room',
      comment: 'a folder of sources has its line in ROOMS',
      severity: 'error',
      from: {},
      to: { path: `${PRODUCT}.*\\.tsx?$`, pathNot: filesOf(ROOMS) },
    },
    ...layers,
    ...publicFaces,
    ...optionalPlots,
  ],
  options: {
    // swc reads the sources: TypeScript 7 has no compiler API that dependency-cruiser could use.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
