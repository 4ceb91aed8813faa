/**
 * What an import may not change. Slugs, condition ids and token ids are unique; a stored market
 * keeps what trading depends on: its event, condition id, token ids and neg-risk mode. Texts,
 * pictures and states may change.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Flag, RefusalList } from '../model/index.ts';
import type { CheckedEvent, CheckedMarket } from '../records/index.ts';
import { placeholderSlug } from './placeholder-rows.ts';

/** What identifies a market. */
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

type SlugHolder = Statement<[string], { readonly id: number }>;

export class CatalogConflicts {
  readonly #sameNamedMarkets: Statement<[MarketNames], StoredMarket>;
  readonly #slugOfEvent: Statement<[number], { readonly slug: string }>;
  readonly #eventOfSlug: SlugHolder;
  readonly #tagOfSlug: SlugHolder;
  readonly #seriesOfSlug: SlugHolder;

  constructor(database: Database) {
    this.#sameNamedMarkets = database.prepare(SAME_NAMED_MARKETS);
    this.#slugOfEvent = database.prepare('SELECT slug FROM events WHERE id = ?');
    this.#eventOfSlug = database.prepare('SELECT id FROM events WHERE slug = ?');
    this.#tagOfSlug = database.prepare('SELECT id FROM tags WHERE slug = ?');
    this.#seriesOfSlug = database.prepare('SELECT id FROM series WHERE slug = ?');
  }

  sameNamedMarkets(names: MarketNames): StoredMarket[] {
    return this.#sameNamedMarkets.all(names);
  }

  /** Adds a refusal for each conflict of the event with stored records. */
  refuseConflicts(event: CheckedEvent, refusals: RefusalList): void {
    refuseTakenSlug(this.#eventOfSlug, event, refusals);
    this.refuseLabels(event, refusals);
    for (const market of event.markets) this.refuseMarketConflicts(market, refusals);
  }

  /** The same for a market of a stored event. */
  refuseMarketConflicts(market: CheckedMarket, refusals: RefusalList): void {
    for (const stored of this.#sameNamedMarkets.all(namesOf(market))) {
      refuseMarket(market, stored, refusals);
    }
  }

  /** Adds a refusal for each name of a new event that a stored record has. */
  refuseTakenEvent(event: CheckedEvent, refusals: RefusalList): void {
    const { id, slug } = event.row;
    const limit = 'that no other record has';
    if (this.#eventOfSlug.get(slug) !== undefined) {
      refusals.add(`${event.path}.slug`, `a slug ${limit}`, `${slug}, which is stored`);
    }
    const holder = this.#slugOfEvent.get(id)?.slug ?? placeholderSlug(id);
    if (holder !== placeholderSlug(id)) {
      refusals.add(`${event.path}.id`, `an id ${limit}`, `${id}, stored with slug ${holder}`);
    }
    this.refuseLabels(event, refusals);
    for (const market of event.markets) this.refuseTakenMarket(market, refusals);
  }

  /** The same for a new market. */
  refuseTakenMarket(market: CheckedMarket, refusals: RefusalList): void {
    for (const stored of this.#sameNamedMarkets.all(namesOf(market))) {
      for (const { path, limit, actual } of takenOf(market, stored)) {
        refusals.add(path, limit, actual);
      }
    }
  }

  /** Refuses tags and series that have the slug of another one. */
  refuseLabels(event: Pick<CheckedEvent, 'path' | 'tags' | 'series'>, refusals: RefusalList): void {
    event.tags.forEach((row, index) => {
      refuseTakenSlug(this.#tagOfSlug, { row, path: `${event.path}.tags[${index}]` }, refusals);
    });
    event.series.forEach((row, index) => {
      const path = `${event.path}.series[${index}]`;
      refuseTakenSlug(this.#seriesOfSlug, { row, path }, refusals);
    });
  }
}

export function namesOf({ row, tokenIds }: CheckedMarket): MarketNames {
  const { id, conditionId, slug } = row;
  return { id, conditionId, slug, token0: tokenIds[0], token1: tokenIds[1] };
}

interface SlugClaim {
  readonly path: string;
  readonly row: { readonly id: number; readonly slug: string };
}

function refuseTakenSlug(holder: SlugHolder, { row, path }: SlugClaim, refusals: RefusalList) {
  const holderId = holder.get(row.slug)?.id ?? row.id;
  if (holderId === row.id) return;
  refusals.add(
    `${path}.slug`,
    'a slug that no other record has',
    `${row.slug}, stored with id ${holderId}`,
  );
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

/** What the record would change in the market that is stored under its id. */
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
      limit: `${change.was}, because stored market ${stored.id} never changes it`,
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
