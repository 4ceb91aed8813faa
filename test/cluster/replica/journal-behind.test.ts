/** When a node of a cluster writes what its log has committed into its journal. */
import { mock } from 'node:test';
import t from 'tap';
import type { FeedCore } from '../../../cluster/feed/index.ts';
import { LeadingCore } from '../../../cluster/leading-core.ts';
import { JournalBehind } from '../../../cluster/replica/index.ts';
import { Engine } from '../../../engine/index.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import type { JournalGroup } from '../../../persistence/journal/writer.ts';
import type { Scope } from '../../temporary-folder.ts';

const PAUSE_MS = 20;
/** More than may wait. */
const TOO_MANY = 32_769;

function batchOf(firstSeq: number, count = 1) {
  const builder = new BatchBuilder(firstSeq);
  for (let seq = firstSeq; seq < firstSeq + count; seq += 1) {
    const command = { kind: 'advance_time' } as const;
    builder.add({ seq, timeMs: 1, command, events: [] }, undefined, command);
  }
  return builder.build();
}

/** A journal whose groups are noted by the seqs of their first commands. */
class Journal {
  readonly posted: number[][] = [];
  readonly behind: JournalBehind;
  #number = 0;

  constructor(pauseMs: number) {
    this.behind = new JournalBehind({
      pauseMs,
      post: ({ batches }: JournalGroup) =>
        this.posted.push(batches.map(({ firstSeq }) => firstSeq)),
      content: undefined,
      appliedContent: () => 0,
      onWritten: () => undefined,
      onRoom: () => undefined,
    });
  }

  add(firstSeq: number, count?: number): void {
    this.#number += 1;
    const place = { logId: 'log', number: this.#number, check: '' };
    this.behind.add({ batch: batchOf(firstSeq, count), content: [], rules: 1, place });
  }
}

/** Files of a batch share the process, so each test gives the timers back. */
function mockTimers(scope: Scope): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  scope.teardown(() => mock.timers.reset());
}

t.test('commands wait a while for others that share their transaction', (t) => {
  mockTimers(t);
  const journal = new Journal(PAUSE_MS);
  journal.add(1);
  journal.add(2);
  t.strictSame(journal.posted, []);
  mock.timers.tick(PAUSE_MS);
  t.strictSame(journal.posted, [[1, 2]]);
  journal.add(3);
  mock.timers.tick(PAUSE_MS);
  t.strictSame(journal.posted, [[1, 2]], 'one group is written at a time');
  journal.behind.committed(2);
  mock.timers.tick(PAUSE_MS);
  t.strictSame(journal.posted, [[1, 2], [3]]);
  t.end();
});

t.test('without a pause, and when somebody or too much waits, they are written at once', (t) => {
  mockTimers(t);
  const direct = new Journal(0);
  direct.add(1);
  t.strictSame(direct.posted, [[1]]);
  const drained = new Journal(PAUSE_MS);
  drained.add(1);
  drained.behind.drain();
  t.strictSame(drained.posted, [[1]]);
  const full = new Journal(PAUSE_MS);
  full.add(1, TOO_MANY);
  t.ok(full.behind.isFull);
  t.strictSame(full.posted, [[1]]);
  t.end();
});

t.test('a place without commands is noted later than commands are', (t) => {
  mockTimers(t);
  const journal = new Journal(PAUSE_MS);
  const place = { logId: 'log', number: 1, check: '' };
  journal.behind.add({ content: [], rules: 1, place });
  mock.timers.tick(PAUSE_MS);
  t.strictSame(journal.posted, []);
  journal.add(1);
  mock.timers.tick(PAUSE_MS);
  t.strictSame(journal.posted, [[1]], 'commands do not wait as long as it');
  t.end();
});

// A core whose disk hung stopped all acknowledgements for ever, and stayed the core.
t.test('a core whose journal does not answer, or that no gateway reaches, is unfit', (t) => {
  const engine = new Engine();
  let diskMs = 0;
  const core = new LeadingCore({
    engine,
    log: { append: () => undefined },
    journal: {
      isFull: false,
      get silenceMs() {
        return diskMs;
      },
    },
    ...{ lastSeq: 0, lastTimeMs: 0, now: Date.now, onCommitted: () => undefined },
    path: { sealed: () => undefined, durable: () => undefined, failed: () => undefined },
  });
  // Safe: the core asks the feed for nothing else here.
  const feed = { gatewaySilenceMs: 0 } as { gatewaySilenceMs: number } & FeedCore;
  core.serve(feed);
  const table: readonly (readonly [
    disk: number,
    gateway: number,
    sought: boolean,
    RegExp | undefined,
  ])[] = [
    [4_000, 0, true, undefined],
    [0, 5_000, false, undefined],
    [0, 3_000, true, undefined],
    [6_000, 0, false, /has not answered a write of its journal/],
    [0, 5_000, true, /no gateway reaches this core/],
  ];
  for (const [disk, gateway, isSought, message] of table) {
    diskMs = disk;
    feed.gatewaySilenceMs = gateway;
    const why = core.unfitness(isSought)?.message ?? '';
    t.match(why, message ?? /^$/, `${disk} ${gateway} ${isSought}`);
  }
  t.end();
});
