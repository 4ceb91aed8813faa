/**
 * Turns the options of `place-order` into the order and the address it is sent to.
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

function missingFaults(values: OrderValues): string[] {
  const names = ['token', 'side', 'price'] as const;
  return names
    .filter((name) => values[name] === undefined)
    .map(
      (name) =>
        `${ORDER_OPTIONS[name].flag} is missing; it must be ${ORDER_OPTIONS[name].kind.must}`,
    );
}

function contradictions({ values, origins }: ResolvedOptions<typeof ORDER_OPTIONS>): string[] {
  const { type, side, size, amount, postOnly, privateKey } = values;
  const isMarket = type === 'FOK' || type === 'FAK';
  const isGiven = (name: keyof OrderValues): boolean => origins[name] !== FROM_DEFAULT;
  return [
    ...(size === undefined && amount === undefined ? ['--size is missing'] : []),
    ...(size !== undefined && amount !== undefined ? ['give --size or --amount, not both'] : []),
    ...(amount !== undefined && !(isMarket && side === 'BUY')
      ? ['--amount is for a BUY of --type FOK or FAK; give --size']
      : []),
    ...(postOnly && isMarket ? [`--post-only is for GTC and GTD, not for ${type}`] : []),
    ...(isGiven('expiresIn') && type !== 'GTD' ? ['--expires-in is for --type GTD'] : []),
    ...(isGiven('account') && privateKey !== undefined
      ? ['give --account or --key, not both']
      : []),
  ];
}

function requestOf(values: OrderValues, nowMs: number): OrderRequest {
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
  const { values } = resolved;
  const faults = [...missingFaults(values), ...contradictions(resolved)];
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
