/**
 * What an import may not change. Slugs, condition ids and token ids are unique; a stored market
 * keeps what trading depends on: its event, condition id, token ids and neg-risk mode. Texts,
 * pictures and states may change.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import type { Flag, RefusalList } from '../model/index.ts';
import type { CheckedEvent, CheckedMarket } from '../records/event-records.ts';
import { placeholderSlug } from './placeholder-rows.ts';

export interface MarketNames {
  readonly id: number;
  readonly conditionId: string;
  readonly slug: string;
  readonly token0: string;
  readonly token1: string;
}

interface StoredMarket extends MarketNames {
  readonly eventId: number;
  readonly negRisk: Flag;
}

/** Every stored market that shares a name with the given one. */
const SAME_NAMED_MARKETS = `
SELECT m.id, m.event_id AS eventId, m.condition_id AS conditionId, m.slug, m.neg_risk AS negRisk,
  t0.token_id AS token0, t1.token_id AS token1
FROM markets m
JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1
WHERE m.id IN (
  SELECT id FROM markets WHERE id = @id OR condition_id = @conditionId OR slug = @slug
  UNION SELECT market_id FROM market_tokens WHERE token_id IN (@token0, @token1))
ORDER BY m.id`;

const OF_SLUG = {
  events: 'SELECT id FROM events WHERE slug = ?',
  tags: 'SELECT id FROM tags WHERE slug = ?',
  series: 'SELECT id FROM series WHERE slug = ?',
} as const;

export class CatalogConflicts {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  sameNamedMarkets(names: MarketNames): StoredMarket[] {
    return this.#sql.all<StoredMarket>(SAME_NAMED_MARKETS, names);
  }

  refuseConflicts(event: CheckedEvent, refusals: RefusalList): void {
    this.#refuseTakenSlug('events', event, refusals);
    this.refuseLabels(event, refusals);
    for (const market of event.markets) this.refuseMarketConflicts(market, refusals);
  }

  refuseMarketConflicts(market: CheckedMarket, refusals: RefusalList): void {
    for (const stored of this.sameNamedMarkets(namesOf(market))) {
      refuseMarket(market, stored, refusals);
    }
  }

  /** Adds a refusal for each name of a new event that a stored record has. */
  refuseTakenEvent(event: CheckedEvent, refusals: RefusalList): void {
    const { id, slug } = event.row;
    const limit = 'that no other record has';
    if (this.#sql.value(OF_SLUG.events, slug) !== undefined) {
      refusals.add(`${event.path}.slug`, `a slug ${limit}`, `${slug}, which is stored`);
    }
    const holder = this.#sql.value<string>('SELECT slug FROM events WHERE id = ?', id);
    if (holder !== undefined && holder !== placeholderSlug(id)) {
      refusals.add(`${event.path}.id`, `an id ${limit}`, `${id}, stored with slug ${holder}`);
    }
    this.refuseLabels(event, refusals);
    for (const market of event.markets) this.refuseTakenMarket(market, refusals);
  }

  refuseTakenMarket(market: CheckedMarket, refusals: RefusalList): void {
    for (const stored of this.sameNamedMarkets(namesOf(market))) {
      for (const { path, limit, actual } of takenOf(market, stored)) {
        refusals.add(path, limit, actual);
      }
    }
  }

  refuseLabels(event: Pick<CheckedEvent, 'path' | 'tags' | 'series'>, refusals: RefusalList): void {
    for (const kind of ['tags', 'series'] as const) {
      event[kind].forEach((row, index) => {
        this.#refuseTakenSlug(kind, { row, path: `${event.path}.${kind}[${index}]` }, refusals);
      });
    }
  }

  #refuseTakenSlug(
    table: keyof typeof OF_SLUG,
    { row, path }: SlugClaim,
    refusals: RefusalList,
  ): void {
    const holderId = this.#sql.value<number>(OF_SLUG[table], row.slug) ?? row.id;
    if (holderId === row.id) return;
    refusals.add(
      `${path}.slug`,
      'a slug that no other record has',
      `${row.slug}, stored with id ${holderId}`,
    );
  }
}

interface SlugClaim {
  readonly path: string;
  readonly row: { readonly id: number; readonly slug: string };
}

export function namesOf({ row, tokenIds }: CheckedMarket): MarketNames {
  const { id, conditionId, slug } = row;
  return { id, conditionId, slug, token0: tokenIds[0], token1: tokenIds[1] };
}

function refuseMarket(market: CheckedMarket, stored: StoredMarket, refusals: RefusalList): void {
  const faults = stored.id === market.row.id ? changesOf(market, stored) : takenOf(market, stored);
  for (const { path, limit, actual } of faults) refusals.add(path, limit, actual);
}

interface Fault {
  readonly path: string;
  readonly limit: string;
  readonly actual: string;
}

function changesOf(market: CheckedMarket, stored: StoredMarket): Fault[] {
  const { path, row } = market;
  const [token0, token1] = market.tokenIds;
  return [
    { path, was: `in event ${stored.eventId}`, is: `in event ${row.eventId}` },
    { path: `${path}.conditionId`, was: stored.conditionId, is: row.conditionId },
    {
      path: `${path}.clobTokenIds`,
      was: `${stored.token0}, ${stored.token1}`,
      is: `${token0}, ${token1}`,
    },
    { path: `${path}.negRisk`, was: `${stored.negRisk === 1}`, is: `${row.negRisk === 1}` },
  ]
    .filter(({ was, is }) => was !== is)
    .map((change) => ({
      path: change.path,
      limit: `${change.was}, which is fixed for the stored market ${stored.id}`,
      actual: change.is,
    }));
}

/** Which of the record's names another market has. */
function takenOf(market: CheckedMarket, stored: StoredMarket): Fault[] {
  const { path, row } = market;
  const storedTokens = [stored.token0, stored.token1];
  const sharedToken = market.tokenIds.find((id) => storedTokens.includes(id));
  return [
    { path: `${path}.id`, what: 'an id', shared: row.id === stored.id && `${row.id}` },
    { path: `${path}.slug`, what: 'a slug', shared: row.slug === stored.slug && row.slug },
    {
      path: `${path}.conditionId`,
      what: 'a condition id',
      shared: row.conditionId === stored.conditionId && row.conditionId,
    },
    { path: `${path}.clobTokenIds`, what: 'token ids', shared: sharedToken },
  ].flatMap(({ path, what, shared }) =>
    typeof shared === 'string'
      ? [
          {
            path,
            limit: `${what} that no other record has`,
            actual: `${shared}, stored with id ${stored.id}`,
          },
        ]
      : [],
  );
}
