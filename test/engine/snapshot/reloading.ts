/**
 * Random runs in which an engine is regularly written to a snapshot and loaded from it. It is
 * compared with an engine that was never reloaded, and with one that replays only the commands that
 * changed something, as the journal does. `specialCases` names what a state contains, so that tests
 * can demand that the runs are varied enough.
 */
import { strict as assert } from 'node:assert';
import type { Bounds, MarketState, SnapshotPart, StateView } from '../../../engine/index.ts';
import { BOUNDS, Engine, isChange, stateHash } from '../../../engine/index.ts';
import { reload } from '../engines.ts';
import { firstSeq, RandomCommands } from '../random/commands.ts';
import { EventObserver } from '../random/event-observer.ts';
import type { RandomScene } from '../random/scene.ts';

interface ReloadRun {
  readonly scene: RandomScene;
  readonly seed: number;
  readonly commands: number;
  /** How many commands pass between two snapshots. */
  readonly every: number;
  /** Called with each snapshot and the state that it was written from. */
  readonly onSnapshot: (
    parts: readonly SnapshotPart[],
    bounds: Partial<Bounds>,
    state: StateView,
    engine: Engine,
  ) => void;
}

export function runWithReloads({ scene, seed, commands, every, onSnapshot }: ReloadRun): void {
  const bounds = scene.bounds(seed);
  const seen = new EventObserver();
  const source = new RandomCommands(seed, { ...BOUNDS, ...bounds }, seen, scene);
  const original = new Engine(bounds, { reserveOrders: 1 });
  const replayed = new Engine(bounds);
  let loaded = original;
  let seq = firstSeq(seed);
  for (let index = 1; index <= commands; index += 1) {
    const { timeMs, command } = source.next(seq);
    const events = original.apply(seq + 1, timeMs, original.inputOf(command));
    if (loaded !== original) {
      assert.deepEqual(
        loaded.apply(seq + 1, timeMs, loaded.inputOf(command)),
        events,
        `command ${index}`,
      );
      assert.equal(loaded.nextDueMs(), original.nextDueMs(), `due after command ${index}`);
    }
    seen.observe(command, events);
    if (events.some(isChange)) {
      seq += 1;
      replayed.apply(seq, timeMs, replayed.inputOf(command));
    }
    if (index % every !== 0 || original.isUnfinished) continue;
    const parts = [...original.snapshot()];
    assert.equal(differing(parts, loaded.snapshot()), '', `loaded, after command ${index}`);
    assert.equal(differing(parts, replayed.snapshot()), '', `replayed, after command ${index}`);
    loaded = reload(loaded, bounds);
    loaded.validate();
    assert.equal(differing(parts, loaded.snapshot()), '', `loaded again, after command ${index}`);
    assert.equal(stateHash(loaded.state()), stateHash(original.state()), `command ${index}`);
    compareHolders(original, loaded);
    onSnapshot(parts, bounds, original.state(), original);
  }
}

/** The name of the first part that differs; '' if none does. */
function differing(parts: readonly SnapshotPart[], others: Iterable<SnapshotPart>): string {
  const rest = [...others];
  for (const [index, { name, bytes }] of parts.entries()) {
    const other = rest[index];
    if (other?.name !== name || Buffer.compare(bytes, other.bytes) !== 0) return name;
  }
  return rest[parts.length]?.name ?? '';
}

/** Holders must also be listed in the same order. */
function compareHolders(one: Engine, other: Engine): void {
  for (const { conditionId } of one.state().markets) {
    assert.deepEqual([...other.holders(conditionId)], [...one.holders(conditionId)]);
  }
}

/** Names of the special cases that a state contains. */
export function* specialCases(state: StateView, bounds: Bounds): Generator<string> {
  for (const market of state.markets) yield* marketSpecialCases(market);
  for (const order of state.delayedOrders) {
    yield order.isTripped ? 'a tripped delayed order' : 'a delayed order';
    if (order.fees !== undefined) yield 'a delayed order with fees';
  }
  for (const { winner, bundlesLots } of state.events) {
    if (winner !== null) yield 'an event with a winner';
    if (bundlesLots > 0) yield 'bundles';
  }
  if ([...state.redeeming].length > 1) yield 'several markets in automatic redemption';
  if ([...state.recentOrders].length === bounds.recentOrders) yield 'a full ring of closed orders';
  if ([...state.switches].length > 1) yield 'switches';
  if ([...state.apiKeys].some(({ isRevoked }) => isRevoked)) yield 'a revoked key';
  if ([...state.standings].length > 1) yield 'standings';
  for (const { command, indexedSeq } of state.idempotencyKeys) {
    yield `a key of ${command}`;
    if (indexedSeq !== undefined) yield 'an indexed key';
  }
  if (state.forgottenKeySeq > 0) yield 'a forgotten key';
}

function* marketSpecialCases(market: MarketState): Generator<string> {
  yield market.status;
  const { original, tickTicks, bids, asks } = market;
  if (original.tickTicks > tickTicks) yield 'a finer tick';
  if (original.takerFeeBps !== market.takerFeeBps) yield 'changed fees';
  for (const [index, order] of [...bids, ...asks].entries()) {
    if (order.priceTicks % tickTicks !== 0) yield 'an order off the grid';
    if (order.type === 'GTD') yield 'an order that expires';
    const next = [...bids, ...asks][index + 1];
    const isLevel = next?.priceTicks === order.priceTicks && next.outcome === order.outcome;
    if (isLevel && next.acceptedSeq < order.acceptedSeq)
      yield 'an order behind one that was accepted later';
    if (order.fees === undefined) continue;
    yield BigInt(order.fees.baseSum) > 0n ? 'charged fees' : 'fees without a charge';
    if (BigInt(order.fees.baseSum) > 2n ** 64n) yield 'a sum above 64 bits';
    if (BigInt(order.fees.flatSum) > 0n) yield "a builder's flat sum";
  }
}
