/**
 * Events and markets as the operator writes them: the words in the names of the public catalog's
 * own records (interface.md "Event", "Catalog market"), the terms as in terms-input.ts.
 *
 * Invariant: what is asked for is brought to one form, with everything filled in that does not
 * depend on what is stored or on the time, so that the same request is the same content.
 * Bound: the engine's markets an event; texts as the catalog bounds them.
 */
import { type Static, Type } from 'typebox';
import { BOUNDS, lots, type TradingTerms, ticks } from '../../../engine/model/index.ts';
import { deriveHexIdentity, deriveTokenIds } from '../../../persistence/index.ts';
import { finerTickOf, MINIMUM_BUDGET_MICROS } from '../../catalog/index.ts';
import { ApiError } from '../../errors/index.ts';
import { TERMS_GIVEN, termsIn, termsOf } from './terms-input.ts';

const TAGS_AN_EVENT = 100;

function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
function pair(description: string) {
  return Type.Optional(Type.Array(Type.String(), { minItems: 2, maxItems: 2, description }));
}

const RecordId = Type.Optional(
  Type.String({
    maxLength: 16,
    description: 'A free number up to 999999999, as text; left out, derived',
  }),
);

/** What a market that leaves one out takes from its event. */
const SHARED_WORDS = {
  description: text('By what rules it resolves'),
  resolutionSource: text('Where the result is found'),
  startDate: text('ISO 8601 with its zone; left out, now'),
  endDate: text('ISO 8601 with its zone'),
  image: text('Address of a picture'),
  icon: text('Address of a picture'),
} as const;

/** One market; what it leaves out of the shared words it takes from its event. */
export const MARKET_INPUT = {
  slug: Type.String({ description: 'Unique; condition id and token ids are derived from it' }),
  question: Type.String(),
  groupItemTitle: text('Its short name inside the event, such as a candidate'),
  ...SHARED_WORDS,
  outcomes: pair('Two labels; left out, Yes and No'),
  id: RecordId,
  conditionId: text('0x and 64 hex digits; left out, derived'),
  questionID: text('0x and 64 hex digits; left out, derived'),
  clobTokenIds: pair('Two decimal numbers below 2^256; left out, derived'),
  ...TERMS_GIVEN,
} as const;

const TagInput = Type.Object({ slug: Type.String(), label: Type.String() });

export const EVENT_INPUT = {
  slug: Type.String({ description: 'Unique: the same again is known by it' }),
  title: Type.String(),
  ticker: text('Left out, the slug'),
  ...SHARED_WORDS,
  creator: text('Wallet address of the creator'),
  id: RecordId,
  tags: Type.Optional(
    Type.Array(TagInput, {
      maxItems: TAGS_AN_EVENT,
      description: 'A tag whose slug is stored keeps its label',
    }),
  ),
  negRisk: Type.Optional(
    Type.Boolean({ default: false, description: 'Exactly one of the markets resolves to YES' }),
  ),
  open: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Opens a neg-risk event too, as POST /events/{event_id}/open does',
    }),
  ),
  none: text('Slug of the market that wins when no other does; only with `open`'),
  markets: Type.Array(Type.Object(MARKET_INPUT), {
    minItems: 1,
    maxItems: BOUNDS.marketsPerEvent,
  }),
} as const;

type MarketInput = Static<Type.TObject<typeof MARKET_INPUT>>;
export type EventInput = Static<Type.TObject<typeof EVENT_INPUT>>;

type SharedWords = Readonly<Record<keyof typeof SHARED_WORDS, string>>;

/** A market in the one form; texts that were left out are empty. */
export interface AskedMarket {
  readonly words: SharedWords & {
    readonly slug: string;
    readonly question: string;
    readonly groupItemTitle: string;
  };
  readonly outcomes: readonly [string, string];
  readonly conditionId: string;
  readonly questionID: string;
  readonly clobTokenIds: readonly [string, string];
  readonly terms: TradingTerms;
  /** '' for one to be derived. */
  readonly id: string;
}

