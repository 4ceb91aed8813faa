/** A row of the error table, and the sentences that several rows share (wire 5.8). */

export interface ErrorEntry {
  readonly status: number;
  readonly text: string;
  readonly poly?: string;
  /** When it happens and what helps, for the documentation. */
  readonly docs: string;
  /** Sent as `Retry-After` where trying again helps. */
  readonly retryAfterSeconds?: number;
}

export const NOT_YOUR_ADDRESS = {
  text: 'owner_address_mismatch',
  poly: 'the order signer address has to be the address of the API KEY',
} as const;
export const BAD_L2 = {
  status: 401,
  text: 'invalid_l2',
  poly: 'Unauthorized/Invalid api key',
} as const;
export const BAD_ORDER = { status: 400, text: 'Invalid order payload' } as const;
