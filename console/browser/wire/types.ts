/** The types of the answers: those of the schemas that the server documents its routes with. */
import type { Static } from 'typebox';
import type * as catalog from '../../../catalog/routes/index.ts';
import type * as explorer from '../../../http/explorer/index.ts';
import type * as format from '../../../http/format/index.ts';
import type * as analytics from '../../../http/routes/analytics/index.ts';
import type * as orders from '../../../http/routes/orders/index.ts';

export type {
  ExplorerAccount,
  ExplorerCommand,
  ExplorerListedCommand,
  ExplorerMarket,
  ExplorerOrder,
  ExplorerOrderState,
  ExplorerTrade,
  Signed,
} from '../../../http/explorer/index.ts';
export type { AccountTrade, Notification } from '../../../http/format/index.ts';
export type { ExchangeFacts } from '../../index.ts';

export type CatalogEvent = Static<typeof catalog.CatalogEvent>;
export type CatalogMarket = Static<typeof catalog.InnerMarket>;
export type CatalogTag = Static<typeof catalog.CatalogTag>;

/** GET /markets/{condition_id} */
export type Market = Static<typeof catalog.MergedMarket>;

/** GET /comments; an answer to one is a comment too. */
export type Comment = Static<typeof format.Comment>;

/** POST /order */
export type { OrderResult } from '../../../http/orders/result.ts';

/** DELETE /order */
export type CancelAnswer = Static<typeof orders.CancelResult>;

/** GET /positions */
export type OpenPosition = Static<typeof analytics.OpenPosition>;

/** GET /closed-positions */
export type ClosedPosition = Static<typeof analytics.ClosedPosition>;

/** GET /activity */
export type Activity = Static<typeof analytics.Activity>;

/** GET /trades */
export type TradeFill = Static<typeof analytics.TradeFill>;

/** POST /sets/split, POST /sets/merge */
export type SetsAnswer = Static<typeof format.SetsAnswer>;

/** POST /sets/redeem */
export type RedemptionAnswer = Static<typeof format.RedemptionAnswer>;

/** POST /sets/convert */
export type ConversionAnswer = Static<typeof format.ConversionAnswer>;

/** GET /balance-history */
export type BalanceHistory = Static<typeof explorer.BalanceHistory>;
