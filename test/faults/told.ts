/**
 * What clients were told by one run of an exchange, and what they asked for without an answer: all
 * of it must be true after a crash.
 *
 * Invariant: only what arrived whole is noted, for that is what somebody may have acted on.
 */
import type { Payload } from '../http/exchange-fixture.ts';

/** What was asked for by somebody, and may be asked again with the same words. */
export interface OrderAttempt {
  readonly trader: number;
  readonly orderId: string;
  readonly payload: Payload;
  /** Undefined while nothing is known of it. */
  outcome: 'accepted' | 'refused' | undefined;
}

export interface MoveAttempt {
  /** Its place among the traders, or -1 for the operator. */
  readonly trader: number;
  readonly path: string;
  readonly body: Readonly<Record<string, string | readonly string[]>>;
  readonly key: string;
  outcome: 'done' | 'refused' | undefined;
}

export interface KeyAttempt {
  readonly trader: number;
  readonly nonce: string;
  apiKey: string | undefined;
  outcome: 'issued' | 'revoked' | undefined;
  /** Whether its revocation was sent. */
  revoking: boolean;
}

/** A dead man's switch whose arming was acknowledged to its owner. */
export interface ToldSwitch {
  readonly owner: string;
  readonly heartbeatId: string;
}

/** An order as somebody was shown it. */
export interface ShownOrder {
  readonly orderId: string;
  /** Lots that it had filled. */
  readonly filledLots: number;
  readonly isOver: boolean;
}

export interface ShownBalance {
  readonly address: string;
  /** '' for cash. */
  readonly tokenId: string;
  /** Micros, or lots. */
  readonly available: number;
  readonly held: number;
}

export interface ShownBook {
  readonly conditionId: string;
  /** `levelsText` of what was shown. */
  readonly levels: string;
}

export class Told {
  readonly orders = new Map<string, OrderAttempt>();
  readonly moves = new Map<string, MoveAttempt>();
  readonly keys = new Map<string, KeyAttempt>();
  readonly switches: ToldSwitch[] = [];
  /** Ids of orders whose cancellation was acknowledged. */
  readonly canceled = new Set<string>();
  readonly shownOrders: ShownOrder[] = [];
  readonly shownBalances: ShownBalance[] = [];
  readonly shownBooks = new Map<string, ShownBook>();
  /** The record as REST returned it, by trader and id. */
  readonly trades = new Map<string, string>();
  /** Its size and price from streams, by trader and id. */
  readonly streamTrades = new Map<string, string>();
  readonly notifications = new Map<string, string>();
  /** By trader and id. */
  readonly dismissed = new Set<string>();
  /** Requests that were answered, and those that were not. */
  answered = 0;
  unanswered = 0;
  /** Messages of streams. */
  messages = 0;

  showBook(book: ShownBook): void {
    this.shownBooks.set(`${book.conditionId} ${book.levels}`, book);
  }

  /** What was asked for and never answered. */
  unknownOrders(): OrderAttempt[] {
    return [...this.orders.values()].filter(({ outcome }) => outcome === undefined);
  }

  unknownMoves(): MoveAttempt[] {
    return [...this.moves.values()].filter(({ outcome }) => outcome === undefined);
  }

  /** Commands that were acknowledged. */
  acknowledgedCount(): number {
    const orders = [...this.orders.values()].filter(({ outcome }) => outcome === 'accepted');
    const moves = [...this.moves.values()].filter(({ outcome }) => outcome === 'done');
    const keys = [...this.keys.values()].filter(({ outcome }) => outcome !== undefined);
    const switches = new Set(this.switches.map(({ heartbeatId }) => heartbeatId));
    return orders.length + moves.length + keys.length + switches.size + this.canceled.size;
  }
}
