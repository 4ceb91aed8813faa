/**
 * The test files that `test/run.ts` chose, in batches: a process each, JOBS at a time. A batch
 * loads the product once, which takes most of a small file's time.
 *
 * They run without tap's loader: it sends a message for every module of every process, for its
 * coverage and its watching, which are off here, and doubled the time of the suite.
 *
 * Invariant: a batch that crashes or takes longer than TIMEOUT_MS has failed.
 */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { findTests } from './find-tests.ts';
import { isLong } from './long-set.ts';

/** Two more than the cores of a small machine, because a test often waits for a process. */
const JOBS = 4;
/** Of a batch that does nothing else than compute; run-batch.ts watches each file. */
const TIMEOUT_MS = 1_800_000;
/**
 * The first exchange of a process takes ten times the processor time of a later one, whose threads
 * have loaded their modules. More files than these would leave the other jobs idle at the end.
 */
const FILES_A_BATCH = 40;
const ENGINE = 'test/engine';
/** Files that start no exchange, so that little is on the heap: one of them measures it often. */
const WITHOUT_EXCHANGE: readonly string[] = [ENGINE, 'test/shape/bounds-table.test.ts'];
/** Node keeps compiled modules here, which saves a tenth of an exchange's start. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const TYPES = new URL('./load-types.mjs', import.meta.url).href;

/** V8 starts with a heap of some MB and marks it each time before it grows: 7% of the time. */
const HEAP = '--initial-old-space-size=256';

/** These watch threads being started, so they can't take over those of other exchanges. */
const WATCHES_THREADS: readonly string[] = [
  'test/faults/catalog-faults.test.ts',
  'test/faults/threads.test.ts',
  'test/http/metrics/health.test.ts',
  'test/catalog/host.test.ts',
  'test/persistence/reads/host.test.ts',
  'test/persistence/threads/parked-threads.test.ts',
  'test/persistence/threads/thread-priority.test.ts',
];
const NEW_THREADS = 'with new threads';
const OPTIMIZED = 'optimized';
const REST = 'test';
/** These rooms test pages in a browser: the files of one process share it, and an exchange. */
const PAGES = 'test/console';
const BROWSER = 'test/browser';
/** These rooms compute so much that optimized code pays. */
const COMPUTING: readonly string[] = [
  'test/http/admission',
  'test/cli',
  'test/http/conformance',
  'test/shape',
  'test/simulator',
];

/** These also run through a gateway of a cluster: a published client and recorded requests. */
const THROUGH_GATEWAY: readonly string[] = [
  'test/compat/published-client.test.ts',
  'test/compat/recorded.test.ts',
];

function startsIn(rooms: readonly string[], file: string): boolean {
  return rooms.some((room) => file === room || file.startsWith(`${room}/`));
}

/** Files of one group may share a process. */
function groupOf(file: string): string {
  if (WATCHES_THREADS.includes(file)) return NEW_THREADS;
  if (startsIn(WITHOUT_EXCHANGE, file)) return ENGINE;
  if (startsIn([PAGES, BROWSER], file)) return PAGES;
  return startsIn(COMPUTING, file) ? OPTIMIZED : REST;
}

/** Pages come first: their batches take longest. Those of the engine are short, for the end. */
function rankOf(group: string): number {
  if (group === PAGES) return 0;
  return group === ENGINE ? 2 : 1;
}

const rooms = (process.env.TEST_ROOMS ?? '').split(',').filter((room) => room !== '');
const files = findTests(rooms);
if (files.length === 0) throw new Error('the tests are run from the root of the project');

t.jobs = JOBS;
t.setTimeout(0);
let batches = 0;

/** Runs files in a process of their own. `group` says which settings they get. */
function runBatch(group: string, batch: readonly string[], role: 'all' | 'gateway'): void {
  // Replaces tap's own options, which would bring back its loader.
  const options = `--import=${TYPES} --disable-warning=ExperimentalWarning`;
  const variables = [
    `NODE_OPTIONS=${options}`,
    `NODE_COMPILE_CACHE=${COMPILED}`,
    `TEST_FILES=${batch.join(',')}`,
    `TEST_ROLE=${role}`,
    // The batch tells tap its timeout, which replaces the one of `spawn`.
    `BATCH_TIMEOUT_MS=${TIMEOUT_MS}`,
    `KEEPS_THREADS=${group !== NEW_THREADS}`,
    `OPTIMIZES=${isLong || group === OPTIMIZED}`,
  ];
  batches += 1;
  // tap names its own folder after the arguments: they are short and differ for each batch.
  const words = [...variables, process.execPath, HEAP, 'test/run-batch.ts', `batch-${batches}`];
  const where = role === 'all' ? '' : ', through a gateway';
  t.spawn('env', words, { buffered: true }, `${group} from ${batch[0]}${where}`);
}

const groups = [...Map.groupBy(files, groupOf)];
for (const [group, members] of groups.toSorted(([a], [b]) => rankOf(a) - rankOf(b))) {
  const batchCount = Math.ceil(members.length / FILES_A_BATCH);
  for (let place = 0; place < batchCount; place += 1) {
    const [start, end] = [place, place + 1].map((n) => (n * members.length) / batchCount);
    runBatch(group, members.slice(start, end), 'all');
  }
  const again = members.filter((file) => THROUGH_GATEWAY.includes(file));
  if (again.length > 0) runBatch(group, again, 'gateway');
}
