/**
 * Signs the requests of the page /docs as dev accounts. .ci/console.mjs builds it into
 * `http/documentation/built/signing.js`, which the scripts of that page import.
 *
 * Invariant: it signs with the keys of `facts` only, which are publicly known.
 */
export { type Operations, type PageRequest, RequestSigner, readFacts } from './request-signer.ts';