export interface AskedEvent {
  readonly words: SharedWords & {
    readonly slug: string;
    readonly title: string;
    readonly ticker: string;
    readonly creator: string;
  };
  readonly tags: readonly Static<typeof TagInput>[];
  readonly negRisk: boolean;
  readonly open: boolean;
  /** Slug of a market, or ''. */
  readonly none: string;
  readonly markets: readonly AskedMarket[];
  readonly id: string;
}

function sharedWordsOf(given: Partial<SharedWords>): SharedWords {
  return {
    description: given.description ?? '',
    resolutionSource: given.resolutionSource ?? '',
    startDate: given.startDate ?? '',
    endDate: given.endDate ?? '',
    image: given.image ?? '',
    icon: given.icon ?? '',
  };
}

/** Terms with those filled in that were not given: as the markets of the catalog have them. */
function termsAsked(body: MarketInput): TradingTerms {
  const given = termsIn(body);
  const { tickTicks = ticks(100) } = given;
  return {
    tickTicks,
    minimumLots: lots(500),
    minimumBudgetMicros: MINIMUM_BUDGET_MICROS,
    selfTrade: 'cancel_maker',
    takerFeeBps: 0,
    makerFeeBps: 0,
    feeExponent: 0,
    delaySeconds: 0,
    takerDelayMs: 0,
    finerTickTicks: finerTickOf(tickTicks),
    ...given,
  };
}

// Safe: the schema lets two texts through and no other list.
function pairOf(texts: readonly string[]) {
  return texts as readonly [string, string];
}

/** Throws what `termsIn` throws. */
export function marketAsked(body: MarketInput): AskedMarket {
  const { slug, question, groupItemTitle = '', id = '' } = body;
  const conditionId = body.conditionId?.toLowerCase() ?? deriveHexIdentity('condition', slug);
  return {
    words: { slug, question, groupItemTitle, ...sharedWordsOf(body) },
    outcomes: pairOf(body.outcomes ?? ['Yes', 'No']),
    conditionId,
    questionID: body.questionID?.toLowerCase() ?? deriveHexIdentity('question', slug),
    clobTokenIds: pairOf(body.clobTokenIds ?? deriveTokenIds(conditionId)),
    terms: termsAsked(body),
    id,
  };
}

/** A refusal of a part of a body, by the path of the whole. */
export function refusalWithin(path: string, { code, details }: ApiError): ApiError {
  return new ApiError(code, { ...details, field: `${path}.${details.field}` });
}

function marketWithin(body: MarketInput, place: number): AskedMarket {
  try {
    return marketAsked(body);
  } catch (error) {
    // The readers of terms know nothing of the list that the market stands in.
    throw error instanceof ApiError ? refusalWithin(`markets.${place}`, error) : error;
  }
}

/** Throws what `termsIn` throws, and `event_malformed` for a "none" that is no market of it. */
export function eventAsked(body: EventInput): AskedEvent {
  const { slug, title, ticker = slug, creator = '', id = '', none = '' } = body;
  const { negRisk = false, open = false, tags = [] } = body;
  if (none !== '' && !(open && body.markets.some((market) => market.slug === none))) {
    const limit = 'with `open`, the slug of one of the markets';
    throw new ApiError('event_malformed', { field: 'none', limit, actual: none });
  }
  const words = { slug, title, ticker, creator, ...sharedWordsOf(body) };
  return { words, tags, negRisk, open, none, markets: body.markets.map(marketWithin), id };
}

/** What a market's request says, in the names of its body: equal when the same is asked for. */
export function contentOfMarket(market: AskedMarket) {
  const { words, outcomes, conditionId, questionID, clobTokenIds, terms } = market;
  return { ...words, outcomes, conditionId, questionID, clobTokenIds, ...termsOf(terms) };
}

/** The same of an event's request. */
export function contentOfEvent({ words, tags, negRisk, open, none, markets }: AskedEvent) {
  return {
    ...words,
    negRisk,
    open,
    none,
    tags,
    markets: markets.map(contentOfMarket),
  };
}
