/**
 * The sandbox as a page: crowd, faults, time, checkpoints and the faucet. All but the faucet is on
 * the operator's listener.
 *
 * Invariant: shown only where the exchange has a sandbox; the exchange refuses it elsewhere too.
 */
export { FaucetPanel, PublicSandboxPage } from './public-sandbox-page.tsx';
export { SandboxPage } from './sandbox-page.tsx';
