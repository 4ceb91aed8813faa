/** The addresses and ids of the accounts, orders and markets in scenarios. */

const MARKETS = {
  first: { conditionId: `0x${'1'.repeat(64)}`, tokenIds: ['11', '12'] },
  second: { conditionId: `0x${'2'.repeat(64)}`, tokenIds: ['21', '22'] },
  third: { conditionId: `0x${'3'.repeat(64)}`, tokenIds: ['31', '32'] },
} as const;
/** The market with the drawn book; `YES2` and `NO2` are the tokens of the second market. */
export const FIRST_MARKET = MARKETS.first;
export const SECOND_MARKET = MARKETS.second;
/** Only in scenarios with a neg-risk event of three markets. */
export const THIRD_MARKET = MARKETS.third;
/** The id of the neg-risk event. */
export const EVENT = 'race';

/** Token ids by their names in scenarios. */
export const TOKENS: Readonly<Record<string, string>> = {
  YES: '11',
  NO: '12',
  YES2: '21',
  NO2: '22',
  YES3: '31',
  NO3: '32',
};

function hexName(name: string, digits: number): string {
  return `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`;
}
export function nameOf(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '');
}

export function addressOf(account: string): string {
  return hexName(account, 40);
}
export function orderIdOf(label: string): string {
  return hexName(label, 64);
}
export function labelOf(orderId: string): string {
  return nameOf(orderId);
}
/** A builder's code. */
export function codeOf(builder: string): string {
  return hexName(builder, 64);
}
/** The account of an order's label. */
export function accountOf(label: string): string {
  return label.replace(/\d+$/, '');
}
export function ownerOf(account: string): string {
  return account.replace(/-.*$/, '');
}
