/**
 * Faults of the sandbox that happen to sockets: a mute, or a close.
 *
 * Invariant: a socket that is muted or about to be closed is sent nothing. Faults are met where a
 * message would be sent, so a close waits for a later turn of the event loop: its session is in the
 * middle of sending.
 * Bound: the open sockets.
 */
import { setImmediate } from 'node:timers';
import type { Connection, MessageGate } from './connection.ts';
import type { SocketFault, StreamFaults } from './faults.ts';
import type { StreamMetrics } from './metrics.ts';

/** What clients see when a connection ends without a close frame. No frame may carry it. */
const CUT_CODE = 1006;
const CLOSE_REASON = 'a fault of the sandbox';

export class SocketFaults implements MessageGate {
  readonly #faults: StreamFaults;
  readonly #metrics: StreamMetrics;
  readonly #muted = new Map<Connection, Extract<SocketFault, { kind: 'mute' }>>();
  /** Sockets that close in a later turn. */
  readonly #closing = new Set<Connection>();

  constructor(faults: StreamFaults, metrics: StreamMetrics) {
    this.#faults = faults;
    this.#metrics = metrics;
  }

  get isOn(): boolean {
    return this.#faults.isOn;
  }

  passes(connection: Connection): boolean {
    this.meet(connection);
    return !connection.isMuted;
  }

  /** Asks for a fault in place of a socket's next message. */
  meet(connection: Connection): void {
    const { subject, peer } = connection;
    if (subject === undefined || this.#closing.has(connection)) return;
    const fault = this.#faults.onSocket(
      { ...subject(), userAgent: peer.userAgent },
      connection.isMuted,
    );
    if (fault === undefined) return;
    connection.mute();
    if (fault.kind === 'close') this.#closeLater(connection, fault.code);
    else this.#muted.set(connection, fault);
  }

  /** Ends the mutes whose time is over. */
  sweep(): void {
    for (const [connection, { untilMs }] of this.#muted) {
      if (this.#faults.nowMs >= untilMs || !connection.isOpen) this.#unmute(connection);
    }
  }

  /** Ends the mutes that a fault caused. */
  unmute(faultId: string): void {
    for (const [connection, mute] of this.#muted) {
      if (mute.faultId === faultId) this.#unmute(connection);
    }
  }

  #unmute(connection: Connection): void {
    this.#muted.delete(connection);
    if (!this.#closing.has(connection)) connection.unmute();
  }

  #closeLater(connection: Connection, code: number): void {
    this.#closing.add(connection);
    setImmediate(() => {
      this.#closing.delete(connection);
      if (!connection.isOpen) return;
      this.#metrics.closed.add('fault');
      if (code === CUT_CODE) connection.cut();
      else connection.closeWith(code, CLOSE_REASON);
    });
  }
}
