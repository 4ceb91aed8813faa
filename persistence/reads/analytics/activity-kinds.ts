/** What an account can have done, and what lists of it are sorted by. */

export const ACTIVITY_TYPES = ['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION'] as const;

export const ACTIVITY_SORTS = ['TIMESTAMP', 'TOKENS', 'CASH'] as const;
