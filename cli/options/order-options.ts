/** The options of `place-order` and `sign-order`. */
import { BOUNDS, ONE_TICKS, type OrderType, type Side } from '../../engine/model/index.ts';
import { isPrivateKey, isUint256 } from '../../http/signing/uint256.ts';
import { choiceKind, decimalKind, SWITCH, testedKind, wholeKind } from '../parser/kinds.ts';
import { flagTable, option, optional, type ValuesOf } from '../parser/option-table.ts';
import { DEV_KEYS } from './dev-keys.ts';
import { BASE_URL, COMMON_OPTIONS, DOMAINS_OPTION } from './serve-options.ts';

const SIDES: readonly Side[] = ['BUY', 'SELL'];
const ORDER_TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK'];
const YEAR_SECONDS = 31_536_000;

const PRICE = decimalKind(1, ONE_TICKS - 1, 4);
const SIZE = decimalKind(1, BOUNDS.orderLots, 2);
const BUDGET = decimalKind(1, BOUNDS.amountMicros, 6);

export const ORDER_OPTIONS = {
  ...flagTable({
    token: optional(
      testedKind('ID', isUint256, 'a token id: a plain decimal of up to 78 digits'),
      'The token to trade',
    ),
    side: optional(choiceKind(SIDES), 'Whether to buy or to sell it'),
    price: optional(PRICE, 'The worst price to trade at, a multiple of the tick size'),
    size: optional(SIZE, 'How many tokens'),
    amount: optional(
      BUDGET,
      'How much collateral to spend, instead of a size, in a FOK or FAK BUY',
    ),
    type: option<OrderType>(
      choiceKind(ORDER_TYPES),
      'GTC',
      'GTC: until cancelled; GTD: until a time; FOK: all at once or nothing; FAK: what fills now',
    ),
    expiresIn: option(wholeKind(1, YEAR_SECONDS), 3_600, 'Seconds until a GTD order expires'),
    postOnly: option(SWITCH, false, 'Refuse the order if it would trade at once (GTC and GTD)'),
    account: option(
      wholeKind(0, DEV_KEYS.length - 1),
      0,
      'Number of the dev account that places the order',
    ),
    privateKey: optional(
      testedKind('HEX', isPrivateKey, 'a private key: 0x and 64 hex digits'),
      'Private key to sign with instead of a dev account; set the variable to hide it from ps',
      { flag: '--key', variable: 'PRIVATE_KEY', isSecret: true },
    ),
    chain: option(
      wholeKind(1, Number.MAX_SAFE_INTEGER),
      137,
      'Chain that the order is signed for',
      { variable: 'CHAIN_ID' },
    ),
  }),
  domains: DOMAINS_OPTION,
  ...flagTable({
    url: option(BASE_URL, 'http://127.0.0.1:8080', 'Address of the exchange', {
      variable: 'EXCHANGE_URL',
    }),
  }),
  ...COMMON_OPTIONS,
};

/** What `sign-order` has besides. */
export const PRINT_OPTIONS = flagTable({
  curl: option(SWITCH, false, 'Print the request for "curl --config -" in place of JSON'),
});
export const SIGN_OPTIONS = { ...ORDER_OPTIONS, ...PRINT_OPTIONS };

/** The options that say what an order is, but not who signs it and where it is sent. */
export const ORDER_TERMS = [
  'token',
  'side',
  'price',
  'size',
  'amount',
  'type',
  'expiresIn',
  'postOnly',
] as const;

export type OrderValues = ValuesOf<typeof ORDER_OPTIONS>;
