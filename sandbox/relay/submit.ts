/** One transaction of the relayer: its checks, then what it does. */
import type { WalletKind } from '../../engine/model/index.ts';
import type { Caller } from '../../http/api/index.ts';
import { paperOf } from '../../http/auth/issue.ts';
import { ApiError, sentenceOf, throwReject, toApiError } from '../../http/errors/index.ts';
import type { Services } from '../../http/services/index.ts';
import { walletsOf } from '../../http/signing/wallets.ts';
import { addressIn } from '../../http/views/index.ts';
import { movesOf } from './moves.ts';
import { rawTransactionIn } from './raw-transaction.ts';
import type { Relay, RelayOutcome } from './relay.ts';
import {
  checkSignature,
  createdBy,
  type RelaySubmission,
  type SignedTransaction,
  signedTransactionIn,
} from './transactions.ts';

/** What it needs, and the wall clock, in ms since the epoch. */
export type Parts = Pick<Services, 'exchange' | 'intake' | 'registry' | 'settings'> & {
  readonly relay: Relay;
  readonly wallMs: number;
};

/** Opens the wallet for its owner, who has an account; nothing happens if it is open. */
async function open(
  { exchange, settings }: Parts,
  owner: string,
  address: string,
  wallet: WalletKind,
): Promise<void> {
  const account = { address, owner, wallet, paperMicros: paperOf(settings) } as const;
  const { events } = await exchange.submit({ kind: 'open_account', ...account });
  throwReject(events);
}

function callerOf(owner: string): Caller {
  return { owner, apiKey: '', purpose: 'trading', nonce: '', hmac: new Uint8Array() };
}

/** Why it was refused, in a sentence; undefined if it was carried out. */
async function faultOf(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (failure) {
    const refusal = toApiError(failure);
    if (refusal === undefined) throw failure;
    return `${sentenceOf(refusal, 'polymarket')} (${refusal.code})`;
  }
}

/** Throws `wallet_not_derived` for a wallet that is not open and does not follow from its owner. */
function checkWallet(
  { registry, settings }: Parts,
  { kind, wallet }: SignedTransaction,
  owner: string,
): void {
  if (registry.accountOwner(wallet) !== undefined) return;
  if (walletsOf(settings.wallets, kind, owner).includes(wallet)) return;
  const field = kind === 'deposit' ? 'depositWalletParams.depositWallet' : 'proxyWallet';
  throw new ApiError('wallet_not_derived', { field, limit: owner, actual: wallet });
}

/**
 * Checks a transaction and carries it out. Returns its outcome, also of one that failed: its calls
 * are done in order, and those before the one that was refused stay done. Throws for a transaction
 * of which nothing was done.
 */
export async function carryOut(parts: Parts, body: RelaySubmission): Promise<RelayOutcome> {
  const { registry, settings, wallMs } = parts;
  const { type, nonce = '', signature = '', metadata = '' } = body;
  const [from, to] = [addressIn('from', body.from), addressIn('to', body.to)];
  if (registry.accountsOf(from).length === 0) {
    throw new ApiError('account_unknown', { field: 'from', actual: from });
  }
  const { wallets } = settings;
  const context = { from, to, wallets, wallSeconds: Math.floor(wallMs / 1_000) };
  const transaction = signedTransactionIn(body, context);
  if (transaction === undefined) {
    const wallet = createdBy('deposit', context);
    const fault = await faultOf(() => open(parts, from, wallet, 'deposit'));
    // Nothing checks what it signs, so nothing of that is kept.
    return { fault, type, from, to, wallet, nonce: '', signature: '', metadata };
  }
  const digest = checkSignature(transaction, signature || undefined, from, settings);
  checkWallet(parts, transaction, from);
  const fault = await perform(parts, from, transaction, digest);
  return { fault, type, from, to, wallet: transaction.wallet, nonce, signature, metadata };
}

/** Carries out a transaction of EIP-1559 for the owner's own account. */
export async function carryOutRaw(parts: Parts, text: unknown): Promise<RelayOutcome> {
  const field = 'params[0]';
  const { from, nonce, chainId, call, digest } = rawTransactionIn(field, text);
  const { registry, settings } = parts;
  if (!settings.chainIds.some((id) => BigInt(id) === chainId)) {
    const limit = `the chains ${settings.chainIds.join(', ')}`;
    throw new ApiError('invalid_payload', { field, limit, actual: `chain ${chainId}` });
  }
  if (registry.accountsOf(from).length === 0) {
    throw new ApiError('account_unknown', { field, actual: from });
  }
  const own = { kind: 'eoa', wallet: from, nonce, calls: [call], callsField: 'data' } as const;
  const fault = await perform(parts, from, own, digest);
  const said = { nonce: `${nonce}`, signature: '', metadata: '' };
  return { fault, type: 'EOA', from, to: call.target, wallet: from, ...said };
}

/** Checks the nonce and the calls, then does them. Returns why one was refused, if any was. */
async function perform(
  parts: Parts,
  owner: string,
  { kind, wallet, nonce, calls, callsField }: Omit<SignedTransaction, 'digest'>,
  digest: string,
): Promise<string | undefined> {
  const { relay, intake } = parts;
  const expected = relay.nonceOf(owner);
  if (nonce !== undefined && nonce !== expected) {
    const details = { field: 'nonce', limit: `${expected}`, actual: `${nonce}` };
    throw new ApiError('relay_nonce_mismatch', details);
  }
  const actor = { account: wallet, owner };
  const moves = movesOf(calls, { field: callsField, name: `relay:${digest}`, actor, parts });
  if (nonce !== undefined) relay.advance(owner);
  return faultOf(async () => {
    await open(parts, owner, wallet, kind);
    for (const move of moves) await intake.moveTokens(callerOf(owner), move);
  });
}
