/**
 * The schemas that several routes share, by their names in the document. Other schemas are written
 * out where they are used; a test finds large ones that repeat.
 */
import type { TSchema } from 'typebox';
import { CommentAnswer } from '../../catalog/routes/content/index.ts';
import {
  CatalogEvent,
  CatalogSeries,
  CatalogTag,
  EventCreator,
  EventOfMarket,
  EventSummary,
  InnerMarket,
  MarketFeeSchedule,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
  PublicProfile,
  SeriesBrief,
} from '../../catalog/routes/index.ts';
import { SetsAction } from '../admin/accounts/index.ts';
import { ApiCredentials } from '../auth/issue.ts';
import { DataFailure, Failure } from '../errors/index.ts';
import { BalanceHistory, ExplorerParty } from '../explorer/index.ts';
import {
  AccountOrder,
  AccountTrade,
  Comment,
  CommentProfile,
  ConversionAnswer,
  FeeDetails,
  FeeRate,
  FullMarket,
  LastTradesPrices,
  MarketTradeEvent,
  Reaction,
  RedemptionAnswer,
  Rewards,
  SetsAnswer,
  SimplifiedMarket,
} from '../format/index.ts';
import { HealthReport } from '../metrics/health.ts';
import { OrderRefusal, OrderResult } from '../orders/result.ts';
import { SubmissionBody } from '../orders/submission.ts';
import { SignerTier, VenueProfile } from '../profiles/profile-schema.ts';
import { BalanceAllowance, EmptyPage, SetsSubmission } from '../routes/account/index.ts';
import { DataPagination, ProfitPoint } from '../routes/data-v2/index.ts';
import { SimplifiedMarketPage } from '../routes/markets/index.ts';
import { CancelResult } from '../routes/orders/index.ts';
import { TokenList } from '../routes/prices/index.ts';
import { OrderBook } from '../views/index.ts';

export const SHARED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  AccountOrder,
  AccountTrade,
  ApiCredentials,
  BalanceAllowance,
  BalanceHistory,
  CancelResult,
  CatalogEvent,
  CatalogSeries,
  CatalogTag,
  Comment,
  CommentAnswer,
  CommentProfile,
  CommentReaction: Reaction,
  ConversionAnswer,
  DataFailure,
  DataPagination,
  EmptyPage,
  EventCreator,
  EventOfMarket,
  EventSummary,
  ExplorerParty,
  Failure,
  FeeDetails,
  FeeRate,
  FullMarket,
  HealthReport,
  LastTradesPrices,
  InnerMarket,
  MarketFeeSchedule,
  MarketTradeEvent,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
  OrderBook,
  OrderRefusal,
  OrderResult,
  OrderSubmission: SubmissionBody,
  ProfitPoint,
  PublicProfile,
  RedemptionAnswer,
  Rewards,
  SeriesBrief,
  SetsAction,
  SetsAnswer,
  SetsSubmission,
  SignerTier,
  SimplifiedMarket,
  SimplifiedMarketPage,
  TokenList,
  VenueProfile,
};
