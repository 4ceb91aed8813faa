/**
 * Makes the answer to an accepted order as the venue of the profile gives it: with or without
 * transaction hashes, at once or held until the order's delay is over.
 *
 * Invariant: an accepted order is always answered, with what is known of it at that time.
 * Bound: an answer is held for `heldAnswerSeconds` of the profile at most, so the answers that are
 * held are among the requests that are handled at once.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { DurableCommand, Exchange } from '../../persistence/index.ts';
import { toApiError } from '../errors/index.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import { type OrderResult, resultOfRecord } from './result.ts';

/** Tells when the delay of an order is over. It is fed by durable commands. */
export class DelayEnds {
  /** By order id, whom to tell. */
  readonly #waiting = new Map<string, Set<() => void>>();

  consume(commands: readonly DurableCommand[]): void {
    if (this.#waiting.size === 0) return;
    for (const { events } of commands) {
      for (const event of events) {
        if (event.kind !== 'order_released' && event.kind !== 'order_closed') continue;
        for (const tell of this.#waiting.get(event.orderId) ?? []) tell();
      }
    }
  }

  /** Resolves when a later command ends the delay, or after `mostMs`. */
  next(orderId: string, mostMs: number): Promise<void> {
    const tells = this.#waiting.get(orderId) ?? new Set();
    this.#waiting.set(orderId, tells);
    return new Promise((resolve) => {
      const tell = (): void => {
        clearTimeout(timer);
        tells.delete(tell);
        if (tells.size === 0) this.#waiting.delete(orderId);
        resolve();
      };
      const timer = setTimeout(tell, mostMs).unref();
      tells.add(tell);
    });
  }
}

export interface OrderAnswersOptions {
  readonly exchange: Pick<Exchange, 'read' | 'reader'>;
  readonly profile: Pick<VenueProfile, 'answerHashes' | 'heldAnswerSeconds'>;
  readonly delayEnds: DelayEnds;
}

export class OrderAnswers {
  readonly #options: OrderAnswersOptions;

  constructor(options: OrderAnswersOptions) {
    this.#options = options;
  }

  /** The answer to an order of this owner, from the result of placing it. */
  async of(owner: string, placed: OrderResult): Promise<OrderResult> {
    const { answerHashes, heldAnswerSeconds } = this.#options.profile;
    const isHeld = placed.status === 'delayed' && heldAnswerSeconds > 0;
    const result = isHeld ? await this.#afterDelay(owner, placed) : placed;
    return answerHashes || result.transactionsHashes.length === 0
      ? result
      : { ...result, transactionsHashes: [] };
  }

  async #afterDelay(owner: string, placed: OrderResult): Promise<OrderResult> {
    const { exchange, delayEnds, profile } = this.#options;
    const { orderID } = placed;
    const ended = delayEnds.next(orderID, profile.heldAnswerSeconds * SECOND_MS);
    try {
      // The delay may have ended before `ended` was made.
      const delayed = await exchange.read((state) => state.delayedOrders(owner));
      if (delayed.some(({ orderId }) => orderId === orderID)) await ended;
      // A read waits for all steps of an order that meets many others.
      await exchange.read(() => undefined);
      const record = await exchange.reader.order(orderID);
      // A sandbox may have gone back to a time before the order.
      if (record === undefined) return placed;
      const { duplicate: _, ...result } = resultOfRecord(record);
      return placed.duplicate === true ? { ...result, duplicate: true } : result;
    } catch (failure) {
      if (toApiError(failure) === undefined) throw failure;
      return placed;
    }
  }
}
