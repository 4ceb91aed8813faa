/**
 * The signed transactions of the relayer: the forms of their requests, and how each is read into
 * the wallet that acts, its calls and the digest that its owner signed.
 */
import { type Static, Type } from 'typebox';
import type { WalletKind } from '../../engine/model/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { OptionalText, Text } from '../../http/parameters/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { bytesToHex, hexToBytes } from '../../http/signing/hash.ts';
import { recoverAddress, SIGNATURE_BYTES, signatureFault } from '../../http/signing/recover.ts';
import { isUint256 } from '../../http/signing/uint256.ts';
import { type WalletFactory, walletFrom } from '../../http/signing/wallets.ts';
import { addressIn } from '../../http/views/index.ts';
import { multiSendCalls, proxyCalls, type WalletCall } from './abi.ts';
import { RELAY_BOUNDS } from './bounds.ts';
import {
  batchDigest,
  creationDigest,
  messageDigest,
  relayedDigest,
  safeDigest,
} from './digests.ts';

const Call = Type.Object({
  target: Text('The contract; any, because the function alone decides'),
  value: Text('0: the sandbox has no coin'),
  data: Text('The encoded call, hex'),
});

const SignatureParams = Type.Object(
  {
    ...{ gasPrice: OptionalText('0'), gasLimit: OptionalText('Of a proxy; any') },
    ...{ relayerFee: OptionalText('Of a proxy; any'), relayHub: OptionalText('Of a proxy; any') },
    ...{ relay: OptionalText('Of a proxy; any'), operation: OptionalText('Of a Safe: 0, or 1') },
    ...{ safeTxnGas: OptionalText('Of a Safe; any'), baseGas: OptionalText('Of a Safe; any') },
    gasToken: OptionalText('Of a Safe; any'),
    refundReceiver: OptionalText('Of a Safe; any'),
    paymentToken: OptionalText('Of a new Safe; any'),
    payment: OptionalText('Of a new Safe; any'),
    paymentReceiver: OptionalText('Of a new Safe; any'),
  },
  { description: 'What else the owner signed, for types of proxies and Safes' },
);

