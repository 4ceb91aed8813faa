/** What signs: a private key in memory or a wallet of the browser. */
import type { TypedData } from './typed-data.ts';

export interface Signer {
  /** Lower case. */
  readonly address: string;
  /** A wallet asks its user each time; a key signs at once. */
  readonly kind: 'key' | 'wallet';
  /** 65 bytes of hex. Rejects with a `SigningError`. */
  signTypedData(data: TypedData): Promise<string>;
}

export type SigningFault =
  /** The text is not a private key. */
  | 'malformed_key'
  /** This page may not take private keys. */
  | 'keys_not_accepted'
  /** The exchange has no domain for the order. */
  | 'invalid_order'
  /** The user said no in the wallet. */
  | 'rejected'
  /** The wallet is on another chain and stays there. */
  | 'wrong_chain'
  /** The wallet failed, or gave an answer that is no signature of an address. */
  | 'wallet_failed'
  /** The exchange gave no API key. */
  | 'no_api_key'
  /** Nobody is signed in, or no longer the one for whom this was to be signed. */
  | 'signed_out';

/** Its message is a whole sentence for the user and has no secret. */
export class SigningError extends Error {
  readonly code: SigningFault;

  constructor(code: SigningFault, message: string) {
    super(message);
    this.name = 'SigningError';
    this.code = code;
  }
}
