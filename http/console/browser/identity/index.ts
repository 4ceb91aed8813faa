/**
 * Who am I: nobody, a dev account, a pasted key or a wallet of the browser. The session signs
 * requests and orders for all other rooms.
 */
export { openSession, session } from './open-session.ts';
export { type Identity, Session, type SessionFacts, type SessionOptions } from './session.ts';
