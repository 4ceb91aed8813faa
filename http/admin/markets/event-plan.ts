/**
 * Turns a request for an event or market into the record that the catalog stores and the plan of
 * commands that creates its markets.
 *
 * Invariant: nothing is changed here. What the request leaves out is derived or taken from the
 * event.
 */
import type { Command, CreateMarket } from '../../../engine/index.ts';
import { type Attribution, type CatalogPlan, planName } from '../../../persistence/index.ts';
import { isoTime, lotsNumber, ticksNumber } from '../../codec/index.ts';
import type { Services } from '../../services/index.ts';
import {
  contentOfEvent,
  contentOfMarket,
  type EventRequest,
  type NewMarketRequest,
  type SharedTexts,
  sharedTexts,
} from './event-request.ts';

type Sources = Pick<Services, 'exchange'>;

/** A record in the form of an import, and its plan. */
export interface Planned {
  readonly record: unknown;
  readonly plan: CatalogPlan;
}

export interface PlanOrigin extends Attribution {
  readonly nowMs: number;
}

/** Chooses a different id for each record of a request. */
class IdChooser {
  readonly #exchange: Sources['exchange'];
  readonly #chosen = new Set<number>();

  constructor(exchange: Sources['exchange']) {
    this.#exchange = exchange;
  }

  /** The id of the request, or one derived from the slug. */
  choose(kind: 'event' | 'market' | 'tag', slug: string, given = ''): string {
    if (given !== '') {
      this.#chosen.add(Number(given));
      return given;
    }
    const id = this.#exchange.catalog.lookup.freeId(kind, slug, this.#chosen);
    this.#chosen.add(id);
    return `${id}`;
  }
}

/** The first of two texts that is not empty. */
function either(text: string, other: string | null): string {
  return text === '' ? (other ?? '') : text;
}

type NullableTexts = { readonly [Name in keyof SharedTexts]: string | null };

function asText(texts: readonly [string, string]): string {
  return JSON.stringify(texts);
}

/** What a market's record is made from besides its request. */
interface MarketContext {
  readonly id: string;
  readonly parent: NullableTexts;
  readonly nowIso: string;
}

function marketRecord(market: NewMarketRequest, { id, parent, nowIso }: MarketContext): object {
  return {
    ...market.texts,
    ...sharedTexts((name) => either(market.texts[name], parent[name])),
    id,
    conditionId: market.conditionId,
    questionID: market.questionID,
    outcomes: asText(market.outcomes),
    clobTokenIds: asText(market.clobTokenIds),
    orderPriceMinTickSize: ticksNumber(market.terms.tickTicks),
    orderMinSize: lotsNumber(market.terms.minimumLots),
    createdAt: nowIso,
    updatedAt: nowIso,
  };
}

function createCommand(
  { conditionId, clobTokenIds: tokenIds, terms }: NewMarketRequest,
  event: Pick<CreateMarket, 'negRisk' | 'eventId'>,
): CreateMarket {
  return { kind: 'create_market', conditionId, tokenIds, ...terms, ...event };
}

function openCommands({ open, none, markets }: EventRequest, eventId: string): readonly Command[] {
  if (!open) return [];
  const named = markets.find(({ texts }) => texts.slug === none);
  return [{ kind: 'open_event', eventId, noneConditionId: named?.conditionId ?? '' }];
}

/** Plans a new event with all its markets. */
export function planEvent(
  request: EventRequest,
  { by, reason, nowMs }: PlanOrigin,
  { exchange }: Sources,
): Planned {
  const { texts, negRisk, markets } = request;
  const ids = new IdChooser(exchange);
  const nowIso = isoTime(nowMs);
  const id = ids.choose('event', texts.slug, request.id);
  const parent = { ...texts, startDate: either(texts.startDate, nowIso) };
  const { lookup } = exchange.catalog;
  const tags = request.tags.map(({ slug, label }) => {
    const stored = lookup.tagRecord(slug);
    return stored ?? { id: ids.choose('tag', slug), slug, label, createdAt: nowIso };
  });
  const dates = { creationDate: nowIso, createdAt: nowIso, updatedAt: nowIso };
  const records = markets.map((market) => {
    const marketId = ids.choose('market', market.texts.slug, market.id);
    return marketRecord(market, { id: marketId, parent, nowIso });
  });
  const creates = markets.map((market) => createCommand(market, { negRisk, eventId: id }));
  return {
    record: { ...parent, ...dates, id, negRisk, tags, markets: records },
    plan: {
      name: planName('event', texts.slug),
      eventId: Number(id),
      request: contentOfEvent(request),
      commands: [...creates, ...openCommands(request, id)],
      evidence: { by, reason },
    },
  };
}

/** Plans another market of a stored event. */
export function planMarket(
  request: NewMarketRequest,
  event: { readonly id: number; readonly negRisk: boolean },
  { by, reason, nowMs }: PlanOrigin,
  { exchange }: Sources,
): Planned {
  const { slug } = request.texts;
  const nowIso = isoTime(nowMs);
  const id = new IdChooser(exchange).choose('market', slug, request.id);
  const stored = exchange.catalog.lookup.event(event.id);
  const parent = stored ?? request.texts;
  const eventId = `${event.id}`;
  return {
    record: marketRecord(request, { id, parent, nowIso }),
    plan: {
      name: planName('market', slug),
      eventId: event.id,
      request: { event_id: eventId, ...contentOfMarket(request) },
      commands: [createCommand(request, { negRisk: event.negRisk, eventId })],
      evidence: { by, reason },
    },
  };
}
