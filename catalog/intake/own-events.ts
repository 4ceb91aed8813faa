/**
 * Events for markets whose records name none, as in a list of markets that lost their events. Every
 * method runs inside a transaction of its caller.
 *
 * Invariant: a market that is stored keeps its event. Markets with the same `negRiskMarketID` get
 * one event, because exactly one of them wins. Any other market gets an event of its own, with its
 * slug, question and texts.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { FIRST_PLACEHOLDER_ID, type Fields, listOf } from '../model/index.ts';
import { deriveNumericId } from '../records/identity.ts';

/** What an event takes from its first market. */
const SHARED = [
  ...['description', 'resolutionSource', 'image', 'icon', 'startDate', 'endDate', 'creator'],
  ...['createdAt', 'updatedAt', 'active', 'archived', 'negRisk', 'negRiskMarketID'],
];

// A placeholder is replaced, and its event with it.
const EVENT_OF_MARKET = `
SELECT event_id FROM markets WHERE condition_id = ? AND id < ${FIRST_PLACEHOLDER_ID}`;
const NEG_RISK_EVENT = `
SELECT id FROM events WHERE neg_risk_event_id <> '' AND neg_risk_event_id = ?`;

const CLOSE_ENDED = `
UPDATE events SET closed = 1 WHERE id = ? AND NOT closed
  AND NOT EXISTS (SELECT 1 FROM markets WHERE event_id = events.id AND NOT closed)`;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export class OwnEvents {
  readonly #sql: StatementCache;
  readonly #made = new Set<number>();

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  get made(): number {
    return this.#made.size;
  }

  /** The market with the event that it gets; the same record if it names one. */
  completed(market: Fields): Fields {
    if (listOf(market.events).length > 0) return market;
    const known =
      this.#sql.value<number>(EVENT_OF_MARKET, textOf(market.conditionId)) ??
      this.#sql.value<number>(NEG_RISK_EVENT, textOf(market.negRiskMarketID));
    const event = known === undefined ? this.#newEvent(market) : { id: `${known}` };
    return { ...market, events: [event] };
  }

  /** Notes that the event is stored. Returns whether it was made here, for this market. */
  noteStored(market: Fields): boolean {
    const [event] = listOf(market.events);
    const { id, slug }: Fields = Object(event);
    // A stored event is named by its id alone.
    const isNew = slug !== undefined && !this.#made.has(Number(id));
    if (isNew) this.#made.add(Number(id));
    return isNew;
  }

  /** Closes the new events whose markets are all closed. */
  finish(): void {
    for (const id of this.#made) this.#sql.run(CLOSE_ENDED, id);
  }

  #newEvent(market: Fields): Fields {
    const isSlugTaken = (slug: string) =>
      this.#sql.value('SELECT 1 FROM events WHERE slug = ?', slug) !== undefined;
    let slug = textOf(market.slug);
    while (isSlugTaken(slug)) slug = `event-${slug}`;
    const isIdTaken = (id: number) =>
      this.#sql.value('SELECT 1 FROM events WHERE id = ?', id) !== undefined;
    const shared = SHARED.flatMap((name) => (name in market ? [[name, market[name]]] : []));
    return {
      ...Object.fromEntries(shared),
      id: `${deriveNumericId('event', slug, isIdTaken)}`,
      slug,
      title: market.question,
    };
  }
}
