// The short form in which the built-in catalog is written, and the tags and series it uses.
// Ids are given, not counted: adding a record never moves another one's id.

export const BUILTIN_TAGS = {
  politics: { id: 1, label: 'Politics' },
  elections: { id: 2, label: 'Elections' },
  sports: { id: 3, label: 'Sports' },
  football: { id: 4, label: 'Football' },
  basketball: { id: 5, label: 'Basketball' },
  tennis: { id: 6, label: 'Tennis' },
  crypto: { id: 7, label: 'Crypto' },
  bitcoin: { id: 8, label: 'Bitcoin' },
  ethereum: { id: 9, label: 'Ethereum' },
  'up-or-down': { id: 10, label: 'Up or Down' },
  weather: { id: 11, label: 'Weather' },
  economy: { id: 12, label: 'Economy' },
  rates: { id: 13, label: 'Interest rates' },
  culture: { id: 14, label: 'Culture' },
  film: { id: 15, label: 'Film' },
  music: { id: 16, label: 'Music' },
  science: { id: 17, label: 'Science' },
  space: { id: 18, label: 'Space' },
  tech: { id: 19, label: 'Tech' },
} as const;

export const BUILTIN_SERIES = {
  'btc-up-or-down-daily': {
    id: 1,
    title: 'BTC Up or Down Daily',
    recurrence: 'daily',
    picture: 'crypto',
  },
  'fed-interest-rates': {
    id: 2,
    title: 'Fed Interest Rates',
    recurrence: 'monthly',
    picture: 'economy',
  },
  'oslo-rain-weekly': { id: 3, title: 'Rain in Oslo', recurrence: 'weekly', picture: 'weather' },
} as const;

export interface MarketDefinition {
  /** Its slug is made from it. */
  readonly question: string;
  /** Short name inside the event, where there are several. */
  readonly label?: string;
  /** Yes and No where nothing else is said. */
  readonly outcomes?: readonly [string, string];
}

export interface EventDefinition {
  /** The markets of event 12 have the ids 1200, 1201 and so on. */
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  /** How the markets resolve: the description of the event and of each of its markets. */
  readonly rules: string;
  /** Who publishes the result. */
  readonly source: string;
  /** ISO 8601, UTC. */
  readonly endDate: string;
  readonly tags: readonly (keyof typeof BUILTIN_TAGS)[];
  readonly series?: keyof typeof BUILTIN_SERIES;
  /** Exactly one market of the event resolves to Yes. */
  readonly negRisk?: true;
  /** 0.01 where nothing else is said. */
  readonly tick?: 0.1 | 0.001 | 0.0001;
  /** 5 tokens where nothing else is said. */
  readonly minimum?: 1;
  readonly markets: readonly MarketDefinition[];
}

/** One market for each label: the label stands where the question has a `#`. */
export function eachOf(question: string, labels: readonly string[]): MarketDefinition[] {
  return labels.map((label) => ({ label, question: question.replace('#', label) }));
}
