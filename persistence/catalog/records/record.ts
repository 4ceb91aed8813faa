// The public catalog's own JSON form of its records (interface "Catalog market", "Event",
// "Series", wire 8). The built-in catalog is written in it and `import` reads it; an imported
// record may leave out what it doesn't know and may carry more fields than these.

export interface TagRecord {
  /** Numeric id as text, like every id of this form. */
  readonly id: string;
  readonly label: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly requiresTranslation: boolean;
}

export interface SeriesRecord {
  readonly id: string;
  readonly ticker: string;
  readonly slug: string;
  readonly title: string;
  readonly seriesType: string;
  readonly recurrence: string;
  readonly image: string;
  readonly icon: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface MarketRecord {
  readonly id: string;
  readonly question: string;
  /** `0x` and 64 lower-case hex digits. */
  readonly conditionId: string;
  readonly slug: string;
  readonly resolutionSource: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly image: string;
  readonly icon: string;
  readonly description: string;
  /** A JSON array of two labels, as text: `["Yes", "No"]`. */
  readonly outcomes: string;
  /** A JSON array of two decimal uint256 ids, as text, in the order of the outcomes. */
  readonly clobTokenIds: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** `0x` and 64 lower-case hex digits. */
  readonly questionID: string;
  /** The market's short name inside its event, such as a candidate's name; may be empty. */
  readonly groupItemTitle: string;
  /** 0.1, 0.01, 0.005, 0.0025, 0.001 or 0.0001. */
  readonly orderPriceMinTickSize: number;
  /** In outcome tokens. */
  readonly orderMinSize: number;
  readonly negRisk: boolean;
  readonly enableOrderBook: boolean;
  readonly acceptingOrders: boolean;
}

export interface EventRecord {
  readonly id: string;
  readonly ticker: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly resolutionSource: string;
  readonly startDate: string;
  readonly creationDate: string;
  readonly endDate: string;
  readonly image: string;
  readonly icon: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Who made it: a wallet's address. */
  readonly creator: string;
  /** Exactly one of the event's markets resolves to its first outcome. */
  readonly negRisk: boolean;
  /** `0x` and 64 lower-case hex digits for a neg-risk event, else empty. */
  readonly negRiskMarketID: string;
  readonly tags: readonly TagRecord[];
  readonly markets: readonly MarketRecord[];
  readonly series: readonly SeriesRecord[];
  readonly eventMetadata: Readonly<Record<string, unknown>>;
}
