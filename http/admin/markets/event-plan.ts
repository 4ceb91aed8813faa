/**
 * What a request of the operator comes to: the record that the catalog stores, and the plan with
 * the commands that open its markets.
 *
 * Invariant: made without any effect; whatever was left out is derived or taken from the event.
 */
import type { Command, CreateMarket } from '../../../engine/index.ts';
import { type CatalogPlan, planName } from '../../../persistence/index.ts';
import { isoTime, lotsNumber, ticksNumber } from '../../codec/index.ts';
import type { Services } from '../../services/index.ts';
import {
  type AskedEvent,
  type AskedMarket,
  contentOfEvent,
  contentOfMarket,
} from './event-input.ts';

type Sources = Pick<Services, 'exchange'>;
type SharedWords = Pick<
  AskedMarket['words'],
  'description' | 'resolutionSource' | 'startDate' | 'endDate' | 'image' | 'icon'
>;

/** A record in the form of an import, with the plan for it. */
export interface Planned {
  readonly record: unknown;
  readonly plan: CatalogPlan;
}

export interface WhoWhyWhen {
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

/** Chooses ids for the records of one request, none twice. */
class IdChooser {
  readonly #exchange: Sources['exchange'];
  readonly #chosen = new Set<number>();

  constructor(exchange: Sources['exchange']) {
    this.#exchange = exchange;
  }

  /** As given, or derived from the slug. */
  choose(kind: 'event' | 'market' | 'tag', slug: string, given = ''): string {
    if (given !== '') {
      this.#chosen.add(Number(given));
      return given;
    }
    const id = this.#exchange.catalog.look.freeId(kind, slug, this.#chosen);
    this.#chosen.add(id);
    return `${id}`;
  }
}

/** The first of two texts that is not empty. */
function either(text: string, other: string | null): string {
  return text === '' ? (other ?? '') : text;
}

function inherited(words: SharedWords, parent: NullableWords): SharedWords {
  return {
    description: either(words.description, parent.description),
    resolutionSource: either(words.resolutionSource, parent.resolutionSource),
    startDate: either(words.startDate, parent.startDate),
    endDate: either(words.endDate, parent.endDate),
    image: either(words.image, parent.image),
    icon: either(words.icon, parent.icon),
  };
}
type NullableWords = { readonly [Name in keyof SharedWords]: string | null };

function asText(texts: readonly [string, string]): string {
  return JSON.stringify(texts);
}

/** What a market's record takes from elsewhere than its own request. */
interface MarketSurroundings {
  readonly id: string;
  readonly parent: NullableWords;
  readonly nowIso: string;
}

function marketRecord(market: AskedMarket, { id, parent, nowIso }: MarketSurroundings): object {
  return {
    ...market.words,
    ...inherited(market.words, parent),
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
  { conditionId, clobTokenIds: tokenIds, terms }: AskedMarket,
  event: Pick<CreateMarket, 'negRisk' | 'eventId'>,
): CreateMarket {
  return { kind: 'create_market', conditionId, tokenIds, ...terms, ...event };
}

function openCommands({ open, none, markets }: AskedEvent, eventId: string): readonly Command[] {
  if (!open) return [];
  const named = markets.find(({ words }) => words.slug === none);
  return [{ kind: 'open_event', eventId, noneConditionId: named?.conditionId ?? '' }];
}

/** A new event with all its markets. */
export function planEvent(
  asked: AskedEvent,
  { by, reason, nowMs }: WhoWhyWhen,
  { exchange }: Sources,
): Planned {
  const { words, negRisk, markets } = asked;
  const ids = new IdChooser(exchange);
  const nowIso = isoTime(nowMs);
  const id = ids.choose('event', words.slug, asked.id);
  const parent = { ...words, startDate: either(words.startDate, nowIso) };
  const { look } = exchange.catalog;
  const tags = asked.tags.map(({ slug, label }) => {
    const stored = look.tagRecord(slug);
    return stored ?? { id: ids.choose('tag', slug), slug, label, createdAt: nowIso };
  });
  const dates = { creationDate: nowIso, createdAt: nowIso, updatedAt: nowIso };
  const records = markets.map((market) => {
    const marketId = ids.choose('market', market.words.slug, market.id);
    return marketRecord(market, { id: marketId, parent, nowIso });
  });
  const creates = markets.map((market) => createCommand(market, { negRisk, eventId: id }));
  return {
    record: { ...parent, ...dates, id, negRisk, tags, markets: records },
    plan: {
      name: planName('event', words.slug),
      eventId: Number(id),
      request: contentOfEvent(asked),
      commands: [...creates, ...openCommands(asked, id)],
      evidence: { by, reason },
    },
  };
}

/** A further market of a stored event. */
export function planMarket(
  asked: AskedMarket,
  event: { readonly id: number; readonly negRisk: boolean },
  { by, reason, nowMs }: WhoWhyWhen,
  { exchange }: Sources,
): Planned {
  const { slug } = asked.words;
  const nowIso = isoTime(nowMs);
  const id = new IdChooser(exchange).choose('market', slug, asked.id);
  const stored = exchange.catalog.look.event(event.id);
  const parent = stored ?? asked.words;
  const eventId = `${event.id}`;
  return {
    record: marketRecord(asked, { id, parent, nowIso }),
    plan: {
      name: planName('market', slug),
      eventId: event.id,
      request: { event_id: eventId, ...contentOfMarket(asked) },
      commands: [createCommand(asked, { negRisk: event.negRisk, eventId })],
      evidence: { by, reason },
    },
  };
}
