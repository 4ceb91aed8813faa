/**
 * Restores the state of an engine from a snapshot, part by part, so that its caller can do other
 * work in between. Invariant: the restored state continues exactly as the written one would have; a
 * snapshot that contradicts itself is refused, and the error names the section. It does not add up
 * the held funds of all orders again; `validate` does.
 */

import { NONE } from '../book/index.ts';
import {
  type Bounds,
  CLOSED,
  FEE_ACCOUNT,
  ONE_TICKS,
  RESOLVED,
  SnapshotError,
  type SnapshotPart,
} from '../model/index.ts';
import { EngineState, type MemoryOptions } from '../state/engine-state.ts';
import type { Market } from '../state/market.ts';
import { DELAYED } from './delayed.ts';
import { countOf, HEAD, type Head, readHead, SECTIONS } from './head.ts';
import { POSITIONS } from './holdings.ts';
import { enlistRestored, ORDERS } from './orders.ts';
import { RECENT } from './recent.ts';
import type { Restoring, TakePart } from './section.ts';

/** Orders to reserve memory for at most, whatever the head says; memory grows with more orders. */
const MAX_RESERVED_ORDERS = 4_000_000;

interface Progress {
  readonly head: Head;
  readonly restoring: Restoring;
  /** Place in SECTIONS of the section that is being read; its length when all are complete. */
  section: number;
  /** How many records of the section were read. */
  taken: number;
  takePart: TakePart | undefined;
}

export class StateLoader {
  readonly #bounds: Bounds;
  readonly #memory: MemoryOptions;
  #progress: Progress | undefined;
  /** The error of the part that was refused; later calls throw it again. */
  #error: unknown;

  constructor(bounds: Bounds, memory: MemoryOptions) {
    this.#bounds = bounds;
    this.#memory = memory;
  }

