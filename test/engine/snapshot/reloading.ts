/**
 * Random lives in which the engine leaves as an image and comes back now and then: beside it go one
 * that never did, and one that sees only what changed something, as a replay of the journal does.
 * What the lives come by is counted, for a life that is too quiet proves nothing.
 */
import { strict as assert } from 'node:assert';
import type { Bounds, MarketState, SnapshotPart, StateView } from '../../../engine/index.ts';
import { BOUNDS, Engine, isChange, stateHash } from '../../../engine/index.ts';
import { reload } from '../engines.ts';
import { firstSeq, RandomCommands } from '../random/commands.ts';
import { EventObserver } from '../random/event-observer.ts';
import type { RandomScene } from '../random/scene.ts';

export interface ImageLife {
  readonly scene: RandomScene;
  readonly seed: number;
  readonly commands: number;
  /** How many commands pass between two images. */
  readonly every: number;
  /** Sees each image, with the state that it is of. */
  readonly onImage: (
    parts: readonly SnapshotPart[],
    bounds: Partial<Bounds>,
    state: StateView,
    engine: Engine,
  ) => void;
}

export function live({ scene, seed, commands, every, onImage }: ImageLife): void {
  const bounds = scene.bounds(seed);
  const seen = new EventObserver();
  const source = new RandomCommands(seed, { ...BOUNDS, ...bounds }, seen, scene);
  const original = new Engine(bounds, { reserveOrders: 1 });
  const replayed = new Engine(bounds);
  let loaded = original;
  let seq = firstSeq(seed);
  for (let index = 1; index <= commands; index += 1) {
    const { timeMs, command } = source.next(seq);
    const events = original.apply(seq + 1, timeMs, command);
    if (loaded !== original) {
      assert.deepEqual(loaded.apply(seq + 1, timeMs, command), events, `command ${index}`);
      assert.equal(loaded.nextDueMs(), original.nextDueMs(), `due after command ${index}`);
    }
    seen.observe(command, events);
    if (events.some(isChange)) {
      seq += 1;
      replayed.apply(seq, timeMs, command);
    }
    if (index % every !== 0) continue;
    const parts = [...original.snapshot()];
    assert.equal(differing(parts, loaded.snapshot()), '', `loaded, after command ${index}`);
    assert.equal(differing(parts, replayed.snapshot()), '', `replayed, after command ${index}`);
    loaded = reload(loaded, bounds);
    loaded.validate();
    assert.equal(differing(parts, loaded.snapshot()), '', `loaded anew, after command ${index}`);
    assert.equal(stateHash(loaded.state()), stateHash(original.state()), `command ${index}`);
    compareHolders(original, loaded);
    onImage(parts, bounds, original.state(), original);
  }
}

/** The name of the first part that is not the same; '' if all are. */
function differing(parts: readonly SnapshotPart[], others: Iterable<SnapshotPart>): string {
  const rest = [...others];
  for (const [index, { name, bytes }] of parts.entries()) {
    const other = rest[index];
    if (other?.name !== name || Buffer.compare(bytes, other.bytes) !== 0) return name;
  }
  return rest[parts.length]?.name ?? '';
}

/** In the order in which they are told. */
function compareHolders(one: Engine, other: Engine): void {
  for (const { conditionId } of one.state().markets) {
    assert.deepEqual([...other.holders(conditionId)], [...one.holders(conditionId)]);
  }
}

/** What is special about a state, by names. */
export function* specialties(state: StateView, bounds: Bounds): Generator<string> {
  for (const market of state.markets) yield* marketSpecialties(market);
  for (const order of state.delayedOrders) {
    yield order.isTripped ? 'a tripped order that waits' : 'an order that waits';
    if (order.fees !== undefined) yield 'an order that waits to be charged';
  }
  for (const { winner, bundlesLots } of state.events) {
    if (winner !== null) yield 'an event with a winner';
    if (bundlesLots > 0) yield 'bundles';
  }
  if ([...state.redeeming].length > 1) yield 'markets in line';
  if ([...state.recentOrders].length === bounds.recentOrders) yield 'a full ring';
  if ([...state.switches].length > 1) yield 'switches';
  if ([...state.apiKeys].some(({ isRevoked }) => isRevoked)) yield 'a revoked key';
  if ([...state.standings].length > 1) yield 'standings';
  for (const { command } of state.idempotencyKeys) yield `a key of ${command}`;
}

function* marketSpecialties(market: MarketState): Generator<string> {
  yield market.status;
  const { original, tickTicks, bids, asks } = market;
  if (original.tickTicks > tickTicks) yield 'a finer tick';
  if (original.takerFeeBps !== market.takerFeeBps) yield 'changed fees';
  for (const [index, order] of [...bids, ...asks].entries()) {
    if (order.priceTicks % tickTicks !== 0) yield 'an order off the grid';
    if (order.type === 'GTD') yield 'an order that expires';
    const next = [...bids, ...asks][index + 1];
    const isLevel = next?.priceTicks === order.priceTicks && next.outcome === order.outcome;
    if (isLevel && next.acceptedSeq < order.acceptedSeq) yield 'an order behind a later one';
    if (order.fees === undefined) continue;
    yield BigInt(order.fees.baseSum) > 0n ? 'fees that were charged' : 'fees to come';
    if (BigInt(order.fees.baseSum) > 2n ** 64n) yield 'a long sum';
    if (BigInt(order.fees.flatSum) > 0n) yield "a builder's flat sum";
  }
}
