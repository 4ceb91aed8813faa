/** One gift of the faucet: its checks, then its commands in one synchronous run. */
import {
  type Command,
  FEE_ACCOUNT,
  type Lots,
  type Micros,
  micros,
  type OpenAccount,
} from '../../engine/model/index.ts';
import { paperOf } from '../../http/auth/issue.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { microsText } from '../../http/codec/index.ts';
import { ApiError, rejectIn, throwReject } from '../../http/errors/index.ts';
import type { Services } from '../../http/services/index.ts';
import { derivedKind } from '../../http/signing/wallets.ts';
import type { MarketEntry } from '../../http/views/index.ts';
import { FAUCET_BOUNDS } from './bounds.ts';

type Parts = Pick<Services, 'exchange' | 'registry' | 'settings'>;

interface Sets {
  readonly market: MarketEntry;
  readonly lots: Lots;
}

/** Addresses are lower case. */
export interface FaucetRequest {
  readonly address: string;
  /** Who owns the account, for one that is not open yet; undefined: the address itself. */
  readonly owner: string | undefined;
  readonly amountMicros: Micros;
  /** The market whose complete sets are given in place of cash, and how many. */
  readonly sets: Sets | undefined;
  /** The key of the gift in the journal: a request that repeats it gives nothing. */
  readonly key: string;
  /** Why, in the log of actions. */
  readonly reason: string;
  /** Whether an operator let its owner in. */
  readonly isInvited?: boolean;
}

export interface FaucetGift {
  /** Whether the account was opened for it. */
  readonly opened: boolean;
  /** Whether the request was carried out before. */
  readonly duplicate: boolean;
}

/**
 * Resolves when the gift is durable. Throws an `ApiError` if it is refused. Sets are split from a
 * deposit that was accepted, never from other cash of the account. If the market closes meanwhile,
 * the account keeps the cash.
 */
export async function give(parts: Parts, request: FaucetRequest): Promise<FaucetGift> {
  const { exchange } = parts;
  const { address: account, amountMicros, sets, key, reason } = request;
  // The request's own key is that of the split where sets are given, so the deposit needs another.
  const cashKey = sets === undefined ? key : `cash:${key}`;
  let opened = false;
  for (let lookups = 1; ; lookups += 1) {
    const [byKey, byCashKey] = await Promise.all(
      [key, cashKey].map((one) => exchange.lookUpKey({ owner: '', key: one })),
    );
    // From here to the deposit in one synchronous run: nothing comes between check and gift.
    const isKnown = byKey?.keyRecord !== undefined || exchange.state.knowsMoneyKey('', key);
    // The gift went to another account if this one is not open.
    if (isKnown && exchange.state.balance(account, '') === undefined) {
      throw new ApiError('money_key_reused', { field: 'key', actual: key });
    }
    const opening = isKnown ? undefined : openingFor(parts, request);
    if (!isKnown) checkRoom(parts, request, opening?.paperMicros ?? 0);
    if (!isKnown) checkSets(parts, request);
    const deposit = { kind: 'deposit', account, amountMicros, key: cashKey, ...byCashKey } as const;
    const commands: Command[] = opening === undefined ? [] : [opening];
    // A repeated request for sets gets the answer of its split, and no further deposit.
    if (sets === undefined || !isKnown) commands.push(deposit);
    const submit = (command: Command) => exchange.submit(command, { by: 'sandbox', reason });
    const done = await Promise.all(commands.map(submit));
    opened ||= opening !== undefined;
    const isGiven = done.every(({ events }) => rejectIn(events) === undefined);
    if (isGiven && sets !== undefined) {
      done.push(await submit({ ...splitOf(account, sets), key, ...byKey }));
    }
    const isLate = done.some(({ events }) => rejectIn(events)?.code === 'money_key_unchecked');
    if (isLate && lookups < HTTP_BOUNDS.idLookups) continue;
    for (const { events } of done) throwReject(events);
    return { opened, duplicate: done.at(-1)?.events.some(({ kind }) => kind === 'known') ?? false };
  }
}

function splitOf(account: string, { market: { conditionId }, lots }: Sets) {
  return { kind: 'split', account, owner: '', conditionId, lots } as const;
}

/** How the account opens; undefined if it is open. Throws an `ApiError` if it may not open. */
function openingFor(
  { exchange, registry, settings }: Parts,
  { address, owner: given, isInvited = false }: FaucetRequest,
): OpenAccount | undefined {
  if (address === FEE_ACCOUNT) {
    throw new ApiError('address_reserved', { field: 'address', actual: address });
  }
  if (exchange.state.balance(address, '') !== undefined) {
    const holder = registry.accountOwner(address) ?? given;
    if (given === undefined || given === holder) return undefined;
    throw new ApiError('account_bound_to_other', { field: 'owner', actual: given });
  }
  const owner = given ?? address;
  const isAdmitted = isInvited || registry.accountsOf(owner).length > 0;
  if (settings.newOwners === 'operator' && !isAdmitted) {
    throw new ApiError('owner_not_admitted', { field: 'address', actual: owner });
  }
  const wallet = derivedKind(settings.wallets, address, owner);
  if (wallet === undefined) {
    throw new ApiError('wallet_not_derived', { field: 'address', limit: owner, actual: address });
  }
  return { kind: 'open_account', address, owner, wallet, paperMicros: paperOf(settings) };
}

function checkRoom(
  { exchange: { state } }: Parts,
  { address, amountMicros }: FaucetRequest,
  paperMicros: number,
): void {
  const { available, held } = state.balance(address, '') ?? { available: paperMicros, held: 0 };
  const cash = available + held;
  if (cash + amountMicros > FAUCET_BOUNDS.accountMicros) {
    const limit = microsText(micros(FAUCET_BOUNDS.accountMicros));
    throw new ApiError('faucet_full', { field: 'amount', limit, actual: microsText(micros(cash)) });
  }
  const { depositedMicros, withdrawnMicros } = state.totals();
  const inAll = depositedMicros - withdrawnMicros + paperMicros;
  const room = Math.max(0, FAUCET_BOUNDS.allMicros - inAll);
  if (amountMicros <= room) return;
  const [limit, actual] = [microsText(micros(room)), microsText(amountMicros)];
  throw new ApiError('deposits_exhausted', { field: 'amount', limit, actual });
}

/** Whether the account can get sets now, so that it does not get cash alone. */
function checkSets({ registry }: Parts, { address, owner = address, sets }: FaucetRequest): void {
  if (sets === undefined) return;
  const { status, conditionId } = sets.market;
  const state = registry.tradingState;
  if (state !== 'open') throw new ApiError('exchange_paused', { field: 'state', actual: state });
  if (status === 'closed' || status === 'resolved') {
    throw new ApiError('market_closed', { field: 'market', actual: conditionId });
  }
  if (status !== 'open') throw new ApiError('market_paused', { field: 'market', actual: status });
  const holder = registry.accountOwner(address) ?? owner;
  const standing = registry.standingOf(holder);
  if (standing === 'good') return;
  const code = standing === 'banned' ? 'owner_banned' : 'owner_closed_only';
  throw new ApiError(code, { field: 'address', actual: holder });
}
