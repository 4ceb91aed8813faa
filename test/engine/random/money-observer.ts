/**
 * Audits all money from events alone: deposits, withdrawals, and the collateral behind the tokens
 * of each market, or of all markets of an opened neg-risk event together. Invariant: deposits =
 * withdrawals + cash of accounts + locked collateral, to the micro, after every command. The cash
 * of each account comes from event-observer.ts.
 */
import { strict as assert } from 'node:assert';
import type { EngineEvent, Redeemed, StateView, Totals } from '../../../engine/index.ts';
import { ONE_TICKS } from '../../../engine/index.ts';
import type { EventObserver } from './event-observer.ts';

export class MoneyObserver {
  readonly #seen: EventObserver;
  /** Locked micros by condition id, or by event id once the event is open. */
  readonly #locked = new Map<string, number>();
  /** Event ids of opened events by condition id. */
  readonly #eventOf = new Map<string, string>();
  #depositedMicros = 0;
  #withdrawnMicros = 0;
  /** How often the last collateral behind resolved tokens was paid out. */
  emptied = 0;

  constructor(seen: EventObserver) {
    this.#seen = seen;
  }

  observe(events: readonly EngineEvent[]): void {
    for (const event of events) this.#see(event);
  }

  #see(event: EngineEvent): void {
    switch (event.kind) {
      case 'account_opened':
        this.#countDeposit(event.paperMicros);
        break;
      case 'cash_moved':
        if (event.amountMicros > 0) this.#countDeposit(event.amountMicros);
        else this.#withdrawnMicros -= event.amountMicros;
        break;
      case 'sets_moved':
        this.#lock(this.#placeOf(event.conditionId), event.splitLots * ONE_TICKS);
        break;
      case 'fill':
        if (event.match === 'transfer') break;
        this.#lock(
          this.#placeOf(event.conditionId),
          (event.match === 'mint' ? event.lots : -event.lots) * ONE_TICKS,
        );
        break;
      case 'event_opened':
        for (const conditionId of event.conditionIds) this.#join(conditionId, event.eventId);
        break;
      case 'converted':
        this.#lock(event.eventId, -event.amountMicros);
        break;
      case 'redeemed':
        this.#redeem(event);
        break;
    }
  }

  /** Beyond 2^53 what was withdrawn leaves both sums. */
  #countDeposit(amountMicros: number): void {
    if (this.#depositedMicros + amountMicros > Number.MAX_SAFE_INTEGER) {
      this.#depositedMicros -= this.#withdrawnMicros;
      this.#withdrawnMicros = 0;
    }
    this.#depositedMicros += amountMicros;
  }

  #placeOf(conditionId: string): string {
    return this.#eventOf.get(conditionId) ?? conditionId;
  }

  #lock(place: string, amountMicros: number): void {
    const after = (this.#locked.get(place) ?? 0) + amountMicros;
    assert(after >= 0, 'no more is paid than was locked');
    this.#locked.set(place, after);
  }

  #join(conditionId: string, eventId: string): void {
    const before = this.#locked.get(conditionId) ?? 0;
    this.#locked.delete(conditionId);
    this.#eventOf.set(conditionId, eventId);
    this.#lock(eventId, before);
  }

  #redeem({ conditionId, amountMicros }: Redeemed): void {
    const place = this.#placeOf(conditionId);
    this.#lock(place, -amountMicros);
    if (amountMicros > 0 && this.#locked.get(place) === 0) this.emptied += 1;
  }

  /** Throws unless the money adds up and equals the totals of an engine. */
  compare(totals: Totals): void {
    let cashMicros = 0;
    for (const account of this.#seen.accounts.values()) cashMicros += account.cashMicros;
    let lockedMicros = 0;
    for (const amountMicros of this.#locked.values()) lockedMicros += amountMicros;
    const [depositedMicros, withdrawnMicros] = [this.#depositedMicros, this.#withdrawnMicros];
    const out = withdrawnMicros + cashMicros + lockedMicros;
    assert.equal(out, depositedMicros, 'cash in = cash out + cash held');
    const liveOrders = this.#seen.live.size;
    const expected = { liveOrders, cashMicros, lockedMicros, depositedMicros, withdrawnMicros };
    for (const [name, amount] of Object.entries(expected)) {
      // The cast is safe: these are the names of the sums.
      assert.equal(totals[name as keyof Totals], amount, `${name} as in events`);
    }
  }

  /** Throws unless a state locks the same collateral for each market or event. */
  comparePlaces({ markets, events }: StateView): void {
    const locked = new Map<string, number>();
    const add = (place: string, amount: number) =>
      locked.set(place, (locked.get(place) ?? 0) + amount);
    for (const { conditionId, setsLots, owedMicros } of markets) {
      add(this.#placeOf(conditionId), setsLots * ONE_TICKS + owedMicros);
    }
    for (const { eventId, conditionIds, bundlesLots } of events) {
      add(eventId, -(conditionIds.length - 1) * bundlesLots * ONE_TICKS);
    }
    for (const [place, amount] of locked) {
      assert.equal(amount, this.#locked.get(place) ?? 0, `locked behind ${place} as in events`);
    }
  }
}
