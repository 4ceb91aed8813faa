/**
 * A channel: a path, and a session for each socket on it. The hub does what all channels share:
 * keep-alive, sizes, rates, slow clients and closing.
 */
import type { Connection } from './connection.ts';
import type { SocketSubject } from './faults.ts';

/** A client's message, parsed and not yet checked. */
export type ClientMessage = Readonly<Record<string, unknown>>;

export interface Channel {
  /** The name in metrics. */
  readonly name: string;
  readonly path: string;
  open(connection: Connection): Session;
}

export interface Session {
  /** What the scope of a fault is compared with. */
  subject(): SocketSubject;
  /** Throws `StreamError` for a message that can't be carried out. */
  receive(message: ClientMessage): void;
  /** Called when some of the bytes that waited for the client were sent. */
  drained(): void;
  /** Called when the connection is closed, or closing: nothing may be sent to it any more. */
  closed(): void;
}
