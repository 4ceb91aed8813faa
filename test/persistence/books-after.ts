/** The books of all markets after some commands, for a projection that continues from there. */
import { type LevelSummary, lots, type Ticks, ticks } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import type { MidpointBook } from '../../persistence/projection/prices.ts';

type Levels = Map<number, number>;

/** The books that follow from the events of the commands up to `seq`. */
export function booksAfter(durable: readonly DurableCommand[], seq: number): MidpointBook[] {
  const books = new Map<string, { tickTicks: Ticks; bid: Levels; ask: Levels }>();
  for (const { command, events } of durable.slice(0, seq)) {
    for (const event of events) {
      if (event.kind === 'market_created' && command.kind === 'create_market') {
        const { tickTicks } = command;
        books.set(event.conditionId, { tickTicks, bid: new Map(), ask: new Map() });
      } else if (event.kind === 'level_changed') {
        const levels = books.get(event.conditionId)?.[event.side];
        if (event.lots === 0) levels?.delete(event.priceTicks);
        else levels?.set(event.priceTicks, event.lots);
      }
    }
  }
  const sorted = (levels: Levels, sign: number): LevelSummary[] =>
    [...levels]
      .map(([price, size]): LevelSummary => [ticks(price), lots(size)])
      .sort(([a], [b]) => sign * (a - b));
  return [...books].map(([conditionId, { tickTicks, bid, ask }]) => ({
    conditionId,
    tickTicks,
    bids: sorted(bid, -1),
    asks: sorted(ask, 1),
  }));
}
