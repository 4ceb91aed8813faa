/**
 * Rate limits and overload protection: they decide which requests are refused.
 */
export { describeLimits, LimitsReply } from './describe-limits.ts';
export { FairQueue } from './fair-queue.ts';
export { parseRateLimits } from './limit-file.ts';
export { DEFAULT_RULES, dividedRules, type LimitRules } from './limit-table.ts';
export { Limits } from './limits.ts';
export { endOfTurn, Overload, type OverloadBounds, type WaitingOrders } from './overload.ts';
export { RecentUse } from './recent-use.ts';
export { isOrderBookForm } from './route-groups.ts';
export { networkOf } from './subject.ts';
