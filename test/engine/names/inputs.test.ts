/**
 * Commands as inputs: an engine that gets inputs, and whose events gather in one log, does the same
 * as one that gets the commands with names.
 */
import t from 'tap';
import {
  Engine,
  type EngineEvent,
  EventLog,
  type Input,
  stateHash,
} from '../../../engine/index.ts';
import { type JournalEntry, runRandom } from '../random/run.ts';
import { CROWD, FEW } from '../random/scene.ts';

/** The commands whose events are in one log, as many as need it to grow. */
const COMMANDS_A_LOG = 100;

for (const scene of [FEW, CROWD]) {
  for (const seed of [1, 2, 3]) {
    t.test(
      `${scene === FEW ? 'few' : 'many'} accounts, seed ${seed}: the same events`,
      async (t) => {
        const journal: (JournalEntry & { readonly events: readonly EngineEvent[] })[] = [];
        let hash = '';
        const bounds = runRandom(
          { seed, commands: 2_000, scene, every: 1_999 },
          (engine) => (hash = stateHash(engine.state())),
          (entry, events) => journal.push({ ...entry, events }),
        );
        const engine = new Engine(bounds);
        const log = new EventLog();
        for (let at = 0; at < journal.length; at += COMMANDS_A_LOG) {
          const part = journal.slice(at, at + COMMANDS_A_LOG);
          log.clear();
          for (const { seq, timeMs, command } of part) {
            const input = engine.inputOf(command);
            engine.apply(seq, timeMs, input, log);
            spoil(input);
          }
          t.strictSame(
            withoutRefusals(engine.eventsIn(log)),
            part.flatMap((one) => withoutRefusals(one.events)),
          );
        }
        t.equal(stateHash(engine.state()), hash);
        t.ok(
          journal.some(({ events }) => events.some(({ kind }) => kind === 'fill')),
          'orders met',
        );
      },
    );
  }
}

/** Changes an order's input, which the engine must not have kept. */
function spoil(input: Input): void {
  if (input.kind !== 'place_order') return;
  input.orderId.fill(7);
  const { lots, budgetMicros } = input;
  Object.assign(input, { type: 'FOK', priceTicks: 1, lots: budgetMicros, budgetMicros: lots });
}

/** Refusals beside a change, which is then of what was due before. */
function withoutRefusals(events: readonly EngineEvent[]): EngineEvent[] {
  return events.filter(({ kind }) => kind !== 'rejected');
}

t.test('a log counts changes, and forgets what was before', async (t) => {
  const engine = new Engine();
  const log = new EventLog();
  const address = `0x${'a'.repeat(40)}`;
  const open = { kind: 'open_account', address, owner: address, wallet: 'eoa' } as const;
  const command = { ...open, paperMicros: 0 as never };
  engine.apply(1, 1, engine.inputOf(command), log);
  engine.apply(2, 1, engine.inputOf(command), log);
  t.same([log.count, log.changes], [2, 1]);
  t.same(engine.eventsIn(log, 1), [{ kind: 'known', command: 'open_account' }]);
  log.clear();
  t.same([log.count, log.changes, engine.eventsIn(log)], [0, 0, []]);
});

t.test('a log gives back the memory of many events', async (t) => {
  const log = new EventLog();
  const room = log.room;
  const sizes: number[] = [];
  for (const count of [10_000, 20_000]) {
    for (let at = 0; at < count; at += 1) log.level(0, true, at, 1);
    t.equal(log.price(count - 1), count - 1);
    log.clear();
    sizes.push(log.room);
  }
  t.same(sizes, [16_384, room]);
  log.level(0, true, 5, 7);
  t.same([log.count, log.price(0), log.amount(0, 0)], [1, 5, 7]);
});
