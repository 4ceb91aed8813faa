/**
 * Signatures: EIP-712 orders, L1 and L2 authentication, and the recovery of signers.
 */
export {
  ADDRESS_IN_WORDS,
  parseAddress,
  proxyWallet,
  safeWallet,
  toChecksumAddress,
} from './address.ts';
export type { AuthFault, AuthRefusal, FreshnessWindow } from './auth-headers.ts';
export { type Credentials, deriveCredentials } from './credentials.ts';
export { type DomainEntry, DomainTable, isForMarket } from './domain-table.ts';
export { DEFAULT_DOMAINS, parseDomains, type SigningDomain } from './domains.ts';
export { bytesToHex } from './hash.ts';
export { clobAuthDigest, verifyL1 } from './l1.ts';
export { signL2, verifyL2 } from './l2.ts';
export { type StructHash, structHash } from './order-hash.ts';
export {
  CLOB_AUTH,
  ORDER_DOMAIN_STRUCT,
  ORDER_STRUCT_TYPES,
  type Order11,
  type OrderRequest,
  orderContent,
  orderDomain,
  type SignedOrder,
  structMembers,
} from './order-struct.ts';
export { assertNativeSecp256k1, recoverAddress } from './recover.ts';
export { SEARCH_MS, SEARCHES, SearchBudget } from './search-budget.ts';
export { signOrder } from './sign-order.ts';
export { typedDataDigest } from './typed-data.ts';
export { isUint256 } from './uint256.ts';
export {
  checkContents,
  checkOwnership,
  expectedMaker,
  type OrderVerification,
  type OrderVerificationCode,
  type ParsedSignature,
  parseSignature,
  type Refusal,
  type RefusedOrder,
  type VerifyOrderOptions,
  verifyOrder,
} from './verify-order.ts';
export { isPrivateKey, type Wallet, walletOf } from './wallet.ts';
export { typedDataSignHash } from './wrapped-signature.ts';
