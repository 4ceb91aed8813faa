/**
 * Projects the volume of each market, in total and by the hour. The volume of a trade is what its
 * taker paid or received, size x price in whole micros (wire 8.7), and its lots. Makers add
 * nothing: otherwise every trade would count twice. Bounds: one pending row for each market and
 * hour of a step; STORE_BOUNDS.volumeHours hours of a market, counted from its own newest hour, so
 * that the rows do not depend on the steps.
 */
import { cashFor } from '../../engine/model/index.ts';
import { HOUR_MS, STORE_BOUNDS, type TradeHead } from '../shared/index.ts';
import type { ProjectionStatements } from './statements.ts';

interface Volume {
  readonly marketKey: number;
  readonly hour: number;
  micros: number;
  lots: number;
}

export class ProjectionVolumes {
  /** By market and hour. */
  readonly #pending = new Map<string, Volume>();
  /** The newest hour that was written, by market. */
  readonly #newest = new Map<number, number>();

  add(marketKey: number, timeMs: number, trade: TradeHead): void {
    const volume = this.#volumeOf(marketKey, Math.floor(timeMs / HOUR_MS));
    volume.micros += cashFor(trade.lots, trade.priceTicks);
    volume.lots += trade.lots;
  }

  /** Writes the pending volumes, and removes hours that are too old. */
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
