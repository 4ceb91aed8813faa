/**
 * Authentication: it proves which wallet, API key or operator sent a request, and issues API keys.
 */
export { openingFor, paperOf } from './account-opening.ts';
export { authenticate } from './authenticate.ts';
export { claimOf } from './claim.ts';
export { ApiCredentials, hasTradingKey, issueCredentials, issueNextKey } from './issue.ts';
export { KeyRing } from './key-ring.ts';
export { isSameText, type SignedRequest } from './level-two.ts';
export { OperatorGate } from './operator-gate.ts';
export { Revoked, revokeKey } from './revoke.ts';
