/**
 * Trades that a fault tells to walk through a list of statuses.
 *
 * Invariant: the trade is settled when it is matched, whatever is told: balances, positions and
 * the analytics are those of a settled trade. When its fault is removed, its parties are told
 * CONFIRMED, and reads say so.
 * Bound: `FAULT_BOUNDS.toldTrades`.
 */

import { SECOND_MS } from '../../engine/model/index.ts';
import type { ToldStatus, ToldTrades, TradeStatus } from '../../http/format/index.ts';
import type { Streams, ToldTrade } from '../../http/streams/index.ts';
import type { Registry } from '../../http/views/index.ts';
import { type DurableCommand, type TradeHead, tradesOf } from '../../persistence/index.ts';
import { FAULT_BOUNDS } from '../faults/bounds.ts';
import { type FaultParty, type FaultSubject, NO_REQUEST } from '../faults/match.ts';
import type { FaultRegistry } from '../faults/registry.ts';
import { TRADE_STATUS } from '../faults/stream-kinds.ts';

interface Step {
  readonly status: TradeStatus;
  /** By the clock of faults. */
  readonly dueMs: number;
}

interface Walk {
  readonly faultId: string;
  readonly trade: ToldTrade;
  readonly steps: readonly Step[];
  /** How many steps are told, and how many of them were told when the trade became durable. */
  toldCount: number;
  readonly atOnce: number;
}

interface WalkParts {
  readonly faults: FaultRegistry;
  readonly registry: Registry;
  readonly streams: () => Pick<Streams, 'tellTrade'>;
}

export class TradeWalks implements ToldTrades {
  readonly #parts: WalkParts;
  /** By trade id. */
  readonly #walks = new Map<string, Walk>();

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#walks.size === 0;
  }

  /** Takes a durable batch. `keyOf`: the API key that placed an order. */
  begin(commands: readonly DurableCommand[], keyOf: (orderId: string) => string): void {
    if (!this.#parts.faults.sites.trade.isArmed) return;
    for (const command of commands) {
      if (!command.events.some(({ kind }) => kind === 'fill')) continue;
      for (const trade of tradesOf(command)) this.#begin(trade, command.timeMs, keyOf);
    }
  }

  /** The statuses that are told when the trade becomes durable; undefined for a trade as usual. */
  atOnce(tradeId: string): readonly TradeStatus[] | undefined {
    const walk = this.#walks.get(tradeId);
    return walk?.steps.slice(0, walk.atOnce).map(({ status }) => status);
  }

  toldOf(tradeId: string): ToldStatus | undefined {
    const walk = this.#walks.get(tradeId);
    if (walk === undefined) return undefined;
    // Until the first step is due, reads say its status too: they can't leave the trade out.
    const step = walk.steps[Math.max(0, walk.toldCount - 1)];
    return step && { status: step.status, sinceMs: step.dueMs };
  }

  /** Tells the steps that are due. */
  sweep(nowMs: number): void {
    for (const [tradeId, walk] of this.#walks) {
      for (const { status, dueMs } of walk.steps.slice(walk.toldCount)) {
        if (dueMs > nowMs) break;
        walk.toldCount += 1;
        this.#parts.streams().tellTrade(walk.trade, status, dueMs);
      }
      const isOver = walk.toldCount === walk.steps.length;
      if (isOver && walk.steps.at(-1)?.status === 'CONFIRMED') this.#walks.delete(tradeId);
    }
  }

  /** Tells the truth about the trades of a fault that is removed. */
  end(faultId: string, nowMs: number): void {
    for (const [tradeId, walk] of this.#walks) {
      if (walk.faultId !== faultId) continue;
      this.#walks.delete(tradeId);
      this.#parts.streams().tellTrade(walk.trade, 'CONFIRMED', nowMs);
    }
  }

  #begin(trade: TradeHead, timeMs: number, keyOf: (orderId: string) => string): void {
    const { faults } = this.#parts;
    if (this.#walks.size >= FAULT_BOUNDS.toldTrades) return;
    // Later steps need the keys, which are forgotten when the orders end.
    const keys = keysIn(trade, keyOf);
    const firing = faults.sites.trade.fire(TRADE_STATUS, this.#subjectOf(trade, keys));
    if (firing === undefined) return;
    const { nowMs } = faults;
    let dueMs = nowMs;
    const steps = firing.parameters.steps.map(({ status, after_seconds = 0 }) => {
      dueMs += after_seconds * SECOND_MS;
      return { status, dueMs };
    });
    const isLater = steps.findIndex((step) => step.dueMs > nowMs);
    const atOnce = isLater < 0 ? steps.length : isLater;
    this.#walks.set(trade.tradeId, {
      faultId: firing.fault.id,
      trade: { trade, timeMs, keyOf: (orderId) => keys.get(orderId) ?? '' },
      steps,
      toldCount: atOnce,
      atOnce,
    });
    const words = steps.map(({ status }) => status).join(', ');
    firing.note(`the trade ${trade.tradeId} is told to be ${words}`);
  }

  /** The taker first. */
  #subjectOf(trade: TradeHead, keys: ReadonlyMap<string, string>): FaultSubject {
    const { fills, takerOrderId } = trade;
    const { takerAccount = '', conditionId = '' } = fills[0] ?? {};
    const partyOf = (account: string, orderId: string): FaultParty => ({
      owner: this.#parts.registry.accountOwner(account) ?? account,
      apiKey: keys.get(orderId) ?? '',
    });
    return {
      ...NO_REQUEST,
      ...partyOf(takerAccount, takerOrderId),
      others: fills.map(({ makerAccount, makerOrderId }) => partyOf(makerAccount, makerOrderId)),
      accounts: [takerAccount, ...fills.map(({ makerAccount }) => makerAccount)],
      markets: [conditionId],
    };
  }
}

function keysIn(
  { takerOrderId, fills }: TradeHead,
  keyOf: (orderId: string) => string,
): ReadonlyMap<string, string> {
  const orderIds = [takerOrderId, ...fills.map(({ makerOrderId }) => makerOrderId)];
  return new Map(orderIds.map((orderId) => [orderId, keyOf(orderId)]));
}
