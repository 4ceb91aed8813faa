/**
 * The schemas that several routes share, by the name the document gives them. A schema that is not
 * here is written out where it is used; `test/http/documentation` finds large ones that repeat.
 */
import type { TSchema } from 'typebox';
import { SetsAction } from '../admin/post-sets.ts';
import { ApiCredentials } from '../auth/issue.ts';
import { Failure } from '../failure-schema.ts';
import { OrderBook } from '../format/book.ts';
import {
  CatalogEvent,
  CatalogSeries,
  EventSummary,
  ListedCatalogMarket,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
} from '../format/catalog-market.ts';
import {
  CatalogTag,
  Comment,
  CommentProfile,
  EventCreator,
  PublicProfile,
  Reaction,
  SeriesBrief,
} from '../format/catalog-people.ts';
import { FeeDetails, FeeRate } from '../format/fees.ts';
import { FullMarket } from '../format/full-market.ts';
import { LastTradesPrices } from '../format/last-trade.ts';
import { MarketTradeEvent } from '../format/live-activity.ts';
import { Rewards, SimplifiedMarket } from '../format/market.ts';
import { AccountOrder } from '../format/order.ts';
import { TokenList } from '../format/token-list.ts';
import { ConversionAnswer, RedemptionAnswer, SetsAnswer } from '../format/token-moves.ts';
import { AccountTrade } from '../format/trade.ts';
import { HealthReport } from '../health.ts';
import { OrderRefusal, OrderResult } from '../orders/result.ts';
import { SubmissionBody } from '../orders/submission.ts';
import { CancelResult } from '../routes/cancel-result.ts';
import { BalanceAllowance } from '../routes/get-balance-allowance.ts';
import { EmptyPage } from '../routes/rewards.ts';
import { SetsSubmission } from '../routes/sets.ts';
import { CommentAnswer } from '../routes/words/comments.ts';

export const SHARED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  AccountOrder,
  AccountTrade,
  ApiCredentials,
  BalanceAllowance,
  CancelResult,
  CatalogEvent,
  CatalogSeries,
  CatalogTag,
  Comment,
  CommentAnswer,
  CommentProfile,
  CommentReaction: Reaction,
  ConversionAnswer,
  EmptyPage,
  EventCreator,
  EventSummary,
  Failure,
  FeeDetails,
  FeeRate,
  FullMarket,
  HealthReport,
  LastTradesPrices,
  ListedCatalogMarket,
  MarketTradeEvent,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
  OrderBook,
  OrderRefusal,
  OrderResult,
  OrderSubmission: SubmissionBody,
  PublicProfile,
  RedemptionAnswer,
  Rewards,
  SeriesBrief,
  SetsAction,
  SetsAnswer,
  SetsSubmission,
  SimplifiedMarket,
  TokenList,
};
