/**
 * What a channel is: a path, and for each socket on it a session. What all channels have in common
 * (keep-alive, sizes, rates, slow clients, ends) is the hub's.
 */
import type { Connection } from './connection.ts';

/** A client's message, parsed; nothing else is known of it. */
export type ClientMessage = Readonly<Record<string, unknown>>;

export interface Channel {
  /** Of metrics. */
  readonly name: string;
  readonly path: string;
  open(connection: Connection): Session;
}

export interface Session {
  /** Throws `StreamError` for what can't be carried out. */
  receive(message: ClientMessage): void;
  /** Some of what waited for the client has gone out. */
  drained(): void;
  /** The connection is gone: nothing may be sent to it any more. */
  closed(): void;
}
