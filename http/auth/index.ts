/**
 * Authentication: it proves which wallet, API key or operator sent a request, and issues API keys.
 */
export { openingFor, paperOf } from './account-opening.ts';
export { createAuthentication } from './authentication.ts';
export {
  ApiCredentials,
  hasTradingKey,
  issueCredentials,
  issueRequestedKey,
  usableNonce,
} from './issue.ts';
export { KeyRing } from './key-ring.ts';
export { isSameText } from './level-two.ts';
export { Revoked, revokeKey } from './revoke.ts';
