/**
 * The operator's own words in the catalog: of what an import, a sync or POST /events brought, and
 * tags, series and creators of its own. Each is listed in GET /catalog-actions, for they are no
 * commands of the engine and the journal has none of them.
 *
 * Invariant: what the engine owns of a market is refused, with the route that changes it.
 */

import { type TProperties, Type } from 'typebox';
import {
  type CatalogAddition,
  type CatalogEdit,
  CatalogImportError,
} from '../../../persistence/index.ts';
import { written } from '../../catalog/index.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import type { Route, Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';
import { Duplicate, WHO_AND_WHY } from '../shared/index.ts';

function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }));
}
function texts(description: string) {
  return Type.Optional(Type.Array(Type.String(), { description }));
}

const SHARED = {
  description: text('By what rules it resolves'),
  resolutionSource: text('Where the result is found'),
  image: text('Address of a picture'),
  icon: text('Address of a picture'),
  startDate: text('ISO 8601 with its zone; empty for none'),
  endDate: text('ISO 8601 with its zone; empty for none'),
} as const;

const EVENT = {
  title: text('Its name'),
  ticker: text('A short name'),
  creationDate: text('ISO 8601 with its zone; empty for none'),
  creator: text('Wallet address of the creator'),
  archived: flag('Whether lists leave it to those who ask for archived events'),
  featured: flag('Whether it is shown first'),
  tags: texts('Slugs of tags, in order'),
  series: texts('Slugs of series, in order'),
  ...SHARED,
} as const;
const MARKET = {
  question: text('What is asked'),
  groupItemTitle: text('Short'),
  ...SHARED,
} as const;
const SERIES = {
  title: text('Its name'),
  ticker: text('A short name'),
  seriesType: text('Such as single'),
  recurrence: text('Such as daily'),
  image: text('Address of a picture'),
  icon: text('Address of a picture'),
  active: flag('For lists'),
  closed: flag('For lists'),
  archived: flag('For lists'),
} as const;
const TAG = {
  label: text('Its name'),
  requiresTranslation: flag('For those who translate'),
} as const;
const CREATOR = {
  creatorName: text('Its name'),
  creatorHandle: text('Such as @ada'),
  creatorUrl: text('Address of its page'),
  creatorImage: text('Address of a picture'),
  wallet: text('Whose events and markets are meant by `creator`'),
  sites: texts('Identifiers of sites that its markets are on: `creator` takes those too'),
} as const;

const FIXED = 'left out: it is fixed when the record is made';
const TERMS = 'left out: POST /markets/{condition_id}/terms changes it';
const STATE =
  'left out: POST /markets/{condition_id}/state, /close and /resolve change it, and /open';
const TRADED = 'left out: trading says it';

/** Fields that are the engine's, or what things are known by, each with what to do instead. */
const NOT_WORDS: ReadonlyMap<string, string> = new Map([
  ...['id', 'slug', 'conditionId', 'questionID', 'clobTokenIds', 'outcomes', 'negRisk'].map(
    (field) => [field, FIXED] as const,
  ),
  ...['negRiskMarketID', 'mirrorConditionId', 'mirrorClobTokenIds', 'createdAt', 'updatedAt'].map(
    (field) => [field, FIXED] as const,
  ),
  ...['orderPriceMinTickSize', 'orderMinSize', 'tick_size', 'minimum_order_size'].map(
    (field) => [field, TERMS] as const,
  ),
  ...['taker_fee_bps', 'maker_fee_bps', 'fees', 'makerBaseFee', 'takerBaseFee'].map(
    (field) => [field, TERMS] as const,
  ),
  ...['active', 'closed', 'acceptingOrders', 'enableOrderBook', 'status'].map(
    (field) => [field, STATE] as const,
  ),
  ...['outcomePrices', 'volume', 'liquidity', 'bestBid', 'bestAsk', 'lastTradePrice'].map(
    (field) => [field, TRADED] as const,
  ),
  ['markets', 'left out: POST /events/{event_id}/markets adds one'],
]);

type Fields = Readonly<Record<string, unknown>>;

