/**
 * The layers of the code, as rules for dependency-cruiser (`npm run layers`, part of
 * `npm run check`). A room is a folder with an index.ts. Type imports count like all others.
 *
 * Rules: no import cycles; a room imports only rooms above it in ROOMS; code outside a room imports
 * only its index.ts; the product never imports `bench` or `test`. Tests and benchmarks may import
 * any file.
 */

/** Every room, the lowest layer first. A room imports only rooms that stand above it here. */
const ROOMS = [
  'engine/model',
  'engine/book',
  'engine/fees',
  'engine/log',
  'engine/state',
  'engine/names',
  'engine/views',
  'engine/accounts',
  'engine/orders',
  'engine/money',
  'engine/markets',
  'engine/snapshot',
  'engine',
  'persistence/shared',
  'persistence/threads',
  'persistence/journal',
  'persistence/recovery',
  'persistence/folder',
  'persistence/snapshots',
  'persistence/saved-states',
  'persistence/projection/positions',
  'persistence/projection',
  'persistence/reads/tables',
  'persistence/reads/records',
  'persistence/reads/analytics',
  'persistence/reads/explorer',
  'persistence/reads',
  'persistence/catalog/model',
  'persistence/catalog/json',
  'persistence/catalog/records',
  'persistence/catalog/search',
  'persistence/catalog/content',
  'persistence/catalog/schema',
  'persistence/catalog/queries',
  'persistence/catalog/intake',
  'persistence/catalog/lookup',
  'persistence/catalog',
  'persistence/catalog/builtin',
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
  'http/sync',
  'http/sandbox/faults',
  'http/sandbox/request-faults',
  'http/sandbox/stream-faults',
  'http/sandbox/crowd',
  'http/metrics',
  'http/services',
  'http/sandbox/time',
  'http/sandbox/faucet',
  'http/routes/prices',
  'http/catalog',
  'http/catalog/content',
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
  'http/admin/sandbox',
  'http/admin/backups',
  'http/documentation',
  'http/console',
  'http/routes',
  'http/admin',
  'http',
  'http/package',
  'http/command-line/parser',
  'http/command-line/options',
  'http/command-line/serve',
  'http/command-line/place-order',
  'http/command-line/replay',
  'http/command-line/ready',
  'http/command-line/tools',
  'http/console/browser/decimal',
  'http/console/browser/wire',
  'http/console/browser/signing',
  'http/console/browser/docs',
  'http/console/browser/streams',
  'http/console/browser/charts',
  'http/console/browser/kit',
  'http/console/browser/forms',
  'http/console/browser/identity',
  'http/console/browser/trading',
  'http/console/browser/markets',
  'http/console/browser/market',
  'http/console/browser/moves',
  'http/console/browser/portfolio',
  'http/console/browser/inspector',
  'http/console/browser/explorer',
  'http/console/browser/sandbox',
  'http/console/browser/operator',
  'http/console/browser',
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
  from: { path: '^(engine|persistence|http)/', pathNot: filesOf([room]) },
  to: { path: filesOf([room]), pathNot: [`^${room}/index\\.ts$`, NODE_GUARD] },
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
      comment: 'the product runs without bench/ and test/',
      severity: 'error',
      from: { path: '^(engine|persistence|http)/|^main\\.ts$' },
      to: { path: '^(bench|test)/' },
    },
    {
      name: 'every folder is a room',
      comment: 'a folder of sources has its line in ROOMS',
      severity: 'error',
      from: {},
      to: { path: '^(engine|persistence|http)/.*\\.tsx?$', pathNot: filesOf(ROOMS) },
    },
    ...layers,
    ...publicFaces,
  ],
  options: {
    // swc reads the sources: TypeScript 7 has no compiler API that dependency-cruiser could use.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
