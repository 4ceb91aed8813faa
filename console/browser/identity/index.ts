/**
 * Who signs: nobody, a guest, a dev account, a pasted key or a wallet of the browser. The session
 * signs requests and orders for all other rooms; the menu is where a person chooses.
 */
export { facts, session, startIdentity } from './facts.ts';
export { JoinPage } from './identity-choices.tsx';
export { chooseIdentity, IdentityMenu, SignedIn } from './identity-menu.tsx';
export { ownAccounts, ownChannelFailure, retryOwnChannel, startOwnChannel } from './own-channel.ts';
export type { Identity } from './session.ts';
