/**
 * Fields that every record of the public catalogs has and that nothing here depends on. Strict
 * clients refuse a record without them, so a record that comes without gets them when it is stored.
 */
import type { MarketRow } from '../model/index.ts';

const SHARED = {
  new: false,
  featured: false,
  restricted: false,
  cyom: false,
  automaticallyActive: true,
  pendingDeployment: false,
  deploying: false,
  requiresTranslation: false,
} as const;

const MARKET = {
  ...SHARED,
  marketMakerAddress: '',
  groupItemThreshold: '0',
  hasReviewedDates: true,
  ready: false,
  funded: false,
  competitive: 0,
  pagerDutyNotificationEnabled: false,
  approved: true,
  rewardsMinSize: 0,
  rewardsMaxSpread: 0,
  clearBookOnStart: false,
  manualActivation: false,
  negRiskOther: false,
  rfqEnabled: false,
  holdingRewardsEnabled: false,
} as const;

const EVENT = {
  ...SHARED,
  enableOrderBook: true,
  showAllOutcomes: true,
  showMarketImages: true,
  negRiskAugmented: false,
} as const;

/** The further fields of a stored market or event with those that it lacks. */
function completed(record: string, fields: object): string {
  return JSON.stringify({ ...fields, ...JSON.parse(record) });
}

export function publicMarketRecord({ record, createdAt }: Pick<MarketRow, 'record' | 'createdAt'>) {
  // Markets of public catalogs have them all, and an import has many.
  if (record.includes('"marketMakerAddress":')) return record;
  return completed(record, { ...MARKET, acceptingOrdersTimestamp: createdAt });
}

export function publicEventRecord(record: string, isNegRisk: boolean): string {
  if (record.includes('"showAllOutcomes":')) return record;
  return completed(record, { ...EVENT, enableNegRisk: isNegRisk });
}
