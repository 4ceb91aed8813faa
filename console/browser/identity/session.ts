/**
 * Who the page is, and all that it signs.
 *
 * Invariant: keys and credentials are in memory only, and are forgotten when their account leaves.
 * The key of a guest is kept by the browser too (guest.ts).
 * What was begun for one account is never finished for another: it rejects with `signed_out`.
 * Bound: one account at a time, and at most one request for its API key.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { SigningDomain } from '../../../http/signing/domains.ts';
import {
  type Credentials,
  fetchApiKey,
  keyHeaders,
  type RequestKey,
  type SigningHeaders,
  walletHeaders,
} from '../signing/api-key.ts';
import type { FoundWallet } from '../signing/discover-wallets.ts';
import {
  type OrderBody,
  type OrderRequest,
  type SignedOrder,
  signOrder,
  unsignedOrder,
} from '../signing/order.ts';
import { keySigner, type Signer, SigningError } from '../signing/signer.ts';
import { connectWallet, walletSigner, watchWallet } from '../signing/wallet-signer.ts';
import type { Guest } from './guest.ts';

export type Identity =
  | { readonly kind: 'none' }
  | { readonly kind: 'dev'; readonly address: string; readonly index: number }
  | { readonly kind: 'key'; readonly address: string }
  | { readonly kind: 'guest'; readonly address: string; readonly name: string }
  | {
      readonly kind: 'wallet';
      readonly address: string;
      readonly name: string;
      /** A data URL for an <img>; '' without one. */
      readonly icon: string;
    };

/** What the session needs of GET /ui/facts.json. */
export interface SessionFacts {
  /** It signs for the first one. */
  readonly chainIds: readonly number[];
  readonly domains: readonly SigningDomain[];
  /** Guests play for play money only. */
  readonly sandbox: boolean;
  /** Whether the page may take private keys. */
  readonly acceptsKeys: boolean;
  readonly devAccounts: readonly { readonly privateKey: string }[];
}

export interface SessionOptions {
  readonly facts: SessionFacts;
  readonly requestKey: RequestKey;
  /** The wall clock, in milliseconds. */
  readonly now: () => number;
}

interface Current {
  readonly signer: Signer;
  /** Stops watching the wallet. */
  readonly leave: () => void;
  /** The API key, or the request for it. */
  credentials?: Promise<Credentials> | undefined;
  /** The id of the API key, once it is known. */
  apiKey?: string | undefined;
}

const NOBODY: Identity = { kind: 'none' };
/** Codes of 401 after which a new request for the API key helps. */
const LOST_KEY = ['unknown_api_key', 'api_key_revoked'];

function nothing(): void {}

function signedOut(message: string): SigningError {
  return new SigningError('signed_out', message);
}

export class Session {
  readonly #identity = signal<Identity>(NOBODY);
  readonly #notice = signal('');
  #options: SessionOptions | undefined;
  #current: Current | undefined;
  /** Counts choices of an account, so that the last one wins. */
  #choices = 0;

  get identity(): ReadonlySignal<Identity> {
    return this.#identity;
  }

  /** Why the wallet left, as a sentence; '' if it did not. */
  get notice(): ReadonlySignal<string> {
    return this.#notice;
  }

  /** Sets what the exchange says of itself and how API keys are requested. Called first. */
  start(options: SessionOptions): void {
    this.signOut();
    this.#options = options;
  }

