/**
 * The operator's requests for new events and markets. Texts have the names of the public catalog's
 * records; terms are those of terms.ts.
 *
 * Invariant: a request is normalized: everything that it leaves out and that does not depend on
 * stored data or the time is filled in. So equal requests have equal content.
 * Bound: the engine limits the markets of an event; the catalog limits the lengths of texts.
 */
import { type Static, Type } from 'typebox';
import { finerTickOf, MINIMUM_BUDGET_MICROS } from '../../../catalog/routes/index.ts';
import { BOUNDS, DEFAULT_TERMS, lots, type TradingTerms, ticks } from '../../../engine/index.ts';
import { deriveHexIdentity, deriveTokenIds } from '../../../persistence/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OptionalText, Text } from '../../parameters/index.ts';
import { TERMS_GIVEN, termsIn, termsOf } from './terms.ts';

const TAGS_AN_EVENT = 100;

function pair(description: string) {
  return Type.Optional(Type.Array(Type.String(), { minItems: 2, maxItems: 2, description }));
}

const RecordId = Type.Optional(
  Type.String({
    maxLength: 16,
    description: 'An unused number up to 999999999, as text; derived from the slug by default',
  }),
);

/** Texts of events and markets; a market takes a missing one from its event. */
const SHARED_TEXTS = {
  description: OptionalText('The rules of its resolution'),
  resolutionSource: OptionalText('Where the result is published'),
  startDate: OptionalText('ISO 8601 with a time zone, up to the year 9999; now by default'),
  endDate: OptionalText('ISO 8601 with a time zone, up to the year 9999'),
  image: OptionalText('URL of a picture'),
  icon: OptionalText('URL of a picture'),
} as const;

export const MARKET_INPUT = {
  slug: Text('Unique; the condition id and token ids are derived from it'),
  question: Type.String(),
  groupItemTitle: OptionalText('Its short name within the event, such as a candidate'),
  ...SHARED_TEXTS,
  outcomes: pair('Two labels; Yes and No by default'),
  id: RecordId,
  conditionId: OptionalText('0x and 64 hex digits; derived from the slug by default'),
  questionID: OptionalText('0x and 64 hex digits; derived from the slug by default'),
  clobTokenIds: pair('Two decimal numbers below 2^256; derived by default'),
  ...TERMS_GIVEN,
} as const;

const TagInput = Type.Object({ slug: Type.String(), label: Type.String() });

export const EVENT_INPUT = {
  slug: Text('Unique; a repeated request is recognized by it'),
  title: Type.String(),
  ticker: OptionalText('The slug by default'),
  ...SHARED_TEXTS,
  creator: OptionalText('Wallet address of the creator'),
  id: RecordId,
  tags: Type.Optional(
    Type.Array(TagInput, {
      maxItems: TAGS_AN_EVENT,
      description: 'A stored tag keeps its label',
    }),
  ),
  negRisk: Type.Optional(
    Type.Boolean({ default: false, description: 'Exactly one of the markets resolves to YES' }),
  ),
  open: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also opens a neg-risk event, like POST /events/{event_id}/open',
    }),
  ),
  none: OptionalText('Slug of the market that wins when no other does; with `open` only'),
  markets: Type.Array(Type.Object(MARKET_INPUT), {
    minItems: 1,
    maxItems: BOUNDS.marketsPerEvent,
  }),
} as const;

type MarketInput = Static<Type.TObject<typeof MARKET_INPUT>>;
export type EventInput = Static<Type.TObject<typeof EVENT_INPUT>>;

export type SharedTexts = Readonly<Record<keyof typeof SHARED_TEXTS, string>>;

/** A normalized request for a market; texts that were left out are empty. */
export interface NewMarketRequest {
  readonly texts: SharedTexts & {
    readonly slug: string;
    readonly question: string;
    readonly groupItemTitle: string;
  };
  readonly outcomes: readonly [string, string];
  readonly conditionId: string;
  readonly questionID: string;
  readonly clobTokenIds: readonly [string, string];
  readonly terms: TradingTerms;
  /** '' to derive one. */
  readonly id: string;
}

