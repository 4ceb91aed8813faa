/**
 * The layers of the code, as rules for dependency-cruiser (`npm run layers`, part of
 * `npm run check`). A room is a folder with an index.ts. Type imports count like all others.
 *
 * Rules: no import cycles; a room imports only rooms above it in ROOMS; code outside a room imports
 * only its index.ts; only `venue/plots.ts` imports an optional plot; the product never imports
 * `bench`, `deploy` or `test`. These may import any file.
 */

/** The plots: the top-level folders of the product. */
const PRODUCT = '^(engine|persistence|catalog|http|sandbox|console|cluster|venue|cli)/';

/** The optional plots: folders that only their own line of `venue/plots.ts` imports. */
const OPTIONAL = ['catalog/sync', 'console', 'http/tracing', 'sandbox'];
const PLOTS_FILE = '^venue/plots\\.ts$';

/** Every room, the lowest layer first. A room imports only rooms that stand above it here. */
export const ROOMS = [
  'engine/model',
  'engine/book',
  'engine/fees',
  'engine/state',
  'engine/steps',
  'engine/views',
  'engine/accounts',
  'engine/orders',
  'engine/money',
  'engine/markets',
  'engine/snapshot',
  'engine',
  'persistence/shared',
  'persistence/threads',
  'persistence/rows',
  'persistence/journal',
  'persistence/recovery',
  'persistence/folder',
  'persistence/snapshots',
  'persistence/projection/positions',
  'persistence/projection',
  'persistence/reads/tables',
  'persistence/reads/records',
  'persistence/reads/analytics',
  'persistence/reads/explorer',
  'persistence/reads',
  'catalog/model',
  'catalog/json',
  'catalog/records',
  'catalog/search',
  'catalog/content',
  'catalog/schema',
  'catalog/queries',
  'catalog/intake',
  'catalog/lookup',
  'catalog',
  'catalog/builtin',
  'persistence/tools',
  'persistence/backups',
  'persistence',
  'http/codec',
  'http/bounds',
  'http/socket',
  'http/errors',
  'http/runtime',
  'http/operators',
  'http/api',
  'http/signing',
  'http/admission',
  'http/settings',
  'http/parameters',
  'http/views',
  'http/auth',
  'http/server',
  'http/orders',
  'http/debug',
  'http/format',
  'http/streams/delivery',
  'http/streams/market',
  'http/streams/user',
  'http/streams/live',
  'http/streams',
  'http/metrics',
  'cli/parser',
  'http/services',
  'http/routes/prices',
  'catalog/routes',
  'catalog/routes/content',
  'http/routes/markets',
  'http/routes/orders',
  'http/routes/builders',
  'http/routes/keys',
  'http/routes/account',
  'http/routes/system',
  'http/routes/analytics',
  'http/explorer',
  'http/admin/shared',
  'http/admin/markets',
  'http/admin/accounts',
  'http/admin/catalog',
  'http/admin/backups',
  'http/documentation',
  'http/routes',
  'http/admin',
  'http/tracing',
  'cli/options',
  'cli/place-order',
  'cli/ready',
  'cli/tools',
  'catalog/sync',
  'sandbox/faults',
  'sandbox/request-faults',
  'sandbox/stream-faults',
  'sandbox/crowd',
  'sandbox/time',
  'sandbox/faucet',
  'sandbox/saved-states',
  'sandbox/admin',
  'sandbox/replay',
  'sandbox',
  'console',
  'cluster/log',
  'cluster/feed',
  'cluster/replica',
  'cluster/content',
  'cluster',
  'cluster/http',
  'venue',
  'sandbox/package',
  'cli/serve',
  'console/browser/decimal',
  'console/browser/wire',
  'console/browser/signing',
  'console/browser/docs',
  'console/browser/streams',
  'console/browser/charts',
  'console/browser/kit',
  'console/browser/forms',
  'console/browser/identity',
  'console/browser/trading',
  'console/browser/markets',
  'console/browser/market',
  'console/browser/moves',
  'console/browser/portfolio',
  'console/browser/inspector',
  'console/browser/explorer',
  'console/browser/sandbox',
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

const publicFaces = ROOMS.map((room) => ({
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