export const RelaySubmission = Type.Object({
  type: Text(
    '`WALLET-CREATE` opens a deposit wallet, `SAFE-CREATE` a Safe; `WALLET`, `SAFE` and `PROXY` ' +
      'carry out calls of a wallet',
  ),
  from: Text("The wallet's owner"),
  to: Text('The factory of the wallet; of `SAFE` the contract that it calls'),
  nonce: OptionalText('Of calls: that of GET /nonce'),
  signature: OptionalText("The owner's, 65 bytes of hex; `WALLET-CREATE` needs none"),
  proxyWallet: OptionalText('The wallet, for types of proxies and Safes'),
  data: OptionalText('The encoded calls, hex, for types of proxies and Safes'),
  value: OptionalText('Of a Safe: 0, because the sandbox has no coin'),
  signatureParams: Type.Optional(SignatureParams),
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
export type RelaySubmission = Static<typeof RelaySubmission>;

/** A transaction as its request says it; nothing of it is proved. */
export interface SignedTransaction {
  readonly kind: WalletKind;
  readonly wallet: string;
  /** None for a creation. */
  readonly nonce: bigint | undefined;
  readonly calls: readonly WalletCall[];
  /** The field of the request that has the calls. */
  readonly callsField: string;
  readonly digest: (chainId: number) => Uint8Array;
}

/** What a reader needs besides the request; addresses are lower case. */
interface Context {
  readonly from: string;
  readonly to: string;
  readonly wallets: readonly WalletFactory[];
  readonly wallSeconds: number;
}

function required<Value>(field: string, value: Value | undefined): Value {
  if (value === undefined) throw new ApiError('missing_field', { field });
  return value;
}

function uintIn(field: string, given: string | undefined): bigint {
  const text = required(field, given);
  if (isUint256(text)) return BigInt(text);
  throw new ApiError('invalid_payload', { field, limit: 'a decimal uint256', actual: echo(text) });
}

function hexIn(field: string, given: string | undefined): string {
  const text = required(field, given);
  if (text.startsWith('0x') && hexToBytes(text) !== undefined) return text.toLowerCase();
  const limit = '0x and bytes of hex';
  throw new ApiError('invalid_payload', { field, limit, actual: echo(text) });
}

function accountIn(field: string, given: string | undefined): string {
  return addressIn(field, required(field, given));
}

/** The numbers and addresses of `signatureParams`. */
function paramsOf({ signatureParams }: RelaySubmission) {
  const place = 'signatureParams';
  const params = required(place, signatureParams);
  type Field = keyof typeof params;
  return {
    uint: (field: Field) => uintIn(`${place}.${field}`, params[field]),
    address: (field: Field) => accountIn(`${place}.${field}`, params[field]),
  };
}

/**
 * The wallet that a factory creates for an owner first. Throws `relay_factory_unknown`, so that
 * creations, which need no signature, can't use up the accounts that an owner may have.
 */
export function createdBy(
  kind: WalletKind,
  { from, to, wallets }: Omit<Context, 'wallSeconds'>,
): string {
  const listed = wallets.filter((row) => row.kind === kind);
  const found = listed.find(({ factory }) => factory === to);
  if (found !== undefined) return walletFrom(found, from);
  const limit = listed.map(({ factory }) => factory).join(', ');
  throw new ApiError('relay_factory_unknown', { field: 'to', limit, actual: to });
}

/** The wallet of the factory that `to` names. Throws `wallet_not_derived` for another one. */
function ownWallet(kind: WalletKind, body: RelaySubmission, context: Context): string {
  const wallet = accountIn('proxyWallet', body.proxyWallet);
  if (wallet === createdBy(kind, context)) return wallet;
  const details = { field: 'proxyWallet', limit: context.from, actual: wallet };
  throw new ApiError('wallet_not_derived', details);
}

/** Calls that were found in `data`. */
function callsIn(calls: readonly WalletCall[] | undefined, data: string): readonly WalletCall[] {
  const field = 'data';
  if (calls === undefined || calls.length === 0) {
    const limit = 'calls as published clients encode them';
    throw new ApiError('relay_call_unknown', { field, limit, actual: echo(data) });
  }
  const limit = RELAY_BOUNDS.callsPerBatch;
  if (calls.length <= limit) return calls;
  throw new ApiError('too_many_items', { field, limit, actual: calls.length });
}

type Reader = (body: RelaySubmission, context: Context) => SignedTransaction;

/** Calls of a deposit wallet. Throws `relay_deadline_past`. */
function readBatch({ nonce, depositWalletParams }: RelaySubmission, context: Context) {
  const place = 'depositWalletParams';
  const params = required(place, depositWalletParams);
  const batch = {
    wallet: addressIn(`${place}.depositWallet`, params.depositWallet),
    nonce: uintIn('nonce', nonce),
    deadline: uintIn(`${place}.deadline`, params.deadline),
    calls: params.calls.map(({ target, value, data }, index) => ({
      target: addressIn(`${place}.calls.${index}.target`, target),
      value: uintIn(`${place}.calls.${index}.value`, value),
      data: hexIn(`${place}.calls.${index}.data`, data),
    })),
  };
  const { deadline } = batch;
  if (deadline < context.wallSeconds) {
    const details = { limit: context.wallSeconds, actual: `${deadline}` };
    throw new ApiError('relay_deadline_past', { field: `${place}.deadline`, ...details });
  }
  return {
    ...({ kind: 'deposit', ...batch, callsField: `${place}.calls` } as const),
    digest: (chainId: number) => batchDigest(batch, chainId),
  };
}

/** A call of a Safe, or several calls at once, which another contract splits. */
function readSafe(body: RelaySubmission, { to }: Context): SignedTransaction {
  const [params, data] = [paramsOf(body), hexIn('data', body.data)];
  const value = uintIn('value', body.value ?? '0');
  const transaction = {
    ...{ safe: accountIn('proxyWallet', body.proxyWallet), nonce: uintIn('nonce', body.nonce) },
    ...{ target: to, value, data, operation: params.uint('operation') },
    ...{ safeTxGas: params.uint('safeTxnGas'), baseGas: params.uint('baseGas') },
    ...{ gasPrice: params.uint('gasPrice'), gasToken: params.address('gasToken') },
    refundReceiver: params.address('refundReceiver'),
  };
  const { safe: wallet, nonce, operation } = transaction;
  const calls = operation === 0n ? [transaction] : callsIn(multiSendCalls(data), data);
  const digest = (chainId: number) => safeDigest(transaction, chainId);
  return { kind: 'safe', wallet, nonce, calls, callsField: 'data', digest };
}

function readCreation(body: RelaySubmission, context: Context): SignedTransaction {
  const params = paramsOf(body);
  const creation = {
    ...{ factory: context.to, payment: params.uint('payment') },
    paymentToken: params.address('paymentToken'),
    paymentReceiver: params.address('paymentReceiver'),
  };
  const wallet = ownWallet('safe', body, context);
  const digest = (chainId: number) => creationDigest(creation, chainId);
  return { kind: 'safe', wallet, nonce: undefined, calls: [], callsField: 'data', digest };
}

/** The wallet is not signed: it is the one that the factory creates for the owner. */
function readProxy(body: RelaySubmission, context: Context): SignedTransaction {
  const [params, data, nonce] = [
    paramsOf(body),
    hexIn('data', body.data),
    uintIn('nonce', body.nonce),
  ];
  const wallet = ownWallet('proxy', body, context);
  const call = {
    ...{ from: context.from, to: context.to, data, nonce },
    ...{ relayerFee: params.uint('relayerFee'), gasPrice: params.uint('gasPrice') },
    ...{ gasLimit: params.uint('gasLimit'), relayHub: params.address('relayHub') },
    relay: params.address('relay'),
  };
  const calls = callsIn(proxyCalls(data), data);
  return {
    ...({ kind: 'proxy', wallet, nonce, calls, callsField: 'data' } as const),
    digest: () => relayedDigest(call),
  };
}

const READERS: Readonly<Record<string, Reader>> = {
  WALLET: readBatch,
  SAFE: readSafe,
  'SAFE-CREATE': readCreation,
  PROXY: readProxy,
};
const TYPES = [...Object.keys(READERS), 'WALLET-CREATE'].join(', ');

/**
 * Reads a signed transaction; undefined for `WALLET-CREATE`. Throws `relay_type_unknown`, and what
 * is wrong with its fields.
 */
export function signedTransactionIn(
  body: RelaySubmission,
  context: Context,
): SignedTransaction | undefined {
  const { type } = body;
  if (type === 'WALLET-CREATE') return undefined;
  if (Object.hasOwn(READERS, type)) return READERS[type]?.(body, context);
  throw new ApiError('relay_type_unknown', { field: 'type', limit: TYPES, actual: echo(type) });
}

/** Safes add this to v for a signature of the digest as a message. */
const SAFE_MESSAGE = 4;
const LEAST_MESSAGE_V = 31;

/** The bytes of a signature, and whether they sign the digest as a message. */
function signatureIn(text: string, kind: WalletKind) {
  const bytes = hexToBytes(text) ?? new Uint8Array();
  const last = SIGNATURE_BYTES - 1;
  const isMessage = kind === 'safe' && (bytes[last] ?? 0) >= LEAST_MESSAGE_V;
  if (isMessage) bytes[last] = (bytes[last] ?? 0) - SAFE_MESSAGE;
  const fault = signatureFault(bytes);
  if (fault === undefined) return { bytes, isMessage };
  const limit = '65 bytes of hex with canonical r, s and v';
  throw new ApiError('invalid_payload', { field: 'signature', limit, actual: fault });
}

/** The digest that the owner signed, as hex without 0x. Throws `relay_bad_signature`. */
export function checkSignature(
  { kind, digest: digestOn }: SignedTransaction,
  signature: string | undefined,
  owner: string,
  { chainIds }: Settings,
): string {
  const field = 'signature';
  const { bytes, isMessage } = signatureIn(required(field, signature), kind);
  const tried = chainIds.map((chainId) => {
    const digest = digestOn(chainId);
    const signed = isMessage ? messageDigest(digest) : digest;
    return { chainId, digest, recovered: recoverAddress(signed, bytes) ?? null };
  });
  const good = tried.find(({ recovered }) => recovered === owner);
  if (good !== undefined) return bytesToHex(good.digest).slice(2);
  const recovered = tried.map(({ digest: _, ...one }) => one);
  throw new ApiError('relay_bad_signature', { field, limit: owner, recovered });
}

/** How many calls a request has, as far as it can be read: what it costs of the rate limit. */
export function callCount(body: RelaySubmission): number {
  const { type, data = '', depositWalletParams, signatureParams } = body;
  if (type === 'WALLET') return depositWalletParams?.calls.length ?? 1;
  const isMany = type === 'SAFE' && signatureParams?.operation !== '0';
  const calls = type === 'PROXY' ? proxyCalls(data) : isMany ? multiSendCalls(data) : undefined;
  return Math.max(1, calls?.length ?? 1);
}