  /** Loads the next part and does not keep its bytes. Throws SnapshotError. */
  take(part: SnapshotPart): void {
    if (this.#error !== undefined) throw this.#error;
    try {
      if (this.#progress === undefined) this.#begin(part);
      else takeNext(this.#progress, part);
    } catch (error) {
      this.#error = error;
      throw error;
    }
  }

  /**
   * Returns the state after the last part. Throws SnapshotError if parts are missing or disagree.
   */
  finish(): EngineState {
    if (this.#error !== undefined) throw this.#error;
    if (this.#progress === undefined) throw new SnapshotError('the snapshot has no parts');
    const { head, restoring, section, taken } = this.#progress;
    const missing = SECTIONS[section];
    if (missing !== undefined) {
      const count = countOf(head, missing);
      throw new SnapshotError(
        `the snapshot ends too early: it has ${taken} of ${count} records of ${missing.name}`,
      );
    }
    const { state } = restoring;
    state.redemptions.add([...restoring.redeeming]);
    enlistRestored(state, countOf(head, ORDERS) + countOf(head, DELAYED));
    check(state, restoring);
    return state;
  }

  #begin({ name, bytes }: SnapshotPart): void {
    if (name !== HEAD)
      throw new SnapshotError(`${name}: the first part of a snapshot must be ${HEAD}`);
    const head = readHead(bytes, this.#bounds);
    const restingOrders = countOf(head, ORDERS);
    const known = restingOrders + countOf(head, DELAYED) + countOf(head, RECENT);
    const { reserveOrders = 0 } = this.#memory;
    // A quarter more, so that the engine does not have to grow right after loading.
    const wanted = known + Math.ceil(known / 4);
    const reserved = Math.max(reserveOrders, Math.min(wanted, MAX_RESERVED_ORDERS));
    const state = new EngineState(this.#bounds, { ...this.#memory, reserveOrders: reserved });
    state.changedSeq = head.changedSeq;
    state.seq = head.changedSeq;
    state.changedMs = head.changedMs;
    state.timeMs = head.changedMs;
    state.status = head.status;
    state.feeAccount = head.feeAccount;
    state.recent.forgottenSeq = head.forgottenSeq;
    state.moneyKeys.forgottenSeq = head.forgottenKeySeq;
    state.ledger.depositedMicros = head.depositedMicros;
    state.ledger.withdrawnMicros = head.withdrawnMicros;
    state.lockedMicros = head.lockedMicros;
    const positionCount = countOf(head, POSITIONS);
    const lists = { schedules: [], redeeming: new Set<number>() };
    const restoring = { state, ...lists, restingOrders, positionCount };
    this.#progress = { head, restoring, section: 0, taken: 0, takePart: undefined };
    skipDone(this.#progress);
  }
}

function takeNext(progress: Progress, { name, bytes }: SnapshotPart): void {
  const section = SECTIONS[progress.section];
  if (section?.name !== name) {
    const wanted = section === undefined ? 'the end' : section.name;
    throw new SnapshotError(`${name}: this part is out of order; ${wanted} must come next`);
  }
  progress.takePart ??= section.read(progress.restoring);
  progress.taken += progress.takePart(bytes, progress.taken);
  const count = countOf(progress.head, section);
  if (progress.taken > count) {
    throw new SnapshotError(
      `${name}: the snapshot has ${progress.taken} records, but its head says ${count}`,
    );
  }
  skipDone(progress);
}

/** Moves on to the next section that lacks records. */
function skipDone(progress: Progress): void {
  for (;;) {
    const section = SECTIONS[progress.section];
    if (section === undefined || progress.taken < countOf(progress.head, section)) return;
    progress.section += 1;
    progress.taken = 0;
    progress.takePart = undefined;
  }
}

/** Checks that the parts agree with each other. */
function check(state: EngineState, { redeeming }: Restoring): void {
  const { ledger, feeAccount, markets, orders, orderFees } = state;
  for (const market of markets) checkMarket(state, market);
  const cash = BigInt(ledger.totalMicros) + BigInt(state.lockedMicros);
  const funded = BigInt(ledger.depositedMicros) - BigInt(ledger.withdrawnMicros);
  if (cash !== funded) {
    throw new SnapshotError(
      `accounts: all cash with locked collateral is ${cash} micros, but net deposits are ${funded}`,
    );
  }
  if (feeAccount !== NONE && ledger.accounts[feeAccount]?.address !== FEE_ACCOUNT) {
    throw new SnapshotError(`${HEAD}: account ${feeAccount} is not the account that collects fees`);
  }
  const queued = [...state.redemptions.markets].length;
  if (queued !== redeeming.size) {
    throw new SnapshotError(
      `redeeming: ${redeeming.size - queued} of the markets have no tokens to redeem`,
    );
  }
  let charged = 0;
  const live = ledger.liveOrders.reduce((sum, count) => sum + count, 0);
  for (let handle = 0; handle < live; handle += 1) if (orders.hasFees(handle)) charged += 1;
  if (charged !== orderFees.size) {
    throw new SnapshotError(
      `order_fees: ${orderFees.size} orders have records, but ${charged} live orders have fees`,
    );
  }
}

function checkMarket({ positions }: EngineState, market: Market): void {
  const { index, status, setsLots, bundlesLots, payoutTicks, owedMicros, book } = market;
  const [yes, no] = [BigInt(positions.supply(index, 0)), BigInt(positions.supply(index, 1))];
  const isBacked =
    status === RESOLVED
      ? yes * BigInt(payoutTicks) + no * BigInt(ONE_TICKS - payoutTicks) === BigInt(owedMicros)
      : yes === BigInt(setsLots) && no === BigInt(setsLots - bundlesLots);
  if (!isBacked)
    throw new SnapshotError(
      `positions: ${yes} YES and ${no} NO lots do not match what backs them in market ${index}`,
    );
  const isCrossed = book.bestAsk !== NONE && book.bestBid >= book.bestAsk;
  const hasLateOrders = status >= CLOSED && book.bidCount + book.askCount > 0;
  if (isCrossed || hasLateOrders)
    throw new SnapshotError(
      `orders: the book of market ${index} is crossed, or has orders in a closed market`,
    );
}
