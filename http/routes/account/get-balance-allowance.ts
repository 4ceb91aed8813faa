import { Type } from 'typebox';
import { MICRO_TOKENS_PER_LOT, WALLET_KINDS } from '../../../engine/model/index.ts';
import type { BalanceView } from '../../../persistence/index.ts';
import type { Caller } from '../../api/index.ts';
import { paperOf } from '../../auth/issue.ts';
import { ApiError } from '../../errors/index.ts';
import {
  addressFilter,
  OptionalText,
  OrNull,
  Text,
  TrueFalse,
  tokenFilter,
} from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/address.ts';
import type { SigningDomain } from '../../signing/domains.ts';
import { derivedKind, walletsOf } from '../../signing/wallets.ts';
import type { Registry } from '../../views/index.ts';

/**
 * GET /auth/ban-status/closed-only: whether the caller may only close positions, in both spellings
 * (wire 1.3). True for a banned owner too.
 */
export const getClosedOnly = defineRoute({
  method: 'GET',
  path: '/auth/ban-status/closed-only',
  summary: 'Whether you may only close positions',
  auth: 'l2',
  response: Type.Object({ closed_only: Type.Boolean(), closedOnly: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ caller, services }) => {
    const closedOnly = services.registry.standingOf(caller.owner) !== 'good';
    return { closed_only: closedOnly, closedOnly };
  },
});

/** The exchange holds the money itself, so it needs no allowance to move it. */
const UNLIMITED = String(2n ** 256n - 1n);

const Query = Type.Object({
  asset_type: Type.Enum(['COLLATERAL', 'CONDITIONAL']),
  token_id: OptionalText('Outcome token, for CONDITIONAL'),
  signature_type: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 3,
    description: 'The account: 0 your own address, or your first 1 proxy, 2 Safe, 3 deposit wallet',
  }),
  address: OptionalText('An account of yours, instead of signature_type'),
});
type Query = Type.Static<typeof Query>;

function BaseUnits(description: string) {
  return Text(`${description}, in base units of 6 decimals`);
}

export const BalanceAllowance = Type.Object({
  balance: BaseUnits('Available and held'),
  allowances: Type.Record(Type.String(), Type.String(), {
    description: 'By exchange contract; all unlimited',
  }),
  allowance: Type.String(),
  available: BaseUnits('Free for new orders'),
  held: BaseUnits('Held by live orders'),
  address: OrNull(
    Type.String(),
    'The account, EIP-55; null if no wallet of this kind follows from your address',
  ),
  is_open: TrueFalse(
    'Whether the account is open; if not, `available` is its balance when it opens',
  ),
});

/** An account of the owner, or one that its first order opens. Throws `account_not_yours`. */
function accountOf(
  query: Query,
  { owner }: Caller,
  { registry, settings: { wallets } }: Pick<Services, 'registry' | 'settings'>,
): string | undefined {
  const kind = WALLET_KINDS[query.signature_type] ?? 'eoa';
  const address =
    addressFilter(query.address, 'address') ??
    registry.accountsOf(owner).find(({ wallet }) => wallet === kind)?.address ??
    walletsOf(wallets, kind, owner)[0];
  if (address === undefined) return undefined;
  const holder = registry.accountOwner(address);
  const isOwn = holder === undefined && derivedKind(wallets, address, owner) !== undefined;
  if (isOwn || holder === owner) return address;
  throw new ApiError('account_not_yours', { field: 'address', actual: address });
}

/** The token id; '' for collateral. */
function tokenOf({ asset_type, token_id }: Query, registry: Registry): string {
  if (asset_type === 'COLLATERAL') return '';
  const tokenId = tokenFilter(token_id, 'token_id');
  if (tokenId === undefined) throw new ApiError('missing_field', { field: 'token_id' });
  if (registry.token(tokenId) !== undefined) return tokenId;
  throw new ApiError('token_unknown', { field: 'token_id', actual: tokenId });
}

/** What an account has: micros of cash, or lots of a token. */
async function holdingsOf(
  { exchange, settings }: Pick<Services, 'settings' | 'exchange'>,
  address: string | undefined,
  tokenId: string,
): Promise<BalanceView> {
  const view = address === undefined ? undefined : await exchange.balance(address, tokenId);
  if (view?.isOpen === true) return view;
  // A bot that reads its balance before its first order must see its play money, not zero.
  return { isOpen: false, available: tokenId === '' ? paperOf(settings) : 0, held: 0 };
}

/** By contract, which several domains may share. */
function allowancesFor(domains: readonly SigningDomain[]) {
  return Object.fromEntries(
    domains.map(({ contract }) => [toChecksumAddress(contract), UNLIMITED]),
  );
}

function balanceAt<const Path extends string>(path: Path) {
  return defineRoute({
    method: 'GET',
    path,
    summary: 'The cash or tokens of one of your accounts',
    auth: 'l2',
    query: Query,
    response: BalanceAllowance,
    needs: ['settings', 'exchange', 'registry'],
    handler: async ({ query, caller, services }) => {
      const { registry, settings } = services;
      const tokenId = tokenOf(query, registry);
      const address = accountOf(query, caller, services);
      const { isOpen, available, held } = await holdingsOf(services, address, tokenId);
      // Below 2^53 in either unit: all tokens together are worth their collateral.
      const unit = tokenId === '' ? 1 : MICRO_TOKENS_PER_LOT;
      return {
        balance: String((available + held) * unit),
        allowances: allowancesFor(settings.domains),
        allowance: UNLIMITED,
        available: String(available * unit),
        held: String(held * unit),
        address: address === undefined ? null : toChecksumAddress(address),
        is_open: isOpen,
      };
    },
  });
}

/**
 * GET /balance-allowance: cash or tokens of one account of the caller (wire 1.7). The answer waits
 * until the balance is durable. Allowances are unlimited, because the exchange holds the money.
 */
export const getBalanceAllowance = balanceAt('/balance-allowance');

/** On other venues this reads the chain again. Here it is the same as GET /balance-allowance. */
export const updateBalanceAllowance = balanceAt('/balance-allowance/update');

/** PUT /balance-allowance: as on other venues the chain is read again, so nothing happens here. */
export const putBalanceAllowance = defineRoute({
  method: 'PUT',
  path: '/balance-allowance',
  summary: 'Does nothing: a balance is always the newest one',
  auth: 'l2',
  query: Query,
  response: Type.Object({}),
  needs: ['settings', 'registry'],
  handler: ({ query, caller, services }) => {
    tokenOf(query, services.registry);
    accountOf(query, caller, services);
    return {};
  },
});
