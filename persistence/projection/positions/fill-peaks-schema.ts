/**
 * The table of peaks, a part of analytics.db: what is the largest of each run of fills, so that a
 * search for rare ones steps over the runs that have none.
 *
 * There are runs of all fills (scope 0, name_key 0), of each market (scope 1) and of each account
 * (scope 2), each in order of trade keys and cut between two trades. A run of level 1 is made of
 * the rows of trade_parties from `first_key` to `last_key` as soon as they are RUN_ROWS or more;
 * one of level 2 of RUNS_A_GROUP runs of level 1. What comes after the last run is not covered yet:
 * who has few fills has no runs, and the table is a small part of the fills whatever they are.
 *
 * The eight peaks are the most lots and the most cash of one row, by side, of takers' rows alone
 * and of all rows; 0 where the run has no such row. So whether a run has a row of some side, by a
 * taker or by anyone, and of at least some size or cash, is told by one of them exactly.
 */

/** Rows of a run: of fewer, a search would look at fewer in vain, and there would be more runs. */
export const RUN_ROWS = 32;
/** Runs of level 1 in one of level 2. */
export const RUNS_A_GROUP = 64;

export const PEAK_SCOPES = { all: 0, market: 1, account: 2 } as const;
export type PeakScope = keyof typeof PEAK_SCOPES;

const SIDES = ['buy', 'sell'] as const;
const WHOSE = ['taker', 'any'] as const;
const UNITS = ['lots', 'micros'] as const;

/** The columns, each with the condition and the amount of the rows of trade_parties in it. */
export const PEAKS: readonly (readonly [name: string, condition: string, amount: string])[] =
  SIDES.flatMap((side) =>
    WHOSE.flatMap((whose) =>
      UNITS.map((unit) => {
        const isOfSide = `side = '${side.toUpperCase()}'`;
        const isOfTaker = whose === 'taker' ? ' AND ordinal = 0' : '';
        const amount = unit === 'lots' ? 'lots' : 'lots * price_ticks';
        return [`${side}_${whose}_${unit}`, `${isOfSide}${isOfTaker}`, amount] as const;
      }),
    ),
  );

export const PEAK_TABLES = `
CREATE TABLE fill_peaks (
  scope INTEGER NOT NULL,
  name_key INTEGER NOT NULL,
  level INTEGER NOT NULL,
  first_key INTEGER NOT NULL,
  last_key INTEGER NOT NULL,
${PEAKS.map(([name]) => `  ${name} INTEGER NOT NULL,`).join('\n')}
  PRIMARY KEY (scope, name_key, level, first_key)
) STRICT, WITHOUT ROWID;
`;

/** Of a scope: where its rows of trade_parties, called `p`, are found in order of trade keys. */
export const PEAK_SOURCES: Readonly<Record<PeakScope, { from: string; where: string }>> = {
  all: { from: 'trade_parties AS p', where: 'TRUE' },
  market: {
    from:
      'trades AS t INDEXED BY trades_by_market ' +
      'CROSS JOIN trade_parties AS p ON p.trade_key = t.trade_key',
    where: 't.market_key = @nameKey',
  },
  account: {
    from: 'trade_parties AS p INDEXED BY parties_by_account',
    where: 'p.account_key = @nameKey',
  },
};

/** What the key is called that a scope's source is in order of. */
export function orderedKey(scope: PeakScope): string {
  return scope === 'market' ? 't.trade_key' : 'p.trade_key';
}
