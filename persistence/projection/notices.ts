/**
 * What owners are told of until they dismiss it: fills of orders that were open before, closes that
 * nobody asked for, resolutions of markets of which they had tokens. Invariant: the ids count from
 * 1 in order of the events, whatever steps those came in. Bound: what was not dismissed; a
 * resolution adds a row for each owner with tokens of the market, in the transaction of its step:
 * half a second for 100,000, in which reads wait.
 */
import type { NotificationsDismissed } from '../../engine/index.ts';
import type { ProjectionStatements } from './statements.ts';

/** Of an order that was closed unasked, or of a fill of one that was open before. */
export interface OrderNotice {
  readonly ownerKey: number;
  readonly timeMs: number;
  readonly orderKey: number;
  readonly filledLots: number;
  /** Both null for a close. */
  readonly tradeKey: number | null;
  readonly ordinal: number | null;
}

export interface Resolution {
  readonly timeMs: number;
  readonly marketKey: number;
  readonly payoutTicks: number;
}

/** Of one account of an owner. */
interface Holding {
  readonly ownerKey: number;
  readonly yesLots: number;
  readonly noLots: number;
}

export class ProjectionNotices {
  readonly #statements: ProjectionStatements;
  #lastKey: number;

  constructor(statements: ProjectionStatements) {
    this.#statements = statements;
    this.#lastKey = statements.selectNotificationKey.get() ?? 0;
  }

  get lastKey(): number {
    return this.#lastKey;
  }

  tellOfOrder(notice: OrderNotice): void {
    const { ownerKey, timeMs, orderKey, filledLots, tradeKey, ordinal } = notice;
    const ofOrder = [orderKey, filledLots, tradeKey, ordinal] as const;
    this.#insert(ownerKey, timeMs, ...ofOrder, null, null, null, null);
  }

  /** One notice an owner, in the order of their numbers, whatever order the holdings come in. */
  tellOfResolution(resolution: Resolution, holdings: Iterable<Holding>): void {
    const { timeMs, marketKey, payoutTicks } = resolution;
    const byOwner = new Map<number, Holding>();
    for (const { ownerKey, yesLots, noLots } of holdings) {
      const before = byOwner.get(ownerKey) ?? { yesLots: 0, noLots: 0 };
      const sums = { yesLots: before.yesLots + yesLots, noLots: before.noLots + noLots };
      byOwner.set(ownerKey, { ownerKey, ...sums });
    }
    const inOrder = [...byOwner.values()].sort((a, b) => a.ownerKey - b.ownerKey);
    for (const { ownerKey, yesLots, noLots } of inOrder) {
      const ofMarket = [marketKey, payoutTicks, yesLots, noLots] as const;
      this.#insert(ownerKey, timeMs, null, null, null, null, ...ofMarket);
    }
  }

  /** What is not there, or another's, stays as it is. */
  dismiss(ownerKey: number | undefined, { ids }: NotificationsDismissed): void {
    if (ownerKey === undefined) return;
    for (const id of ids) this.#statements.deleteNotification.run(ownerKey, id);
  }

  /** The values of the columns after the key. */
  #insert(ownerKey: number, timeMs: number, ...rest: readonly (number | null)[]): void {
    this.#lastKey += 1;
    this.#statements.insertNotification.run(ownerKey, this.#lastKey, timeMs, ...rest);
  }
}
