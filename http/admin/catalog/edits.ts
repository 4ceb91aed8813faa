/**
 * The operator's edits of the catalog: texts of events and markets, and tags, series and creators.
 * `GET /catalog-actions` lists them. They are not in the journal, because they are not commands of
 * the engine.
 *
 * Invariant: a field that the engine owns is refused, with the route that changes it.
 */
import { type Static, type TProperties, Type } from 'typebox';
import { written } from '../../../catalog/routes/index.ts';
import type { CatalogAddition, CatalogEdit, CatalogEdited } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { OptionalText, OptionalTrueFalse, Text } from '../../parameters/index.ts';
import { defineRoute, type Route, type Services } from '../../services/index.ts';
import { ATTRIBUTION, DuplicateAction, recordError, saidIn } from '../shared/action-route.ts';

function texts(description: string) {
  return Type.Optional(Type.Array(Type.String(), { description }));
}

const SHARED = {
  description: OptionalText('The rules of its resolution'),
  resolutionSource: OptionalText('Where the result is published'),
  image: OptionalText('URL of a picture'),
  icon: OptionalText('URL of a picture'),
  startDate: OptionalText('ISO 8601 with a time zone, up to the year 9999; empty for none'),
  endDate: OptionalText('ISO 8601 with a time zone, up to the year 9999; empty for none'),
} as const;

const EVENT = {
  title: OptionalText('Its name'),
  ticker: OptionalText('A short name'),
  creationDate: OptionalText('ISO 8601 with a time zone, up to the year 9999; empty for none'),
  creator: OptionalText('Wallet address of the creator'),
  archived: OptionalTrueFalse('Whether lists show it only if they ask for archived events'),
  featured: OptionalTrueFalse('Whether it is shown first'),
  tags: texts('Slugs of tags, in order'),
  series: texts('Slugs of series, in order'),
  ...SHARED,
} as const;
const MARKET = {
  question: OptionalText('The question that it answers'),
  groupItemTitle: OptionalText('Its short name within the event'),
  ...SHARED,
} as const;
const SERIES = {
  title: OptionalText('Its name'),
  ticker: OptionalText('A short name'),
  seriesType: OptionalText('Such as single'),
  recurrence: OptionalText('Such as daily'),
  image: OptionalText('URL of a picture'),
  icon: OptionalText('URL of a picture'),
  active: OptionalTrueFalse('For the list filter `active`'),
  closed: OptionalTrueFalse('For the list filter `closed`'),
  archived: OptionalTrueFalse('For the list filter `archived`'),
} as const;
const TAG = {
  label: OptionalText('Its name'),
  requiresTranslation: OptionalTrueFalse('Whether clients should translate the label'),
} as const;
const CREATOR = {
  creatorName: OptionalText('Its name'),
  creatorHandle: OptionalText('Such as @ada'),
  creatorUrl: OptionalText('URL of its page'),
  creatorImage: OptionalText('URL of a picture'),
  wallet: OptionalText('Wallet address of the creator, for the filter `creator`'),
  sites: texts('Identifiers of sites with its markets, also for the filter `creator`'),
} as const;

const FIXED = 'left out: it is fixed when the record is created';
const TERMS = 'left out: POST /markets/{condition_id}/terms changes it';
const STATE = 'left out: POST /markets/{condition_id}/open, /state, /close and /resolve change it';
const TRADED = 'left out: trading decides it';

/** Fields that can't be edited, each with the reason or the route that changes it. */
const NOT_EDITABLE: ReadonlyMap<string, string> = new Map([
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
/** What `ATTRIBUTION` adds to each body. */
type Said = Parameters<typeof saidIn>[0];

/** The edits in a body. Throws `invalid_payload` if it has other fields, or no edit. */
function changesIn(body: Fields, known: TProperties): Fields {
  const { by: _by, reason: _reason, ...changes } = body;
  for (const field of Object.keys(changes)) {
    if (Object.hasOwn(known, field)) continue;
    const limit = NOT_EDITABLE.get(field) ?? `one of ${Object.keys(known).join(', ')}`;
    throw new ApiError('invalid_payload', { field, limit, actual: echo(changes[field]) });
  }
  if (Object.keys(changes).length > 0) return changes;
  const limit = `at least one of ${Object.keys(known).join(', ')}`;
  throw new ApiError('invalid_payload', { field: '', limit, actual: 'none' });
}

const Edited = Type.Object({ id: Type.String(), duplicate: DuplicateAction });

/** The answer to a write. Throws a refusal as an `ApiError`, with the field names of the body. */
async function answerTo(write: Promise<CatalogEdited>): Promise<Static<typeof Edited>> {
  try {
    const { id, changed } = await written(write);
    return { id: `${id}`, duplicate: !changed };
  } catch (error) {
    throw recordError(error, 'record_exists', ({ field }) => field);
  }
}

const DIGITS = /^[1-9]\d{0,14}$/;

/** Reads a numeric id, or the condition id of a market. Throws `id_not_found`. */
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
    summary: `Edit the content of ${kind === 'event' ? 'an' : 'a'} ${kind}`,
    auth: 'operator',
    params: Type.Object({ id: Text('Numeric id in the catalog') }),
    body: Type.Object(
      { ...fields, ...ATTRIBUTION },
      {
        description:
          'Fields that are left out keep their value. No import or sync changes an edited field',
      },
    ),
    response: Edited,
    needs: ['exchange'],
    handler: ({ params, body, caller, request: { nowMs }, services }) => {
      const edit = {
        kind,
        id: idIn(kind, params.id, services),
        changes: changesIn(body as Fields, fields),
        nowIso: isoTime(nowMs),
        said: saidIn(body as Said, caller),
      };
      return answerTo(services.exchange.catalog.write.edit(edit));
    },
  });
}

function addRoute(kind: CatalogAddition['kind'], path: string, fields: TProperties) {
  return defineRoute({
    method: 'POST',
    path,
    summary: `Create a ${kind}`,
    auth: 'operator',
    body: Type.Object({ ...fields, ...ATTRIBUTION }),
    response: Edited,
    needs: ['exchange'],
    handler: ({ body, caller, request: { nowMs }, services }) => {
      const record = changesIn(body as Fields, fields);
      const said = saidIn(body as Said, caller);
      const addition = { kind, record, nowIso: isoTime(nowMs), said };
      return answerTo(services.exchange.catalog.write.add(addition));
    },
  });
}

const Slug = Text('Unique; a repeated request is recognized by it');

export const CATALOG_EDIT_ROUTES: readonly Route[] = [
  editRoute('event', '/events', EVENT),
  editRoute('market', '/markets', MARKET),
  editRoute('series', '/series', SERIES),
  editRoute('tag', '/tags', TAG),
  editRoute('creator', '/creators', CREATOR),
  addRoute('series', '/series', { slug: Slug, ...SERIES, title: Type.String() }),
  addRoute('tag', '/tags', { slug: Slug, ...TAG, label: Type.String() }),
  addRoute('creator', '/creators', { ...CREATOR, creatorName: Type.String() }),
];
