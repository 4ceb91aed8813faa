/**
 * Projects the volume of each market: in total, and before each hour with a trade. The volume of a
 * trade is what its taker paid or received, size x price in whole micros (wire 8.7). Makers add
 * nothing: otherwise every trade would count twice. Bounds: one entry for each market that traded
 * since the start; STORE_BOUNDS.volumeHours hours of a market, counted from its own newest hour, so
 * that the rows do not depend on the steps.
 */
import { cashFor, HOUR_MS } from '../../engine/model/index.ts';
import {
  addWide,
  STORE_BOUNDS,
  type TradeHead,
  type WideSum,
  wideSum,
  wideText,
} from '../shared/index.ts';
import type { ProjectionStatements } from './statements.ts';

interface Volume {
  readonly marketKey: number;
  micros: WideSum;
  lots: WideSum;
  hour: number;
  /** Hours that began in this step, each with the volume before it. */
  newHours: { readonly hour: number; readonly before: WideSum }[];
}

const NO_HOUR = -1;

export class ProjectionVolumes {
  readonly #statements: ProjectionStatements;
  /** By market. */
  readonly #volumes = new Map<number, Volume>();
  readonly #changed = new Set<Volume>();

  constructor(statements: ProjectionStatements) {
    this.#statements = statements;
  }

  add(marketKey: number, timeMs: number, trade: TradeHead): void {
    const volume = this.#volumeOf(marketKey);
    const hour = Math.floor(timeMs / HOUR_MS);
    if (hour > volume.hour) {
      volume.newHours.push({ hour, before: volume.micros });
      volume.hour = hour;
    }
    volume.micros = addWide(volume.micros, cashFor(trade.lots, trade.priceTicks));
    volume.lots = addWide(volume.lots, trade.lots);
    this.#changed.add(volume);
  }

  /** Writes the changed volumes, and removes hours that are too old. */
  flush(): void {
    const { putVolume, insertHour, deleteHours } = this.#statements;
    for (const volume of this.#changed) {
      const { marketKey, micros, lots, hour, newHours } = volume;
      putVolume.run(marketKey, wideText(micros), wideText(lots));
      if (newHours.length === 0) continue;
      for (const { hour, before } of newHours) insertHour.run(marketKey, hour, wideText(before));
      deleteHours.run(marketKey, hour - STORE_BOUNDS.volumeHours);
      volume.newHours = [];
    }
    this.#changed.clear();
  }

  #volumeOf(marketKey: number): Volume {
    const known = this.#volumes.get(marketKey);
    if (known !== undefined) return known;
    const stored = this.#statements.selectVolume.get(marketKey);
    const micros = stored === undefined ? 0 : wideSum(stored.micros);
    const lots = stored === undefined ? 0 : wideSum(stored.lots);
    const volume = { marketKey, micros, lots, hour: stored?.hour ?? NO_HOUR, newHours: [] };
    this.#volumes.set(marketKey, volume);
    return volume;
  }
}
