/**
 * What owners sign for the relayer: the digests of batches of deposit wallets, of transactions and
 * creations of Safes, and of relayed calls of proxies. They are as in the public SDK,
 * `@polymarket/client` 0.2.0, and in the published relayer client. All addresses are lower case.
 */
import { strict as assert } from 'node:assert';
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { bytesToHex, hexToBytes, keccak256, keccak256Text } from '../../http/signing/hash.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { addressWord, uintWord, type WalletCall } from './abi.ts';

/** keccak256 of hex digits without 0x. */
function hashOf(...digits: readonly string[]): Uint8Array {
  const bytes = hexToBytes(digits.join(''));
  assert(bytes !== undefined, 'only hex is hashed');
  return keccak256(bytes);
}

/** The digits of a hash, without 0x. */
function digitsOf(hash: Uint8Array): string {
  return bytesToHex(hash).slice(2);
}

function textHash(text: string): string {
  return digitsOf(keccak256Text(text));
}

/** The digest that `personal_sign` of 32 bytes signs. */
export function messageDigest(hash: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from('\x19Ethereum Signed Message:\n32'), hash]));
}

export interface WalletBatch {
  readonly wallet: string;
  readonly nonce: bigint;
  /** Seconds since the epoch. */
  readonly deadline: bigint;
  readonly calls: readonly WalletCall[];
}

const CALL_TYPE = 'Call(address target,uint256 value,bytes data)';
const BATCH_TYPE = `Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)${CALL_TYPE}`;
const [CALL_HASH, BATCH_HASH] = [textHash(CALL_TYPE), textHash(BATCH_TYPE)];

function callHash({ target, value, data }: WalletCall): string {
  const contents = digitsOf(hashOf(data.slice(2)));
  return digitsOf(hashOf(CALL_HASH, addressWord(target), uintWord(value), contents));
}

export function batchDigest(batch: WalletBatch, chainId: number): Uint8Array {
  const { wallet, nonce, deadline, calls } = batch;
  const contract = wallet;
  const domain = domainSeparator({ name: 'DepositWallet', version: '1', chainId, contract });
  const items = digitsOf(hashOf(...calls.map(callHash)));
  const words = [addressWord(wallet), uintWord(nonce), uintWord(deadline), items];
  return typedDataDigest(domain, hashOf(BATCH_HASH, ...words));
}

export interface SafeTransaction extends WalletCall {
  readonly safe: string;
  /** 1 for a call of the contract that splits `data` into several calls. */
  readonly operation: bigint;
  readonly safeTxGas: bigint;
  readonly baseGas: bigint;
  readonly gasPrice: bigint;
  readonly gasToken: string;
  readonly refundReceiver: string;
  readonly nonce: bigint;
}

const SAFE_DOMAIN = textHash('EIP712Domain(uint256 chainId,address verifyingContract)');
const SAFE_TYPE = textHash(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,' +
    'uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
);

export function safeDigest(transaction: SafeTransaction, chainId: number): Uint8Array {
  const { safe, target, value, data, operation, nonce, ...terms } = transaction;
  const domain = hashOf(SAFE_DOMAIN, uintWord(chainId), addressWord(safe));
  const contents = digitsOf(hashOf(data.slice(2)));
  const numbers = [operation, terms.safeTxGas, terms.baseGas, terms.gasPrice].map(uintWord);
  const addresses = [terms.gasToken, terms.refundReceiver].map(addressWord);
  const words = [addressWord(target), uintWord(value), contents, ...numbers, ...addresses];
  return typedDataDigest(domain, hashOf(SAFE_TYPE, ...words, uintWord(nonce)));
}

export interface SafeCreation {
  readonly factory: string;
  readonly paymentToken: string;
  readonly payment: bigint;
  readonly paymentReceiver: string;
}

const FACTORY_DOMAIN = textHash(
  'EIP712Domain(string name,uint256 chainId,address verifyingContract)',
);
const FACTORY_NAME = textHash('Polymarket Contract Proxy Factory');
const CREATION_TYPE = textHash(
  'CreateProxy(address paymentToken,uint256 payment,address paymentReceiver)',
);

export function creationDigest(creation: SafeCreation, chainId: number): Uint8Array {
  const { factory, paymentToken, payment, paymentReceiver } = creation;
  const place = [uintWord(chainId), addressWord(factory)];
  const domain = hashOf(FACTORY_DOMAIN, FACTORY_NAME, ...place);
  const words = [addressWord(paymentToken), uintWord(payment), addressWord(paymentReceiver)];
  return typedDataDigest(domain, hashOf(CREATION_TYPE, ...words));
}

export interface RelayedCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly relayerFee: bigint;
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  readonly nonce: bigint;
  readonly relayHub: string;
  readonly relay: string;
}

/** The same on every chain. */
export function relayedDigest(call: RelayedCall): Uint8Array {
  const { from, to, data, relayerFee, gasPrice, gasLimit, nonce, relayHub, relay } = call;
  const prefix = Buffer.from('rlx:').toString('hex');
  const head = [from, to, data].map((text) => text.slice(2));
  const numbers = [relayerFee, gasPrice, gasLimit, nonce].map(uintWord);
  const contracts = [relayHub, relay].map((text) => text.slice(2));
  return messageDigest(hashOf(prefix, ...head, ...numbers, ...contracts));
}
