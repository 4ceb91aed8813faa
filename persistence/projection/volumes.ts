/**
 * What was traded in each market, in all and hour by hour. The volume of a trade is what its taker
 * paid or received, size x price in whole micros (wire 8.7), and its lots; makers add nothing, or
 * every trade would count twice. Bound: pending rows are one a market and hour of a step; of hours
 * a market keeps STORE_BOUNDS.volumeHours up to its own newest one, so that what is kept is the
 * same in whatever steps it was made.
 */
import { cashFor } from '../../engine/model/index.ts';
import type { TradeHead } from '../shared/index.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import type { ProjectionStatements } from './statements.ts';

export const HOUR_MS = 3_600_000;

interface Volume {
  readonly marketKey: number;
  readonly hour: number;
  micros: number;
  lots: number;
}

export class ProjectionVolumes {
  /** By market and hour. */
  readonly #pending = new Map<string, Volume>();
  /** The newest hour of each market that this wrote. */
  readonly #newest = new Map<number, number>();

  add(marketKey: number, timeMs: number, trade: TradeHead): void {
    const volume = this.#volumeOf(marketKey, Math.floor(timeMs / HOUR_MS));
    volume.micros += cashFor(trade.lots, trade.priceTicks);
    volume.lots += trade.lots;
  }

  /** Writes what was added up, and removes the hours that are too old by now. */
  flush({ addVolume, addHour, deleteHours }: ProjectionStatements): void {
    for (const volume of this.#pending.values()) {
      const { marketKey, hour } = volume;
      addVolume.run(volume);
      addHour.run(volume);
      if (this.#newest.get(marketKey) === hour) continue;
      deleteHours.run(marketKey, hour - STORE_BOUNDS.volumeHours);
      this.#newest.set(marketKey, hour);
    }
    this.#pending.clear();
  }

  #volumeOf(marketKey: number, hour: number): Volume {
    const key = `${marketKey} ${hour}`;
    const known = this.#pending.get(key);
    if (known !== undefined) return known;
    const made = { marketKey, hour, micros: 0, lots: 0 };
    this.#pending.set(key, made);
    return made;
  }
}