  /** Becomes a dev account. Rejects with `keys_not_accepted`. */
  async useDevAccount(index: number): Promise<void> {
    const { privateKey } = this.#keyFacts().devAccounts[index] ?? {};
    if (privateKey === undefined) {
      throw new SigningError('keys_not_accepted', `This exchange has no dev account ${index}.`);
    }
    const choice = this.#choose();
    const signer = await keySigner(privateKey);
    this.#enter(choice, { signer, leave: nothing }, ({ address }) => {
      return { kind: 'dev', address, index };
    });
  }

  /** Becomes the account of a private key. Rejects with `keys_not_accepted`, `malformed_key`. */
  async useKey(privateKey: string): Promise<void> {
    this.#keyFacts();
    const choice = this.#choose();
    const signer = await keySigner(privateKey);
    this.#enter(choice, { signer, leave: nothing }, ({ address }) => ({ kind: 'key', address }));
  }

  /** Becomes a guest, whose key this browser made. Rejects with `keys_not_accepted`. */
  async useGuest({ privateKey, name }: Guest): Promise<void> {
    if (!this.#started().facts.sandbox) {
      throw new SigningError('keys_not_accepted', 'Guests play only where there is a sandbox.');
    }
    const choice = this.#choose();
    const signer = await keySigner(privateKey);
    this.#enter(choice, { signer, leave: nothing }, ({ address }) => {
      return { kind: 'guest', address, name };
    });
  }

  /** Headers that prove who a guest is, before the exchange knows it. */
  async proofOf({ privateKey }: Guest): Promise<SigningHeaders> {
    const terms = { chainId: this.#chainId(), nonce: '0', nowMs: this.#started().now() };
    return await walletHeaders(await keySigner(privateKey), terms);
  }

  /** Becomes the current account of a wallet, which asks its user. */
  async useWallet({ provider, name, icon }: FoundWallet): Promise<void> {
    const choice = this.#choose();
    const [address = ''] = await connectWallet(provider);
    if (choice !== this.#choices) throw signedOut('Another account was chosen meanwhile.');
    const signer = walletSigner(provider, address);
    const leave = watchWallet(provider, address, (reason) => {
      this.signOut();
      this.#notice.value = reason;
    });
    this.#enter(choice, { signer, leave }, () => ({ kind: 'wallet', address, name, icon }));
  }

  /** Forgets the account with its key and credentials. */
  signOut(): void {
    this.#choose();
    this.#current?.leave();
    this.#current = undefined;
    this.#notice.value = '';
    this.#identity.value = NOBODY;
  }

  /** The credentials of the account, for the channel of its orders. Made when first needed. */
  async credentials(): Promise<Credentials> {
    const current = this.#account();
    const credentials = await this.#credentialsOf(current);
    this.#checkStill(current);
    return credentials;
  }

  /**
   * The L2 headers of a request. `path` has no query; `body` is exactly the text that is sent.
   */
  async authorize(method: string, path: string, body?: string): Promise<SigningHeaders> {
    const current = this.#account();
    const credentials = await this.#credentialsOf(current);
    const terms = { method, path, body, nowMs: this.#started().now() };
    const headers = await keyHeaders(current.signer.address, credentials, terms);
    this.#checkStill(current);
    return headers;
  }

  /**
   * Takes the code of each 401 and the headers of its request. If the exchange does not know the
   * API key any more, the next request asks for another. Returns whether that may help.
   */
  noteRefusal(code: string, headers: SigningHeaders): boolean {
    const current = this.#current;
    if (current === undefined || !LOST_KEY.includes(code)) return false;
    if (headers.SERVICE_API_KEY === current.apiKey) {
      current.credentials = undefined;
      current.apiKey = undefined;
    }
    return headers.SERVICE_ADDRESS === current.signer.address;
  }

  /** A signed order, for POST /order. A wallet asks its user. */
  async signOrder(request: OrderRequest): Promise<SignedOrder> {
    const current = this.#account();
    const { apiKey } = await this.#credentialsOf(current);
    this.#checkStill(current);
    const signed = await signOrder(request, current.signer, { ...this.#context(), apiKey });
    this.#checkStill(current);
    return signed;
  }

  /**
   * An order for POST /debug/order while its terms are still being chosen. A wallet does not sign
   * it, so the answer says that its signature is wrong, and nothing of the balance.
   */
  async orderToExplain(request: OrderRequest): Promise<OrderBody> {
    const current = this.#account();
    if (current.signer.kind === 'key') return (await this.signOrder(request)).body;
    const { apiKey } = await this.#credentialsOf(current);
    this.#checkStill(current);
    const { address } = current.signer;
    return unsignedOrder(request, { ...this.#context(), address, apiKey });
  }

  #started(): SessionOptions {
    if (this.#options === undefined) throw signedOut('The page has not loaded yet.');
    return this.#options;
  }

  #keyFacts(): SessionFacts {
    const { facts } = this.#started();
    if (facts.acceptsKeys) return facts;
    const message =
      'Private keys are only for play money on this machine. Use a wallet of the browser.';
    throw new SigningError('keys_not_accepted', message);
  }

  #account(): Current {
    if (this.#current === undefined) throw signedOut('Choose an account first.');
    return this.#current;
  }

  #choose(): number {
    this.#choices += 1;
    return this.#choices;
  }

  #enter(choice: number, current: Current, identityOf: (signer: Signer) => Identity): void {
    if (choice !== this.#choices) throw signedOut('Another account was chosen meanwhile.');
    this.#current?.leave();
    this.#current = current;
    this.#notice.value = '';
    this.#identity.value = identityOf(current.signer);
  }

  #checkStill(current: Current): void {
    if (current !== this.#current) {
      throw signedOut('The account for which this was signed has left the page.');
    }
  }

  #chainId(): number {
    const [chainId] = this.#started().facts.chainIds;
    if (chainId === undefined) {
      throw new SigningError('no_api_key', 'This exchange names no chain to sign for.');
    }
    return chainId;
  }

  #context() {
    const { facts, now } = this.#started();
    return { chainId: this.#chainId(), domains: facts.domains, nowMs: now() };
  }

  #credentialsOf(current: Current): Promise<Credentials> {
    if (current.credentials !== undefined) return current.credentials;
    const request = this.#fetchCredentials(current);
    current.credentials = request;
    // A later request may succeed, for example when the user agrees in the wallet.
    request.catch(() => {
      if (current.credentials === request) current.credentials = undefined;
    });
    return request;
  }

  async #fetchCredentials(current: Current): Promise<Credentials> {
    const { requestKey, now } = this.#started();
    const options = { chainId: this.#chainId(), now };
    const credentials = await fetchApiKey(current.signer, requestKey, options);
    current.apiKey = credentials.apiKey;
    return credentials;
  }
}
