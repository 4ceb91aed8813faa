/** Types of activity, and orders of lists of it. */

export const ACTIVITY_TYPES = ['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION'] as const;

export const ACTIVITY_SORTS = ['TIMESTAMP', 'TOKENS', 'CASH'] as const;
