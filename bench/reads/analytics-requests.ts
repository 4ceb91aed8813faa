/**
 * The reads of the analytics benchmark, with pages of 100 or the largest that the route gives.
 * Busy accounts and markets are drawn more often, as in trading. Names and rare amounts are read
 * from the tables before the exchange starts.
 */
import SqliteDatabase from 'better-sqlite3';
import { Random } from '../../http/codec/random.ts';
import type { LoadRequest } from '../harness/closed-loop.ts';
import { readRequest } from '../harness/signing.ts';
import { skewed } from './analytics-generator.ts';

export interface Read {
  readonly name: string;
  make(): LoadRequest;
}

interface Names {
  readonly accounts: readonly string[];
  readonly conditionIds: readonly string[];
  readonly tokenIds: readonly string[];
  /** In collateral. About RARE_TRADES trades are at least as large. */
  readonly rareAmount: number;
  /** Larger than any trade. */
  readonly unheardAmount: number;
}

const RARE_TRADES = 50;

function namesOf(projectionPath: string): Names {
  const database = new SqliteDatabase(projectionPath, { readonly: true });
  const column = (sql: string): string[] => database.prepare<[], string>(sql).pluck().all();
  const cash = 'SELECT CAST(lots AS REAL) * price_ticks / 1e6 FROM trades ORDER BY 1 DESC LIMIT 1';
  const largest = (offset: number): number =>
    database.prepare<[number], number>(`${cash} OFFSET ?`).pluck().get(offset) ?? 0;
  const names = {
    accounts: column('SELECT address FROM accounts ORDER BY account_key'),
    conditionIds: column('SELECT condition_id FROM markets ORDER BY market_key'),
    tokenIds: column('SELECT yes_token FROM markets ORDER BY market_key'),
    rareAmount: largest(RARE_TRADES),
    unheardAmount: 2 * largest(0) + 1,
  };
  database.close();
  return names;
}

export function analyticsReads(projectionPath: string): Read[] {
  const { accounts, conditionIds, tokenIds, ...amounts } = namesOf(projectionPath);
  const random = new Random(7);
  const drawn = (names: readonly string[]): string => names[skewed(random, names.length)] ?? '';
  const several = (names: readonly string[], count: number): string[] => [
    ...new Set(Array.from({ length: count }, () => drawn(names))),
  ];
  const [user, market] = [() => drawn(accounts), () => drawn(conditionIds)];
  const get = (name: string, path: () => string): Read => ({
    name,
    make: () => readRequest(path()),
  });
  const post = (path: string, body: () => unknown): Read => ({
    name: `POST ${path}`,
    make: () => {
      const headers = { 'content-type': 'application/json' };
      return { method: 'POST', path, headers, body: JSON.stringify(body()) };
    },
  });
  const rare = `filterType=CASH&filterAmount=${amounts.rareAmount}`;
  const unheard = `filterType=CASH&filterAmount=${amounts.unheardAmount}`;
  const all = 'takerOnly=false&limit=100';
  return [
    get('/trades', () => '/trades?limit=100'),
    get('/trades, offset 10,000', () => `/trades?${all}&offset=10000`),
    get('/trades of a user', () => `/trades?${all}&user=${user()}`),
    get('/trades of a market', () => `/trades?${all}&market=${market()}`),
    get('/trades, rare amount', () => `/trades?${all}&${rare}`),
    get('/trades, absent amount', () => `/trades?${all}&${unheard}`),
    get('/trades of a user, rare', () => `/trades?${all}&user=${user()}&${rare}`),
    get('/trades of a market, rare', () => `/trades?${all}&market=${market()}&${rare}`),
    get('/activity', () => `/activity?limit=100&user=${user()}`),
    get('/positions', () => `/positions?limit=100&user=${user()}`),
    get('/positions by profit', () => `/positions?limit=100&sortBy=CASHPNL&user=${user()}`),
    get('/closed-positions', () => `/closed-positions?limit=50&user=${user()}`),
    get(
      '/closed-positions by title',
      () => `/closed-positions?limit=50&sortBy=TITLE&title=will&user=${user()}`,
    ),
    get('/holders', () => `/holders?limit=100&market=${market()}`),
    get('/value', () => `/value?user=${user()}`),
    get('/traded', () => `/traded?user=${user()}`),
    get('/oi', () => `/oi?market=${market()}`),
    get('/live-volume', () => `/live-volume?market=${market()}`),
    get('/v1/leaderboard', () => '/v1/leaderboard?limit=50'),
    get('/prices-history, a week', () => `/prices-history?interval=1w&market=${drawn(tokenIds)}`),
    get('/prices-history, all', () => `/prices-history?interval=max&market=${drawn(tokenIds)}`),
    post('/batch-prices-history', () => ({ markets: several(tokenIds, 20), interval: '1d' })),
    post('/data/volumes', () => ({
      include_24h: true,
      conditions: several(conditionIds, 100).map((conditionId) => ({ conditionId })),
    })),
  ];
}
