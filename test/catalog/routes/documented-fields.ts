// The fields that the wire contract documents for each resource of the catalog (wire 8), copied by
// hand.

const EVENT_BRIEF = ['id', 'ticker', 'slug', 'title'];

const EVENT_SUMMARY = [
  ...EVENT_BRIEF,
  ...['description', 'resolutionSource', 'startDate', 'creationDate', 'endDate', 'image', 'icon'],
  ...['active', 'closed', 'archived', 'createdAt', 'updatedAt'],
];

const MARKET = [
  ...['id', 'question', 'conditionId', 'slug', 'resolutionSource', 'startDate', 'endDate', 'image'],
  ...['icon', 'description', 'outcomes', 'clobTokenIds', 'active', 'closed', 'archived'],
  ...['createdAt', 'updatedAt', 'questionID', 'events'],
];

const TAG = ['id', 'label', 'slug', 'createdAt', 'updatedAt', 'requiresTranslation'];

const SERIES_BRIEF = [
  ...['id', 'ticker', 'slug', 'title', 'seriesType', 'recurrence', 'image', 'icon'],
  ...['active', 'closed', 'archived', 'createdAt', 'updatedAt'],
];

/** By the name of the resource. */
export const INTERFACE_FIELDS = {
  eventBrief: EVENT_BRIEF,
  eventSummary: EVENT_SUMMARY,
  market: MARKET,
  mirroredMarket: [...MARKET, 'mirrorConditionId', 'mirrorClobTokenIds'],
  event: [...EVENT_SUMMARY, 'tags', 'markets', 'series', 'eventMetadata'],
  tag: TAG,
  seriesBrief: SERIES_BRIEF,
  series: [...SERIES_BRIEF, 'events'],
  comment: [
    ...['id', 'body', 'parentEntityType', 'parentEntityID', 'parentCommentID', 'userAddress'],
    ...['replyAddress', 'createdAt', 'updatedAt', 'profile', 'reactions', 'reportCount'],
    ...['reactionCount', 'replyCount', 'replies'],
  ],
  profile: [
    ...['name', 'pseudonym', 'displayUsernamePublic', 'bio', 'isMod', 'isCreator', 'proxyWallet'],
    ...['baseAddress', 'profileImage', 'profileImageOptimized', 'positions'],
  ],
  creator: [
    ...['id', 'creatorName', 'creatorHandle', 'creatorUrl', 'creatorImage'],
    ...['createdAt', 'updatedAt'],
  ],
  search: ['events', 'tags', 'pagination'],
  foundTag: ['id', 'label', 'slug', 'event_count'],
  pagination: ['hasMore', 'totalResults'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Fields that all records of the public catalogs have. */
const PUBLIC_FIELDS = [
  ...['new', 'featured', 'restricted', 'cyom', 'automaticallyActive', 'pendingDeployment'],
  ...['deploying', 'requiresTranslation'],
];

const WINDOWS = ['volume24hr', 'volume1wk', 'volume1mo', 'volume1yr'];

/** Further fields that every market of the public catalogs has. */
export const PUBLIC_MARKET_FIELDS = [
  ...PUBLIC_FIELDS,
  ...['marketMakerAddress', 'groupItemThreshold', 'hasReviewedDates', 'ready', 'funded'],
  ...['competitive', 'pagerDutyNotificationEnabled', 'approved', 'rewardsMinSize'],
  ...['rewardsMaxSpread', 'clearBookOnStart', 'manualActivation', 'negRiskOther', 'rfqEnabled'],
  ...['holdingRewardsEnabled', 'acceptingOrdersTimestamp', 'startDateIso', 'endDateIso'],
  ...['outcomePrices', 'orderPriceMinTickSize', 'orderMinSize', 'enableOrderBook'],
  ...['acceptingOrders', 'negRisk', 'groupItemTitle', 'umaResolutionStatuses'],
  ...['volume', 'volumeNum', ...WINDOWS, 'liquidity', 'liquidityNum'],
  ...['volumeClob', ...WINDOWS.map((name) => `${name}Clob`), 'liquidityClob'],
  ...['feesEnabled', 'feeSchedule', 'makerBaseFee', 'takerBaseFee'],
];

/** Fields of a market that are left out if they are not known (wire 8.3). */
export const OPTIONAL_MARKET_FIELDS = [
  ...['lastTradePrice', 'bestBid', 'bestAsk', 'spread', 'umaResolutionStatus', 'closedTime'],
];

/** Further fields that every event of the public catalogs has. */
export const PUBLIC_EVENT_FIELDS = [
  ...PUBLIC_FIELDS,
  ...['enableOrderBook', 'showAllOutcomes', 'showMarketImages', 'negRiskAugmented'],
  ...['negRisk', 'volume', ...WINDOWS, 'liquidity', 'liquidityClob', 'competitive'],
  ...['commentCount', 'enableNegRisk'],
];
