/** Events and markets of an import that passed their checks, as rows. */
import type {
  EventFigureRow,
  EventRow,
  MarketRow,
  SeriesRow,
  ShownFigures,
  TagRow,
} from '../model/index.ts';

export interface CheckedMarket {
  /** The market's path in the import, for later refusals. */
  readonly path: string;
  readonly row: MarketRow;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  readonly figures: ShownFigures;
}

export interface CheckedEvent {
  readonly path: string;
  readonly row: EventRow;
  readonly figures: EventFigureRow;
  readonly markets: readonly CheckedMarket[];
  readonly tags: readonly TagRow[];
  readonly series: readonly SeriesRow[];
}

/** What a market inherits from its event. */
export interface ParentEvent {
  readonly eventId: number;
  readonly creator: string;
  readonly isNegRisk: boolean;
}
