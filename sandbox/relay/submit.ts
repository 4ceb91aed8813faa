/** One transaction of the relayer: its checks, then what it does. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../http/api/index.ts';
import { paperOf } from '../../http/auth/issue.ts';
import { ApiError, echo, sentenceOf, throwReject, toApiError } from '../../http/errors/index.ts';
import { OptionalText, Text } from '../../http/parameters/index.ts';
import type { Services } from '../../http/services/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { bytesToHex, hexToBytes } from '../../http/signing/hash.ts';
import { recoverAddress, signatureFault } from '../../http/signing/recover.ts';
import { isUint256 } from '../../http/signing/uint256.ts';
import { walletFrom } from '../../http/signing/wallets.ts';
import { addressIn } from '../../http/views/index.ts';
import { RELAY_BOUNDS } from './bounds.ts';
import { batchDigest, type WalletBatch } from './deposit-wallet.ts';
import { movesOf } from './moves.ts';
import type { Relay, RelayOutcome } from './relay.ts';

const Call = Type.Object({
  target: Text('The contract; any, because the function alone decides'),
  value: Text('0: the sandbox has no coin'),
  data: Text('The encoded call, hex'),
});

export const RelaySubmission = Type.Object({
  type: Text('`WALLET-CREATE` opens a deposit wallet, `WALLET` carries out a batch of its calls'),
  from: Text("The wallet's owner"),
  to: Text('The factory of deposit wallets, from which the address of a new one follows'),
  nonce: OptionalText('Of a batch: that of GET /nonce'),
  signature: OptionalText("Of a batch: its owner's, 65 bytes of hex"),
  depositWalletParams: Type.Optional(
    Type.Object({
      depositWallet: Text('The wallet'),
      deadline: Text('Seconds since the epoch'),
      calls: Type.Array(Call, { minItems: 1, maxItems: RELAY_BOUNDS.callsPerBatch }),
    }),
  ),
  metadata: Type.Optional(
    Type.String({ maxLength: RELAY_BOUNDS.metadataChars, description: 'Any text, which is kept' }),
  ),
});
type RelaySubmission = Static<typeof RelaySubmission>;

/** What it needs, and the wall clock, in ms since the epoch. */
export type Parts = Pick<Services, 'exchange' | 'intake' | 'registry' | 'settings'> & {
  readonly relay: Relay;
  readonly wallMs: number;
};

const TYPES = 'WALLET, WALLET-CREATE';

function uintIn(field: string, text: string | undefined): bigint {
  if (text === undefined) throw new ApiError('missing_field', { field });
  if (isUint256(text)) return BigInt(text);
  throw new ApiError('invalid_payload', { field, limit: 'a decimal uint256', actual: echo(text) });
}

function hexIn(field: string, text: string): string {
  if (text.startsWith('0x') && hexToBytes(text) !== undefined) return text;
  throw new ApiError('invalid_payload', {
    field,
    limit: '0x and bytes of hex',
    actual: echo(text),
  });
}

function batchIn({ nonce, depositWalletParams }: RelaySubmission): WalletBatch {
  const place = 'depositWalletParams';
  if (depositWalletParams === undefined) throw new ApiError('missing_field', { field: place });
  const { depositWallet: wallet, deadline, calls } = depositWalletParams;
  return {
    wallet: addressIn(`${place}.depositWallet`, wallet),
    nonce: uintIn('nonce', nonce),
    deadline: uintIn(`${place}.deadline`, deadline),
    calls: calls.map(({ target, value, data }, index) => ({
      target: addressIn(`${place}.calls.${index}.target`, target),
      value: uintIn(`${place}.calls.${index}.value`, value),
      data: hexIn(`${place}.calls.${index}.data`, data),
    })),
  };
}

