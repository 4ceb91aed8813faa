/**
 * What clients were told by one run of an exchange, which must still be true after a crash, and
 * their requests that got no answer.
 *
 * Invariant: an answer is noted only after all of it has arrived.
 */
import type { Payload } from '../http/exchange-fixture.ts';

/** An order that was sent, and that can be sent again with the same payload. */
export interface OrderAttempt {
  readonly trader: number;
  readonly orderId: string;
  readonly payload: Payload;
  /** Undefined while there is no certain answer. */
  outcome: 'accepted' | 'refused' | undefined;
}

export interface MoveAttempt {
  /** The index of the trader, or -1 for the operator. */
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

/** The state of an order that a client was shown. */
export interface ShownOrder {
  readonly orderId: string;
  /** How many lots of it were filled. */
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
  /** Trades as REST returned them, by trader and id. */
  readonly trades = new Map<string, string>();
  /** Sizes and prices of trades from streams, by trader and id. */
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

  /** Requests that were never answered for certain. */
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