/** A normalized request for an event. */
export interface EventRequest {
  readonly texts: SharedTexts & {
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
  readonly markets: readonly NewMarketRequest[];
  readonly id: string;
}

/** The shared texts; `textOf` returns the text of each name. */
export function sharedTexts(textOf: (name: keyof SharedTexts) => string): SharedTexts {
  return {
    description: textOf('description'),
    resolutionSource: textOf('resolutionSource'),
    startDate: textOf('startDate'),
    endDate: textOf('endDate'),
    image: textOf('image'),
    icon: textOf('icon'),
  };
}

/** The terms of a body, with the defaults of catalog markets for those that it leaves out. */
function termsWithDefaults(body: MarketInput): TradingTerms {
  const given = termsIn(body);
  const { tickTicks = ticks(100) } = given;
  return {
    tickTicks,
    minimumLots: lots(500),
    minimumBudgetMicros: MINIMUM_BUDGET_MICROS,
    selfTrade: 'cancel_maker',
    ...DEFAULT_TERMS,
    finerTickTicks: finerTickOf(tickTicks),
    ...given,
  };
}

// Safe: the schema allows only lists of two texts.
function pairOf(texts: readonly string[]) {
  return texts as readonly [string, string];
}

/** Throws what `termsIn` throws. */
export function readMarket(body: MarketInput): NewMarketRequest {
  const { slug, question, groupItemTitle = '', id = '' } = body;
  const conditionId = body.conditionId?.toLowerCase() ?? deriveHexIdentity('condition', slug);
  return {
    texts: { slug, question, groupItemTitle, ...sharedTexts((name) => body[name] ?? '') },
    outcomes: pairOf(body.outcomes ?? ['Yes', 'No']),
    conditionId,
    questionID: body.questionID?.toLowerCase() ?? deriveHexIdentity('question', slug),
    clobTokenIds: pairOf(body.clobTokenIds ?? deriveTokenIds(conditionId)),
    terms: termsWithDefaults(body),
    id,
  };
}

/** The refusal of a part of a body, with the field's path from the top of the body. */
export function refusalWithin(path: string, { code, details }: ApiError): ApiError {
  return new ApiError(code, { ...details, field: `${path}.${details.field}` });
}

function readMarketOf(body: MarketInput, index: number): NewMarketRequest {
  try {
    return readMarket(body);
  } catch (error) {
    throw error instanceof ApiError ? refusalWithin(`markets.${index}`, error) : error;
  }
}

/** Throws what `termsIn` throws, and `event_malformed` for a `none` that is not in `markets`. */
export function readEvent(body: EventInput): EventRequest {
  const { slug, title, ticker = slug, creator = '', id = '', none = '' } = body;
  const { negRisk = false, open = false, tags = [] } = body;
  if (none !== '' && !(open && body.markets.some((market) => market.slug === none))) {
    const limit = 'with `open`, the slug of one of the markets';
    throw new ApiError('event_malformed', { field: 'none', limit, actual: none });
  }
  const texts = { slug, title, ticker, creator, ...sharedTexts((name) => body[name] ?? '') };
  return { texts, tags, negRisk, open, none, markets: body.markets.map(readMarketOf), id };
}

/** The content of a request, with the field names of its body, to compare it with a stored one. */
export function contentOfMarket(market: NewMarketRequest) {
  const { texts, outcomes, conditionId, questionID, clobTokenIds, terms } = market;
  return { ...texts, outcomes, conditionId, questionID, clobTokenIds, ...termsOf(terms) };
}

export function contentOfEvent({ texts, tags, negRisk, open, none, markets }: EventRequest) {
  return {
    ...texts,
    negRisk,
    open,
    none,
    tags,
    markets: markets.map(contentOfMarket),
  };
}
