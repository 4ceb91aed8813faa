/**
 * What faults of the sandbox may do to the streams. The streams ask at each moment at which a fault
 * can happen; `sandbox/faults` answers.
 *
 * Invariant: without faults `isOn` is false, and that is all that a message costs.
 */
import type { DurableCommand } from '../../../persistence/index.ts';
import type { TradeStatus } from '../../format/index.ts';

/** A socket as the scope of a fault sees it. */
export interface SocketSubject {
  readonly channel: 'market' | 'user' | 'live';
  /** Both are '' for a socket without credentials. */
  readonly owner: string;
  readonly apiKey: string;
  /** The condition ids of the markets that the socket names. */
  readonly markets: readonly string[];
}

/** What happens to a socket instead of its next message. */
export type SocketFault =
  | {
      readonly kind: 'mute';
      readonly faultId: string;
      /** By `nowMs`; Infinity for as long as the fault exists. */
      readonly untilMs: number;
    }
  /** 1006 closes the connection without a close frame, which clients see as 1006. */
  | { readonly kind: 'close'; readonly code: number };

/** A numbered message that is about to be published. */
export interface StepSubject {
  readonly channel: 'market' | 'user';
  readonly conditionId: string;
  /** The receivers' owner and key; '' on the market channel. */
  readonly owner: string;
  readonly apiKey: string;
  readonly sequence: number;
}

export interface StreamFaults {
  /** Whether a fault of the streams exists. Everything below is asked only then. */
  readonly isOn: boolean;
  /** The clock of faults, in milliseconds since the epoch: the exchange's. */
  readonly nowMs: number;
  /** Asked before each message to a socket. One that is muted can only be closed. */
  onSocket(
    subject: SocketSubject & { readonly userAgent: string },
    isMuted: boolean,
  ): SocketFault | undefined;
  /** Whether a message is left out, although its number is consumed. */
  leavesOut(step: StepSubject): boolean;
  /** Called for each durable batch. `keyOf`: the API key that placed an order. */
  beginWalks(commands: readonly DurableCommand[], keyOf: (orderId: string) => string): void;
  /** The statuses of a new trade that are told at once. */
  toldAtOnce(tradeId: string): readonly TradeStatus[];
  /** Ends what is due. The timer of the streams calls it. */
  sweep(): void;
}

/** The statuses of a trade that no fault delays: all at once, since nothing settles elsewhere. */
export const ALL_AT_ONCE: readonly TradeStatus[] = ['MATCHED', 'MINED', 'CONFIRMED'];

export const NO_FAULTS: StreamFaults = {
  isOn: false,
  nowMs: 0,
  onSocket: () => undefined,
  leavesOut: () => false,
  beginWalks: () => {},
  toldAtOnce: () => ALL_AT_ONCE,
  sweep: () => {},
};
