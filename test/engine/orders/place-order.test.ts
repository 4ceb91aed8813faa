// `previewOrder` returns what `apply` then does, for every random order, and changes nothing.
import { strict as assert } from 'node:assert';
import t from 'tap';
import {
  BOUNDS,
  type Command,
  Engine,
  type EngineEvent,
  isChange,
  type OrderPreview,
  type PlaceOrder,
  stateHash,
} from '../../../engine/index.ts';
import { isLong, times } from '../../long-set.ts';
import { firstSeq, RandomCommands } from '../random/commands.ts';
import { EventObserver } from '../random/event-observer.ts';
import { randomBounds } from '../random/scene.ts';
import { DrawnBook } from '../scenarios/drawn-book.ts';
import { readSentence } from '../scenarios/language.ts';

const SEEDS = times(2, 10);
const COMMANDS_PER_SEED = times(2_500, 6_000);
const HASH_EVERY = 50;

/** What placing an order did, in the form of a preview. */
function outcomeOf(command: PlaceOrder, events: readonly EngineEvent[]): OrderPreview {
  const event = events.find(({ kind }) => kind === 'rejected' || kind === 'order_duplicate');
  const fills = events.filter((one) => one.kind === 'fill');
  const filledLots = fills.reduce((sum, fill) => sum + fill.lots, 0);
  const closed = events.some(
    (one) => one.kind === 'order_closed' && one.orderId === command.orderId,
  );
  return {
    // Safe: its kind is one of the two.
    event: event as OrderPreview['event'],
    filledLots: filledLots as OrderPreview['filledLots'], // sums of these units
    filledMicros: fills.reduce(
      (sum, fill) => sum + fill.lots * fill.takerPriceTicks,
      0,
    ) as OrderPreview['filledMicros'],
    restingLots: (event === undefined && !closed
      ? command.lots - filledLots
      : 0) as OrderPreview['restingLots'],
    feeMicros: fills.reduce(
      (sum, fill) => sum + (fill.fees?.takerMicros ?? 0),
      0,
    ) as OrderPreview['feeMicros'],
    delayMs: 0,
  };
}

/** The results that previews of the long set must include. */
const ALL_RESULTS = [
  'fees',
  'fills, rests',
  'fills, does not rest',
  'fills nothing, rests',
  'fills nothing, does not rest',
  'delayed, fills, rests',
  'delayed, fills, does not rest',
  'too_many_delayed_orders',
  'order_duplicate',
  'order_id_reused',
  'not_enough_cash',
  'not_enough_tokens',
  'fill_or_kill_unfilled',
  'nothing_to_match',
  'post_only_would_cross',
  'too_many_fills',
  'too_many_live_orders',
  'expiration_too_soon',
  'account_not_yours',
  'exchange_paused',
  'market_paused',
  'market_closed',
  'owner_banned',
  'owner_closed_only',
];
const COMMON_RESULTS = ALL_RESULTS.slice(0, 5);

const ADVANCE: Command = { kind: 'advance_time' };

class PreviewRun {
  readonly #engine: Engine;
  readonly #source: RandomCommands;
  readonly #seen = new EventObserver();
  readonly met = new Map<string, number>();
  #lastSeq: number;

  constructor(seed: number) {
    const bounds = randomBounds(seed);
    this.#engine = new Engine(bounds, { reserveOrders: 1 });
    this.#source = new RandomCommands(seed, { ...BOUNDS, ...bounds }, this.#seen);
    this.#lastSeq = firstSeq(seed);
  }

  step(isHashed: boolean): void {
    const { timeMs, command } = this.#source.next(this.#lastSeq);
    if (command.kind !== 'place_order') {
      this.#apply(timeMs, command);
      return;
    }
    // A command processes what is due before it; a preview does not.
    do this.#apply(timeMs, ADVANCE);
    while (this.#engine.isBehind(timeMs));
    const before = isHashed ? stateHash(this.#engine.state()) : '';
    const preview = this.#engine.previewOrder(timeMs, command);
    if (isHashed) assert.equal(stateHash(this.#engine.state()), before, 'nothing was changed');
    const events = [...this.#apply(timeMs, command)];
    while (this.#engine.isUnfinished) events.push(...this.#apply(timeMs, ADVANCE));
    const delayed = events.find((event) => event.kind === 'order_delayed');
    assert.equal(preview.delayMs, (delayed?.releaseMs ?? timeMs) - timeMs, 'the delay');
    if (delayed === undefined) assert.deepEqual(preview, outcomeOf(command, events));
    this.#meet(preview);
  }

  #meet({ event, filledLots, restingLots, feeMicros, delayMs }: OrderPreview): void {
    if (feeMicros > 0) this.met.set('fees', 1);
    const result = resultName(filledLots, restingLots);
    const name =
      event?.kind === 'rejected'
        ? event.code
        : (event?.kind ?? (delayMs > 0 ? `delayed, ${result}` : result));
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
  }

  #apply(timeMs: number, command: Command): readonly EngineEvent[] {
    const events = this.#engine.apply(this.#lastSeq + 1, timeMs, this.#engine.inputOf(command));
    this.#seen.observe(command, events);
    if (events.some(isChange)) this.#lastSeq += 1;
    return events;
  }
}

function resultName(filledLots: number, restingLots: number): string {
  const rests = restingLots > 0 ? 'rests' : 'does not rest';
  return `${filledLots > 0 ? 'fills' : 'fills nothing'}, ${rests}`;
}

t.test('a preview shows what placing the order does, and changes nothing', async (t) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const run = new PreviewRun(seed);
    for (let index = 0; index < COMMANDS_PER_SEED; index += 1) run.step(index % HASH_EVERY === 0);
    for (const name of run.met.keys()) met.add(name);
  }
  for (const name of isLong ? ALL_RESULTS : COMMON_RESULTS) t.ok(met.has(name), name);
});

const ASKS = `
      bid | price | ask
          | 5100  | bob 10, ann 10`;

t.test('the preview of a delayed order shows what it would do without the delay', async (t) => {
  const sentences = [
    'cat buys 15 YES at 5200',
    'cat buys YES for 25500 at 5200 FOK',
    'cat buys YES for 30000 at 5200 FAK',
    'ann2 buys 40 YES at 5200',
    'cat buys 9 YES at 4000',
    'cat buys 9 YES at 4000 post-only',
    'cat buys YES for 900000 at 5200 FOK',
  ];
  const delayMs: number[] = [];
  for (const sentence of sentences) {
    const [now, later] = [0, 250].map((delay) => {
      let engine: Engine | undefined;
      const book = new DrawnBook((bounds) => (engine = new Engine(bounds)));
      book.draw(ASKS);
      if (delay > 0) book.say(`the first market delays by ${delay} ms`);
      const { command } = readSentence(sentence);
      assert(engine !== undefined && command.kind === 'place_order');
      return engine.previewOrder(0, command);
    });
    delayMs.push(later?.delayMs ?? 0);
    t.strictSame({ ...later, delayMs: 0 }, now, sentence);
  }
  t.same(delayMs, [250, 250, 250, 250, 0, 0, 0]);
});
