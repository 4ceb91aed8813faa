/**
 * Projects notifications: fills of orders that were open before, closes that the owner did not ask
 * for, and resolutions of markets of which the owner had tokens. Invariant: keys count from 1 in
 * order of the events. Bound: the notifications that were not dismissed. A resolution adds a row
 * for each owner with tokens of the market, in the transaction of its step: half a second for
 * 100,000 owners, during which reads wait.
 */
import type { NotificationsDismissed } from '../../engine/index.ts';
import type { ProjectionStatements } from './statements.ts';

/** A fill of an order that was open before, or a close that the owner did not ask for. */
export interface OrderNotice {
  readonly ownerKey: number;
  readonly timeMs: number;
  readonly orderKey: number;
  readonly filledLots: number;
  /** Both null for a close. */
  readonly tradeKey: number | null;
  readonly ordinal: number | null;
}

export interface ResolutionNotice {
  readonly timeMs: number;
  readonly marketKey: number;
  readonly payoutTicks: number;
}

/** The tokens of one account. */
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

  addOrderNotice(notice: OrderNotice): void {
    const { ownerKey, timeMs, orderKey, filledLots, tradeKey, ordinal } = notice;
    const ofOrder = [orderKey, filledLots, tradeKey, ordinal] as const;
    this.#insert(ownerKey, timeMs, ...ofOrder, null, null, null, null);
  }

  /** Adds one notice for each owner, in order of owner keys. */
  addResolution(resolution: ResolutionNotice, holdings: Iterable<Holding>): void {
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

  /** Ignores ids that are unknown or another owner's. */
  dismiss(ownerKey: number | undefined, { ids }: NotificationsDismissed): void {
    if (ownerKey === undefined) return;
    for (const id of ids) this.#statements.deleteNotification.run(ownerKey, id);
  }

  #insert(ownerKey: number, timeMs: number, ...rest: readonly (number | null)[]): void {
    this.#lastKey += 1;
    this.#statements.insertNotification.run(ownerKey, this.#lastKey, timeMs, ...rest);
  }
}
