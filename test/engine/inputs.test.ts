/**
 * The same input may be used again: an engine that gets inputs which change afterwards does the
 * same as one that gets a new one for each command.
 */
import t from 'tap';
import {
  Engine,
  type EngineEvent,
  type Input,
  lots,
  micros,
  type PlaceOrder,
  stateHash,
  ticks,
} from '../../engine/index.ts';
import { type JournalEntry, runRandom } from './random/run.ts';
import { CROWD, FEW } from './random/scene.ts';

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
        for (const { seq, timeMs, command, events } of journal) {
          const input = engine.inputOf(command);
          t.strictSame(engine.apply(seq, timeMs, input), events);
          spoil(input);
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

const ORDER: PlaceOrder = {
  kind: 'place_order',
  orderId: `0x${'1'.repeat(64)}`,
  account: `0x${'a'.repeat(40)}`,
  owner: `0x${'b'.repeat(40)}`,
  tokenId: '7',
  side: 'BUY',
  type: 'GTC',
  postOnly: false,
  priceTicks: ticks(5_000),
  lots: lots(10),
  budgetMicros: micros(0),
  expiresAtMs: 0,
  minimumLeadMs: 0,
  earlyEndMs: 0,
  idCheckedSeq: 0,
  apiKey: '',
};

t.test('a refusal of an order quotes the name that stands for nothing', async (t) => {
  const engine = new Engine();
  const refused = (order: Partial<PlaceOrder>) =>
    engine.apply(1, 0, engine.inputOf({ ...ORDER, ...order }));
  const kind = 'rejected';
  t.strictSame(refused({ orderId: '0x1' }), [
    { kind, code: 'order_id_malformed', field: 'orderId', actual: '0x1' },
  ]);
  t.strictSame(refused({}), [
    { kind, code: 'account_unknown', field: 'account', actual: ORDER.account },
  ]);
  const opens = { wallet: 'safe', paperMicros: micros(0) } as const;
  t.strictSame(refused({ opens }), [
    { kind, code: 'token_unknown', field: 'tokenId', actual: '7' },
  ]);
});
