/**
 * Signs in the browser as the published clients do: API keys, requests and orders, with a private
 * key in memory or a wallet of the browser. It runs in Node too, where its tests are.
 *
 * Invariant: nothing secret leaves it but in the headers and bodies that it returns; it stores
 * nothing and sends nothing. Errors are `SigningError`s, whose messages are for the user.
 * Bound: what strangers send (wallets, their answers) is limited in the file that reads it.
 */
export {
  type Credentials,
  fetchApiKey,
  keyHeaders,
  type ProofTerms,
  type RequestKey,
  type RequestTerms,
  type SigningHeaders,
  walletHeaders,
} from './api-key.ts';
export { checkSigned, type SignedFacts } from './check-signed.ts';
export { discoverWallets, type FoundWallet } from './discover-wallets.ts';
export { keySigner } from './key-signer.ts';
export {
  type Domains,
  type OrderBody,
  type OrderContext,
  type OrderMessage,
  type OrderRequest,
  type SignedOrder,
  signOrder,
  typedDataOf,
  unsignedOrder,
} from './order.ts';
export { moveKey } from './random.ts';
export { type Receipt, receiptOf, type TradeContent } from './receipt.ts';
export { type Signer, SigningError, type SigningFault } from './signer.ts';
export type { TypedData } from './typed-data.ts';
export { connectWallet, type WalletProvider, walletSigner, watchWallet } from './wallet-signer.ts';
