/**
 * What the public venue's SDK asks around the venue: a relayer, which opens wallets and carries out
 * the calls that their owners signed, and the JSON-RPC of a chain.
 *
 * Invariant: a batch is carried out once, with the signature of the owner of its wallet alone, as
 * moves of that owner in the order of its requests. No request leaves the machine.
 * Bounds: RELAY_BOUNDS.
 */
import { Relay } from './relay.ts';
import { RELAY_ROUTES } from './routes.ts';
import { postRpc } from './rpc.ts';

export { Relay };
export const WALLET_ROUTES = [...RELAY_ROUTES, postRpc] as const;
