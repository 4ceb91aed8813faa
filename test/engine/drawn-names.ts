/** How people, orders and markets of the scenarios are called in the engine's hex and ids. */

const MARKETS = {
  first: { conditionId: `0x${'1'.repeat(64)}`, tokenIds: ['11', '12'] },
  second: { conditionId: `0x${'2'.repeat(64)}`, tokenIds: ['21', '22'] },
} as const;
/** Where the drawn book is; `YES2` and `NO2` are the tokens of the second market. */
export const FIRST_MARKET = MARKETS.first;
export const SECOND_MARKET = MARKETS.second;

const hexName = (name: string, digits: number): string =>
  `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`;
export const nameOf = (hex: string): string =>
  Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '');

export const addressOf = (account: string): string => hexName(account, 40);
export const orderIdOf = (label: string): string => hexName(label, 64);
export const labelOf = (orderId: string): string => nameOf(orderId);
/** The account of an order's label. */
export const accountOf = (label: string): string => label.replace(/\d+$/, '');
export const ownerOf = (account: string): string => account.replace(/-.*$/, '');
