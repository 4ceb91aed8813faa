/**
 * Turns the options of `place-order` and `sign-order` into the order and the address it is sent to.
 *
 * Invariant: everything that is wrong regardless of the exchange is refused here.
 */
import { lots, micros, SECOND_MS, ticks, wholeCents } from '../../engine/model/index.ts';
import { DEFAULT_DOMAINS, parseDomains, type SigningDomain } from '../../http/signing/domains.ts';
import type { OrderRequest } from '../../http/signing/order-struct.ts';
import { type Wallet, walletOf } from '../../http/signing/wrapped-signature.ts';
import { DEV_KEYS } from '../options/dev-keys.ts';
import { ORDER_OPTIONS, type OrderValues } from '../options/order-options.ts';
import { type ReadText, readNamedJson } from '../parser/named-files.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import { FROM_DEFAULT, type ResolvedOptions } from '../parser/resolve-options.ts';

export interface OrderPlan {
  readonly request: OrderRequest;
  readonly wallet: Wallet;
  readonly chainId: number;
  readonly domains: readonly SigningDomain[];
  /** The base URL, without a slash at the end. */
  readonly url: string;
}

/** A value that no exchange would take. `must` completes "it must be". */
export interface OrderFault {
  readonly name: keyof OrderValues;
  readonly must: string;
}

/** What is wrong with an order whose values are each fine, the missing ones first. */
export function orderFaults({
  values,
  origins,
}: ResolvedOptions<typeof ORDER_OPTIONS>): OrderFault[] {
  const { token, type, side, price, size, amount, postOnly, privateKey } = values;
  const isMarket = type === 'FOK' || type === 'FAK';
  const isGiven = (name: keyof OrderValues): boolean => origins[name] !== FROM_DEFAULT;
  const check = (
    name: keyof OrderValues,
    isBroken: boolean,
    must = ORDER_OPTIONS[name].kind.must,
  ): OrderFault[] => (isBroken ? [{ name, must }] : []);
  const isBudget = amount !== undefined;
  return [
    ...check('token', token === undefined),
    ...check('side', side === undefined),
    ...check('price', price === undefined),
    ...check('size', size === undefined && !isBudget),
    ...check('amount', size !== undefined && isBudget, 'absent beside a size'),
    ...check(
      'amount',
      isBudget && !(isMarket && side === 'BUY'),
      'absent unless the order is a BUY of type FOK or FAK',
    ),
    ...check('postOnly', postOnly && isMarket, `absent in an order of type ${type}`),
    ...check('expiresIn', isGiven('expiresIn') && type !== 'GTD', 'absent unless the type is GTD'),
    ...check(
      'privateKey',
      isGiven('account') && privateKey !== undefined,
      'absent beside an account',
    ),
  ];
}

/** The order, whose values `orderFaults` has found to fit. */
export function requestOf(values: OrderValues, nowMs: number): OrderRequest {
  const { token = '', side = 'BUY', price = 0, size = 0, amount = 0, type, postOnly } = values;
  const isBudget = side === 'BUY' && (type === 'FOK' || type === 'FAK');
  const budget = amount > 0 ? amount : wholeCents(micros(size * price));
  return {
    tokenId: token,
    side,
    type,
    priceTicks: ticks(price),
    lots: lots(isBudget ? 0 : size),
    budgetMicros: micros(isBudget ? budget : 0),
    expirationSeconds: type === 'GTD' ? Math.floor(nowMs / SECOND_MS) + values.expiresIn : 0,
    postOnly,
  };
}

/** Throws `UsageError` with every fault. */
export function planOrder(
  resolved: ResolvedOptions<typeof ORDER_OPTIONS>,
  readText: ReadText,
  nowMs: number,
): OrderPlan {
  const { values, origins } = resolved;
  const faults = orderFaults(resolved).map(({ name, must }) => {
    const { flag } = ORDER_OPTIONS[name];
    return `${flag} ${origins[name] === FROM_DEFAULT ? 'is missing; it ' : ''}must be ${must}`;
  });
  if (faults.length > 0) throw new UsageError(faults);
  const { privateKey, account, chain, domains, url } = values;
  // The option has a bound: the number of dev accounts.
  const wallet = walletOf(privateKey ?? DEV_KEYS[account]!);
  return {
    request: requestOf(values, nowMs),
    wallet,
    chainId: chain,
    domains:
      domains === undefined
        ? DEFAULT_DOMAINS
        : readNamedJson(ORDER_OPTIONS.domains.flag, domains, readText, parseDomains),
    url: url.replace(/\/+$/, ''),
  };
}
