/** The options of `place-order`. */
import {
  BOUNDS,
  lots,
  micros,
  ONE_TICKS,
  type OrderType,
  type Side,
  ticks,
} from '../../../engine/model/index.ts';
import { lotsText, microsText, ticksText } from '../../codec/index.ts';
import { isPrivateKey, isUint256 } from '../../signing/index.ts';
import { DEV_KEYS } from './dev-keys.ts';
import { choiceKind, decimalKind, SWITCH, testedKind, wholeKind } from './option-kinds.ts';
import { type OptionTable, option, type ValuesOf } from './option-table.ts';
import { COMMON_OPTIONS, DOMAINS_OPTION } from './serve-options.ts';

const SIDES: readonly Side[] = ['BUY', 'SELL'];
const ORDER_TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK'];
const YEAR_SECONDS = 31_536_000;

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search === '';
}

const CONTENT = {
  token: option<string | undefined>({
    flag: '--token',
    variable: '',
    key: '',
    kind: testedKind('ID', isUint256, 'a token id: a plain decimal of up to 78 digits'),
    fallback: undefined,
    meaning: 'The token to trade',
  }),
  side: option<Side | undefined>({
    flag: '--side',
    variable: '',
    key: '',
    kind: choiceKind(SIDES),
    fallback: undefined,
    meaning: 'What to do with it',
  }),
  price: option<number | undefined>({
    flag: '--price',
    variable: '',
    key: '',
    kind: decimalKind({
      least: 1,
      most: ONE_TICKS - 1,
      decimals: 4,
      print: (value) => ticksText(ticks(value)),
    }),
    fallback: undefined,
    meaning: 'The worst price to trade at, on the grid of the market',
  }),
  size: option<number | undefined>({
    flag: '--size',
    variable: '',
    key: '',
    kind: decimalKind({
      least: 1,
      most: BOUNDS.orderLots,
      decimals: 2,
      print: (value) => lotsText(lots(value)),
    }),
    fallback: undefined,
    meaning: 'How many tokens',
  }),
  amount: option<number | undefined>({
    flag: '--amount',
    variable: '',
    key: '',
    kind: decimalKind({
      least: 1,
      most: BOUNDS.amountMicros,
      decimals: 6,
      print: (value) => microsText(micros(value)),
    }),
    fallback: undefined,
    meaning: 'Instead of --size for a FOK or FAK BUY: how much collateral to spend',
  }),
} as const satisfies OptionTable;

const TERMS = {
  type: option<OrderType>({
    flag: '--type',
    variable: '',
    key: '',
    kind: choiceKind(ORDER_TYPES),
    fallback: 'GTC',
    meaning:
      'How long it stands: until cancelled, until a date, all at once or not at all, what is there',
  }),
  expiresIn: option({
    flag: '--expires-in',
    variable: '',
    key: '',
    kind: wholeKind(1, YEAR_SECONDS),
    fallback: 3_600,
    meaning: 'Seconds until a GTD order expires',
  }),
  postOnly: option({
    flag: '--post-only',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Refuse it if it would trade at once (GTC and GTD)',
  }),
} as const satisfies OptionTable;

const SIGNER = {
  account: option({
    flag: '--account',
    variable: '',
    key: '',
    kind: wholeKind(0, DEV_KEYS.length - 1),
    fallback: 0,
    meaning: 'The dev account that places it',
  }),
  privateKey: option<string | undefined>({
    flag: '--key',
    variable: 'PRIVATE_KEY',
    key: '',
    kind: testedKind('HEX', isPrivateKey, 'a private key: 0x and 64 hex digits'),
    fallback: undefined,
    meaning: 'The private key that places it instead; better as the variable than as the flag',
    isSecret: true,
  }),
  chain: option({
    flag: '--chain',
    variable: 'CHAIN_ID',
    key: '',
    kind: wholeKind(1, Number.MAX_SAFE_INTEGER),
    fallback: 137,
    meaning: 'The chain it is signed for',
  }),
  domains: DOMAINS_OPTION,
  url: option({
    flag: '--url',
    variable: 'EXCHANGE_URL',
    key: '',
    kind: testedKind('URL', isWebAddress, 'a web address that begins with http:// or https://'),
    fallback: 'http://127.0.0.1:8080',
    meaning: 'The exchange',
  }),
} as const satisfies OptionTable;

export const ORDER_OPTIONS = {
  ...CONTENT,
  ...TERMS,
  ...SIGNER,
  ...COMMON_OPTIONS,
} as const satisfies OptionTable;

export type OrderValues = ValuesOf<typeof ORDER_OPTIONS>;
