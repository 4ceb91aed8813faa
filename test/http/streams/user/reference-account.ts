// Rebuilds orders, trades and balances of one owner from the user channel alone. Fails if a number
// of the owner's sequence is missing.
import { strict as assert } from 'node:assert';
import type { Message } from '../stream-client.ts';

export interface ReferenceBalance {
  readonly available: string;
  readonly held: string;
}

const NOTHING: ReferenceBalance = { available: '0', held: '0' };
const STATUSES = ['MATCHED', 'MINED', 'CONFIRMED'];

/** The rows of a list in a message; each row is a message in itself. */
function rowsIn(message: Message, field: string): readonly Message[] {
  const rows = message[field];
  assert.ok(Array.isArray(rows), field);
  return rows;
}

export class ReferenceAccount {
  /** Live orders by id, as last published. */
  readonly orders = new Map<string, Message>();
  /** Trades by id, as confirmed; if they may walk, as last told. */
  readonly trades = new Map<string, Message>();
  readonly #balances = new Map<string, ReferenceBalance>();
  /** Status steps of trades that are not confirmed. */
  readonly #steps = new Map<string, number>();
  streamId = '';
  sequence = -1;
  /** Whether the ring had everything that was missed. */
  isComplete = true;
  replayed = 0;
  skipped = 0;
  snapshots = 0;
  readonly #mayWalk: boolean;
  #partsLeft = 0;

  /** `mayWalk`: a fault of the sandbox may tell other statuses than the usual three. */
  constructor({ mayWalk = false }: { readonly mayWalk?: boolean } = {}) {
    this.#mayWalk = mayWalk;
  }

  balance(address: string, tokenId: string): ReferenceBalance {
    return this.#balances.get(`${address}/${tokenId}`) ?? NOTHING;
  }

  take(message: Message): void {
    assert.ok(message.type !== 'error', JSON.stringify(message));
    const { event_type: kind, sequence = -1, stream_id: streamId = '' } = message;
    if (kind === 'snapshot') {
      this.#takeSnapshot(message);
      return;
    }
    assert.equal(this.#partsLeft, 0, 'nothing comes between the parts of a snapshot');
    if (kind === 'snapshot_required') {
      this.isComplete = false;
      return;
    }
    assert.equal(streamId, this.streamId);
    if (kind === 'heartbeat' || kind === 'resumed') assert.equal(sequence, this.sequence, kind);
    else if (kind === 'skipped') this.#takeSkipped(message);
    else this.#takeStep(message);
    if (kind === 'resumed') this.replayed += Number(message.replayed);
  }

  #takeSnapshot(message: Message): void {
    const { part, parts, sequence = -1, stream_id: streamId = '' } = message;
    if (part === 1) {
      this.orders.clear();
      this.#balances.clear();
      this.#partsLeft = Number(parts);
      this.snapshots += 1;
    } else assert.equal(sequence, this.sequence, 'the parts of a snapshot are of one state');
    this.sequence = sequence;
    this.streamId = streamId;
    this.#partsLeft -= 1;
    for (const order of rowsIn(message, 'orders')) this.orders.set(String(order.id), order);
    for (const balance of rowsIn(message, 'balances')) this.#setBalance(balance);
  }

  #takeSkipped({ first_sequence: first, sequence = -1 }: Message): void {
    assert.equal(first, this.sequence + 1, 'skipped steps follow the last step');
    assert.ok(sequence >= Number(first));
    this.skipped += 1 + sequence - Number(first);
    this.sequence = sequence;
  }

  #takeStep(message: Message): void {
    assert.equal(message.sequence, this.sequence + 1, 'no step is missing');
    this.sequence += 1;
    if (message.event_type === 'order') this.#takeOrder(message);
    else if (message.event_type === 'trade') this.#takeTrade(message);
    else {
      assert.equal(message.event_type, 'balance');
      this.#setBalance(message);
    }
  }

  #takeOrder(message: Message): void {
    const { type, status } = message;
    const id = String(message.id);
    assert.equal(this.orders.has(id), type !== 'PLACEMENT', `${type} of ${id}`);
    const isOver = status !== 'LIVE' && status !== 'DELAYED';
    assert.equal(type === 'CANCELLATION', isOver && status !== 'MATCHED');
    if (isOver) this.orders.delete(id);
    else this.orders.set(id, message);
  }

  #takeTrade(message: Message): void {
    const id = String(message.id);
    if (this.#mayWalk) {
      this.trades.set(id, message);
      return;
    }
    const step = this.#steps.get(id) ?? 0;
    assert.equal(message.status, STATUSES[step], 'each status comes once, in order');
    assert.ok(!this.trades.has(id), 'a confirmed trade has no further messages');
    if (step + 1 < STATUSES.length) this.#steps.set(id, step + 1);
    else {
      this.#steps.delete(id);
      this.trades.set(id, message);
    }
  }

  #setBalance({ address, asset_id: tokenId, available, held }: Message): void {
    const balance = { available: String(available), held: String(held) };
    this.#balances.set(`${address}/${tokenId}`, balance);
  }
}