/** The words of a body; throws `invalid_payload` for others, and for none. */
function changesIn(body: Fields, known: TProperties): Fields {
  const { by: _by, reason: _reason, ...changes } = body;
  for (const field of Object.keys(changes)) {
    if (Object.hasOwn(known, field)) continue;
    const limit = NOT_WORDS.get(field) ?? `one of ${Object.keys(known).join(', ')}`;
    throw new ApiError('invalid_payload', { field, limit, actual: echo(changes[field]) });
  }
  if (Object.keys(changes).length > 0) return changes;
  const limit = `at least one of ${Object.keys(known).join(', ')}`;
  throw new ApiError('invalid_payload', { field: '', limit, actual: 'none' });
}

/** In the names of the body. */
async function named<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await written(asked);
  } catch (error) {
    const first = error instanceof CatalogImportError ? error.refusals[0] : undefined;
    if (!(error instanceof CatalogImportError) || first === undefined) throw error;
    const { field, limit, actual } = first;
    throw new ApiError(error.kind === 'conflict' ? 'record_exists' : 'invalid_payload', {
      field,
      limit,
      actual,
    });
  }
}

const Edited = Type.Object({ id: Type.String(), duplicate: Duplicate });

const DIGITS = /^[1-9]\d{0,14}$/;

/** A numeric id; of a market also its condition id. */
function idIn(
  kind: CatalogEdit['kind'],
  given: string,
  { exchange }: Pick<Services, 'exchange'>,
): number {
  const { lookup } = exchange.catalog;
  const market = kind === 'market' ? lookup.marketByCondition(given.toLowerCase()) : undefined;
  if (market !== undefined) return Number(market.id);
  if (DIGITS.test(given)) return Number(given);
  throw new ApiError('id_not_found', { field: 'id', actual: echo(given) });
}

function editRoute(kind: CatalogEdit['kind'], path: string, fields: TProperties) {
  return defineRoute({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: `Edit the words of ${kind === 'event' ? 'an' : 'a'} ${kind}`,
    auth: 'operator',
    params: Type.Object({ id: Type.String({ description: 'Numeric, of the catalog' }) }),
    body: Type.Object(
      { ...fields, ...WHO_AND_WHY },
      { description: 'What is left out stays; what is said here no import or sync changes' },
    ),
    response: Edited,
    needs: ['exchange'],
    handler: async ({ params, body, request: { nowMs }, services }) => {
      const { by, reason } = body as { readonly by: string; readonly reason: string };
      const { id, changed } = await named(
        services.exchange.catalog.write.edit({
          kind,
          id: idIn(kind, params.id, services),
          changes: changesIn(body as Fields, fields),
          nowIso: isoTime(nowMs),
          said: { by, reason },
        }),
      );
      return { id: `${id}`, duplicate: !changed };
    },
  });
}

function addRoute(kind: CatalogAddition['kind'], path: string, fields: TProperties) {
  return defineRoute({
    method: 'POST',
    path,
    summary: `Make a ${kind}`,
    auth: 'operator',
    body: Type.Object({ ...fields, ...WHO_AND_WHY }),
    response: Edited,
    needs: ['exchange'],
    handler: async ({ body, request: { nowMs }, services }) => {
      const { by, reason } = body as { readonly by: string; readonly reason: string };
      const { id, changed } = await named(
        services.exchange.catalog.write.add({
          kind,
          record: changesIn(body as Fields, fields),
          nowIso: isoTime(nowMs),
          said: { by, reason },
        }),
      );
      return { id: `${id}`, duplicate: !changed };
    },
  });
}

const Slug = Type.String({ description: 'Unique: the same again is known by it' });

export const CATALOG_WORD_ROUTES: readonly Route[] = [
  editRoute('event', '/events', EVENT),
  editRoute('market', '/markets', MARKET),
  editRoute('series', '/series', SERIES),
  editRoute('tag', '/tags', TAG),
  editRoute('creator', '/creators', CREATOR),
  addRoute('series', '/series', { slug: Slug, ...SERIES, title: Type.String() }),
  addRoute('tag', '/tags', { slug: Slug, ...TAG, label: Type.String() }),
  addRoute('creator', '/creators', { ...CREATOR, creatorName: Type.String() }),
];
