import { Type } from 'typebox';
import {
  CreatorParameter,
  catalogFailure,
  filledBytes,
  IncludeTag,
  isMarketId,
  MarketIdParameter,
  MergedMarket,
  marketNamed,
  OneCatalogMarket,
} from '../../../catalog/routes/index.ts';
import type { MarketQuery } from '../../../persistence/index.ts';
import { BytesReply, type OwnBytes, type Surface } from '../../api/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { FullMarket, formatFullMarket, liveMarket } from '../../format/index.ts';
import type { Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';

type MarketName = ReturnType<typeof marketNamed>;

/** Whether a creator is the wanted one, in upper or lower case; '' accepts any. */
function isOf(creator: string, wanted: string): boolean {
  return wanted === '' || creator.toLowerCase() === wanted.toLowerCase();
}

/** Whether a request gets the catalog's form alone, and the catalog's errors (wire 0.4). */
function isCatalogForm(surface: Surface, id: string): boolean {
  return surface === 'gamma' || (surface !== 'clob' && isMarketId(id));
}

function orderBookForm(
  services: Pick<Services, 'exchange' | 'registry' | 'books'>,
  name: MarketName,
  creator = '',
) {
  const { lookup } = services.exchange.catalog;
  const market = 'id' in name ? lookup.market(name.id) : lookup.marketByCondition(name.conditionId);
  if (market === undefined || !isOf(market.creator, creator)) return undefined;
  return formatFullMarket(liveMarket(market, services));
}

async function catalogForm(
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
  query: MarketQuery,
): Promise<OwnBytes | undefined> {
  const text = await services.exchange.catalog.read.market(query);
  return text === undefined ? undefined : filledBytes(text, services);
}

interface WantedMarket {
  readonly form: 'book' | 'catalog' | 'both';
  /** '' for any. */
  readonly creator: string;
  readonly withTags: boolean;
}

/** The market in the requested form; undefined for an unknown market. */
async function readMarket(
  services: Pick<Services, 'exchange' | 'registry' | 'books' | 'liveMarkets'>,
  market: MarketName,
  { form, ...wanted }: WantedMarket,
): Promise<unknown> {
  if (form === 'book') return orderBookForm(services, market, wanted.creator);
  const text = await catalogForm(services, { market, ...wanted });
  if (text === undefined) return undefined;
  if (form === 'catalog') return new BytesReply(200, text);
  // The creator is left out, because `catalogForm` has checked it.
  const own: object = JSON.parse(Buffer.from(text.bytes).toString());
  return { ...orderBookForm(services, market), ...own };
}

/**
 * GET /markets/{id} (wire 0.4): a numeric id gets the catalog's form, a condition id both forms in
 * one object. Under /clob the answer is the order-book form, under /gamma the catalog's.
 */
export const getMarket = defineRoute({
  method: 'GET',
  path: '/markets/{id}',
  showsPictures: true,
  summary: 'One market, by its numeric id or its condition id',
  auth: 'none',
  params: MarketIdParameter,
  query: Type.Object({ creator: CreatorParameter, include_tag: IncludeTag }),
  response: Type.Union([MergedMarket, OneCatalogMarket, FullMarket]),
  failureKeys: catalogFailure,
  needs: ['exchange', 'registry', 'books', 'liveMarkets'],
  handler: async ({ params: { id }, query, request: { surface }, services }) => {
    const isCatalog = isCatalogForm(surface, id);
    const form = surface === 'clob' ? 'book' : isCatalog ? 'catalog' : 'both';
    const found = await readMarket(services, marketNamed(id), {
      form,
      creator: query.creator ?? '',
      withTags: query.include_tag === true,
    });
    if (found !== undefined) return found;
    const code = isCatalog ? 'id_not_found' : 'market_not_found';
    throw new ApiError(code, { field: 'id', actual: echo(id) });
  },
});
