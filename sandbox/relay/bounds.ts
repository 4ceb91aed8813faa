/** The bounds of the relayer and of the JSON-RPC, each with its error. */
export const RELAY_BOUNDS = {
  /** Calls in one batch. Error: `invalid_payload`. */
  callsPerBatch: 50,
  /** Characters of a transaction's metadata, as in the SDK. Error: `invalid_payload`. */
  metadataChars: 500,
  /** Transactions that can be looked up, at least; the oldest are forgotten. */
  transactions: 4_096,
  /** Transactions in one list. */
  transactionsPerList: 100,
  /** Wallets whose next nonce is kept; the others share one. */
  nonces: 16_384,
  /** Requests in one body of the JSON-RPC. Error: -32600. */
  rpcRequests: 50,
  /** Balances in one call of `balanceOfBatch`. Error: -32602. */
  rpcBalances: 100,
} as const;
