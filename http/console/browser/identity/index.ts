/**
 * Who am I: nobody, a dev account, a pasted key or a wallet of the browser. The session signs
 * requests and orders for all other rooms.
 */
import { Session } from './session.ts';

export {
  type Identity,
  Session,
  type SessionFacts,
  type SessionOptions,
} from './session.ts';

/** The session of this page. `start` is called once, with the facts of the exchange. */
export const session = new Session();
