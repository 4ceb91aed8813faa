/**
 * The wallet contracts that an owner has: how their addresses follow from the owner's (CREATE2,
 * EIP-1014). By default those of the public venue and of Kuest (default-wallets.json), or a list in
 * the settings (`--wallets`) of the same form.
 *
 * Invariant: all addresses are lower case.
 * Bound: MAX_WALLETS rows; a derivation costs some 2 us.
 */
import assert from 'node:assert/strict';
import { WALLET_KINDS, type WalletKind } from '../../engine/model/index.ts';
import defaultWallets from './default-wallets.json' with { type: 'json' };
import { bytesToHex, hexToBytes, keccak256 } from './hash.ts';
import { ADDRESS_RULE, oneOf, orNull, parseRows, type RowList } from './row-list.ts';

export interface WalletFactory {
  readonly kind: Exclude<WalletKind, 'eoa'>;
  /** The contract that creates the wallets. */
  readonly factory: string;
  /**
   * What is hashed to the salt: the owner's 20 bytes, the owner padded to a word, or a word for
   * the factory and one for the owner.
   */
  readonly salt: 'owner' | 'owner_word' | 'factory_and_owner';
  /** keccak256 of the creation code; null if that follows from one of the next two. */
  readonly initHash: string | null;
  /** The beacon of proxies that ask one for their code (ERC-1967, with the salt's words). */
  readonly beacon: string | null;
  /** The code of proxies without a beacon (ERC-1967, with the salt's words). */
  readonly implementation: string | null;
}

/** Maximum number of rows in a list. */
export const MAX_WALLETS = 16;

const HASH = /^0x[0-9a-fA-F]{64}$/;

const WALLET_LIST: RowList<WalletFactory> = {
  place: 'wallets',
  noun: 'wallet factories',
  most: MAX_WALLETS,
  rules: {
    kind: oneOf('proxy', 'safe', 'deposit'),
    factory: ADDRESS_RULE,
    salt: oneOf('owner', 'owner_word', 'factory_and_owner'),
    initHash: orNull([
      '0x and 64 hex digits',
      (value) => typeof value === 'string' && HASH.test(value),
    ]),
    beacon: orNull(ADDRESS_RULE),
    implementation: orNull(ADDRESS_RULE),
  },
  defaults: { initHash: null, beacon: null, implementation: null },
};

/** Parses a list of `WalletFactory`. Throws an Error that names the index, field and value. */
export function parseWallets(json: unknown): WalletFactory[] {
  return parseRows(json, WALLET_LIST).map((row, index) => {
    const { kind, factory, salt, ...codes } = row;
    const [initHash = null, beacon = null, implementation = null] = [
      codes.initHash,
      codes.beacon,
      codes.implementation,
    ].map((code) => code?.toLowerCase());
    const given = [initHash, beacon, implementation].filter((code) => code !== null);
    if (given.length !== 1) {
      const fields = 'initHash, beacon and implementation';
      throw new Error(`wallets[${index}] has ${given.length} of ${fields}; it must have one`);
    }
    return { kind, factory: factory.toLowerCase(), salt, initHash, beacon, implementation };
  });
}

/** The factories of the public venue, then those of Kuest; the same on both of their chains. */
export const DEFAULT_WALLETS: readonly WalletFactory[] = parseWallets(defaultWallets);

/** keccak256 of hex digits without 0x, as such digits. */
function hashOf(digits: string): string {
  const bytes = hexToBytes(digits);
  assert(bytes !== undefined, 'only hex is hashed');
  return bytesToHex(keccak256(bytes)).slice(2);
}

/** The creation codes of ERC-1967 proxies with two words of arguments, around an address. */
const BEACON_CODE = [
  '6100923d8160233d3973',
  '60195155f3363d3d373d3d363d602036600436635c60da' +
    '1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c' +
    'b3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
] as const;
const PLAIN_CODE = [
  '61007d3d8160233d3973',
  '60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076' +
    'cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
] as const;

function initHashOf({ initHash, beacon, implementation }: WalletFactory, words: string): string {
  if (initHash !== null) return initHash.slice(2);
  const [before, after] = beacon === null ? PLAIN_CODE : BEACON_CODE;
  return hashOf(before + (beacon ?? implementation ?? '').slice(2) + after + words);
}

/** The address that a factory's wallet has for an owner. */
export function walletFrom(row: WalletFactory, owner: string): string {
  const [factory, holder] = [row.factory.slice(2), owner.slice(2)];
  assert(holder.length === 40, 'a wallet is derived from an address');
  const words = factory.padStart(64, '0') + holder.padStart(64, '0');
  const salts = { owner: holder, owner_word: words.slice(64), factory_and_owner: words };
  return `0x${hashOf(`ff${factory}${hashOf(salts[row.salt])}${initHashOf(row, words)}`).slice(24)}`;
}

/** An owner's wallets of a kind, in the order of the list. */
export function walletsOf(
  list: readonly WalletFactory[],
  kind: WalletKind,
  owner: string,
): readonly string[] {
  if (kind === 'eoa') return [owner];
  return list.filter((row) => row.kind === kind).map((row) => walletFrom(row, owner));
}

/** What an address is for an owner, if it follows from the owner's; undefined if it does not. */
export function derivedKind(
  list: readonly WalletFactory[],
  address: string,
  owner: string,
): WalletKind | undefined {
  return WALLET_KINDS.find((kind) => walletsOf(list, kind, owner).includes(address));
}
