/**
 * Makes an engine from an image, part by part, so that its caller may let others run between them.
 * Invariant: what is read goes on exactly as what was written would have; what can't be is refused,
 * with the name of its part. It does not reckon the holds of all orders again: `validate` does.
 */

import { NONE } from './book/index.ts';
import { Engine } from './engine.ts';
import {
  BOUNDS,
  type Bounds,
  CLOSED,
  FEE_ACCOUNT,
  SnapshotError,
  type SnapshotPart,
  ONE_TICKS,
  RESOLVED,
} from './model/index.ts';
import type { Restoring, TakePart } from './snapshot/index.ts';
import {
  countOf,
  DELAYED,
  enlistAll,
  HEAD,
  type Head,
  ORDERS,
  RECENT,
  readHead,
  SECTIONS,
} from './snapshot/index.ts';
import { Core, type Market, type MemoryOptions } from './state/index.ts';

/** Nothing is made larger than this on the word of a head alone: then it grows as orders come. */
const MOST_RESERVED_ORDERS = 4_000_000;

/** What is being read. */
interface Progress {
  readonly head: Head;
  readonly restoring: Restoring;
  /** Place of the section whose parts are taken; behind the last when all is there. */
  section: number;
  /** How many of its were taken. */
  taken: number;
  takePart: TakePart | undefined;
}

export class SnapshotLoader {
  readonly #bounds: Bounds;
  readonly #room: MemoryOptions;
  #progress: Progress | undefined;
  /** Of the part that was refused: nothing comes of the rest. */
  #error: unknown;

  /** The bounds must be those under which what is read was made. */
  constructor(bounds: Partial<Bounds> = {}, room: MemoryOptions = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#room = room;
  }

  /** Takes the next part; its bytes are looked at, and not kept. Throws ImageError. */
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

  /** All parts were taken. Throws ImageError if not, or if they contradict each other. */
  finish(): Engine {
    if (this.#error !== undefined) throw this.#error;
    if (this.#progress === undefined) throw new SnapshotError('the image has no parts');
    const { head, restoring, section, taken } = this.#progress;
    const missing = SECTIONS[section];
    if (missing !== undefined) {
      const count = countOf(head, missing);
      throw new SnapshotError(
        `the image ends within ${missing.name}: ${taken} of ${count} are there`,
      );
    }
    const { core } = restoring;
    core.redemptions.add([...restoring.redeeming]);
    enlistAll(core, countOf(head, ORDERS) + countOf(head, DELAYED));
    check(core, restoring);
    return new Engine(this.#bounds, this.#room, core);
  }

  #begin({ name, bytes }: SnapshotPart): void {
    if (name !== HEAD) throw new SnapshotError(`${name}: an image begins with its ${HEAD}`);
    const head = readHead(bytes, this.#bounds);
    const restingOrders = countOf(head, ORDERS);
    const known = restingOrders + countOf(head, DELAYED) + countOf(head, RECENT);
    const { reserveOrders = 0 } = this.#room;
    // A quarter more, for what comes after the snapshot: to grow at once afterwards takes longer.
    const wanted = known + Math.ceil(known / 4);
    const reserved = Math.max(reserveOrders, Math.min(wanted, MOST_RESERVED_ORDERS));
    const core = new Core(this.#bounds, { ...this.#room, reserveOrders: reserved });
    core.changedSeq = head.changedSeq;
    core.seq = head.changedSeq;
    core.changedMs = head.changedMs;
    core.timeMs = head.changedMs;
    core.status = head.status;
    core.feeAccount = head.feeAccount;
    core.recent.forgottenSeq = head.forgottenSeq;
    core.ledger.depositedMicros = head.depositedMicros;
    core.ledger.withdrawnMicros = head.withdrawnMicros;
    core.lockedMicros = head.lockedMicros;
    const restoring = { core, schedules: [], redeeming: new Set<number>(), restingOrders };
    this.#progress = { head, restoring, section: 0, taken: 0, takePart: undefined };
    skipDone(this.#progress);
  }
}

function takeNext(progress: Progress, { name, bytes }: SnapshotPart): void {
  const section = SECTIONS[progress.section];
  if (section?.name !== name) {
    const wanted = section === undefined ? 'the end' : section.name;
    throw new SnapshotError(`${name}: it stands where ${wanted} should`);
  }
  progress.takePart ??= section.read(progress.restoring);
  progress.taken += progress.takePart(bytes, progress.taken);
  const count = countOf(progress.head, section);
  if (progress.taken > count) {
    throw new SnapshotError(`${name}: ${progress.taken} are there, and the head counts ${count}`);
  }
  skipDone(progress);
}

/** On to the next section that lacks something. */
function skipDone(progress: Progress): void {
  for (;;) {
    const section = SECTIONS[progress.section];
    if (section === undefined || progress.taken < countOf(progress.head, section)) return;
    progress.section += 1;
    progress.taken = 0;
    progress.takePart = undefined;
  }
}

/** What all parts together must come to. */
function check(core: Core, { redeeming }: Restoring): void {
  const { ledger, feeAccount, markets, orders, orderFees } = core;
  for (const market of markets) checkMarket(core, market);
  const cash = BigInt(ledger.totalMicros) + BigInt(core.lockedMicros);
  const funded = BigInt(ledger.depositedMicros) - BigInt(ledger.withdrawnMicros);
  if (cash !== funded) {
    throw new SnapshotError(
      `accounts: ${cash} micros with what is locked, and ${funded} deposited`,
    );
  }
  if (feeAccount !== NONE && ledger.accounts[feeAccount]?.address !== FEE_ACCOUNT) {
    throw new SnapshotError(`${HEAD}: account ${feeAccount} is not the one for fees`);
  }
  const waiting = [...core.redemptions.markets].length;
  if (waiting !== redeeming.size) {
    throw new SnapshotError(`redeeming: nobody has tokens of ${redeeming.size - waiting} of them`);
  }
  let charged = 0;
  const live = ledger.liveOrders.reduce((sum, count) => sum + count, 0);
  for (let handle = 0; handle < live; handle += 1) if (orders.hasFees(handle)) charged += 1;
  if (charged !== orderFees.size) {
    throw new SnapshotError(`order_fees: of ${orderFees.size} orders, and ${charged} are charged`);
  }
}

function checkMarket({ positions }: Core, market: Market): void {
  const { index, status, setsLots, bundlesLots, payoutTicks, owedMicros, book } = market;
  const [yes, no] = [BigInt(positions.supply(index, 0)), BigInt(positions.supply(index, 1))];
  const isWhole =
    status === RESOLVED
      ? yes * BigInt(payoutTicks) + no * BigInt(ONE_TICKS - payoutTicks) === BigInt(owedMicros)
      : yes === BigInt(setsLots) && no === BigInt(setsLots - bundlesLots);
  if (!isWhole)
    throw new SnapshotError(`positions: ${yes} YES and ${no} NO lots of market ${index}`);
  const isCrossed = book.bestAsk !== NONE && book.bestBid >= book.bestAsk;
  const isOver = status >= CLOSED && book.bidCount + book.askCount > 0;
  if (isCrossed || isOver) throw new SnapshotError(`orders: what rests in market ${index} can't`);
}