/** The digest that the owner signed, as hex without 0x. Throws `relay_bad_signature`. */
function signedDigest(
  batch: WalletBatch,
  owner: string,
  signature: string | undefined,
  chainIds: readonly number[],
): string {
  const field = 'signature';
  if (signature === undefined) throw new ApiError('missing_field', { field });
  const bytes = hexToBytes(signature);
  const fault = bytes === undefined ? 'it is not hex' : signatureFault(bytes);
  if (bytes === undefined || fault !== undefined) {
    const limit = '65 bytes of hex with canonical r, s and v';
    throw new ApiError('invalid_payload', { field, limit, actual: fault });
  }
  const tried = chainIds.map((chainId) => {
    const digest = batchDigest(batch, chainId);
    return { chainId, digest, recovered: recoverAddress(digest, bytes) ?? null };
  });
  const good = tried.find(({ recovered }) => recovered === owner);
  if (good !== undefined) return bytesToHex(good.digest).slice(2);
  const recovered = tried.map(({ digest: _, ...one }) => one);
  throw new ApiError('relay_bad_signature', { field, limit: owner, recovered });
}

/** Opens the wallet for its owner, who has an account; nothing happens if it is open. */
async function open({ exchange, settings }: Parts, owner: string, wallet: string): Promise<void> {
  const paperMicros = paperOf(settings);
  const account = { address: wallet, owner, wallet: 'deposit', paperMicros } as const;
  const { events } = await exchange.submit({ kind: 'open_account', ...account });
  throwReject(events);
}

/**
 * The wallet that a factory creates for an owner. Nobody signs a creation: because the factories
 * are listed, it can't use up the accounts that an owner may have. Throws `relay_factory_unknown`.
 */
function createdBy(factory: string, owner: string, { wallets }: Settings): string {
  const listed = wallets.filter(({ kind }) => kind === 'deposit');
  const found = listed.find((row) => row.factory === factory);
  if (found !== undefined) return walletFrom(found, owner);
  const limit = listed.map((row) => row.factory).join(', ');
  throw new ApiError('relay_factory_unknown', { field: 'to', limit, actual: factory });
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

/**
 * Checks a transaction and carries it out. Returns its outcome, also of one that failed: its calls
 * are done in order, and those before the one that was refused stay done. Throws for a transaction
 * of which nothing was done.
 */
export async function carryOut(parts: Parts, body: RelaySubmission): Promise<RelayOutcome> {
  const { registry, relay, settings, intake, wallMs } = parts;
  const { type, nonce = '', signature = '', metadata = '' } = body;
  const isNew = type === 'WALLET-CREATE';
  if (!isNew && type !== 'WALLET') {
    throw new ApiError('relay_type_unknown', { field: 'type', limit: TYPES, actual: echo(type) });
  }
  const [from, to] = [addressIn('from', body.from), addressIn('to', body.to)];
  if (registry.accountsOf(from).length === 0) {
    throw new ApiError('account_unknown', { field: 'from', actual: from });
  }
  if (isNew) {
    const wallet = createdBy(to, from, settings);
    const fault = await faultOf(() => open(parts, from, wallet));
    // Nothing checks what it signs, so nothing of that is kept.
    return { fault, type, from, to, wallet, nonce: '', signature: '', metadata };
  }
  const batch = batchIn(body);
  const { wallet, deadline } = batch;
  const seconds = Math.floor(wallMs / 1_000);
  if (deadline < seconds) {
    const field = 'depositWalletParams.deadline';
    throw new ApiError('relay_deadline_past', { field, limit: seconds, actual: `${deadline}` });
  }
  const digest = signedDigest(batch, from, signature || undefined, settings.chainIds);
  const expected = relay.nonceOf(from);
  if (batch.nonce !== expected) {
    const details = { field: 'nonce', limit: `${expected}`, actual: nonce };
    throw new ApiError('relay_nonce_mismatch', details);
  }
  const moves = movesOf(batch.calls, `relay:${digest}`, { account: wallet, owner: from }, registry);
  relay.advance(from);
  const fault = await faultOf(async () => {
    await open(parts, from, wallet);
    for (const move of moves) await intake.moveTokens(callerOf(from), move);
  });
  return { fault, type, from, to, wallet, nonce, signature, metadata };
}
