/**
 * Where writes come in: orders and cancels of checked callers to commands, in order of arrival
 * (design 6), and what became of them.
 *
 * The precedence of an order's errors: its shape, its key, its token; then its signature; then,
 * when it is its turn, its grid and whatever the engine refuses.
 *
 * Invariant: a cancel never overtakes an order that arrived before it, and the orders of a batch
 * are contiguous, in array order. No id is ever matched twice: what its look-up could have missed,
 * the engine still remembers, or refuses. (An order that is refused so is looked up and submitted
 * again, behind what its owner sent meanwhile. That takes 65,536 orders closed between its look-up
 * and its turn.) Nothing of a key is done after its revocation was answered, however long it had
 * waited.
 * Bound: `HTTP_BOUNDS` of the owner's line and of the verifiers.
 */
import { strict as assert } from 'node:assert';
import type {
  CancelAll,
  CancelOrders,
  Command,
  Convert,
  DelayedOrderRef,
  EngineEvent,
  Merge,
  OrderPreview,
  PlaceOrder,
  Redeem,
  Rejected,
  Split,
} from '../../engine/index.ts';
import type { Applied, Exchange } from '../../persistence/index.ts';
import type { Limits, Overload, Ticket } from '../admission/index.ts';
import type { Caller, Sender } from '../api/index.ts';
import { openingFor } from '../auth/index.ts';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import { isoTime } from '../codec/index.ts';
import {
  ApiError,
  commandRejectError,
  echo,
  moveRejectError,
  orderRejectError,
  toApiError,
} from '../errors/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SignedOrder } from '../signing/index.ts';
import type { Registry, TokenEntry } from '../views/index.ts';
import type { IntakeObserver } from './intake-observer.ts';
import { measure } from './measure.ts';
import { evidenceOf } from './order-evidence.ts';
import { OwnerQueues } from './owner-queue.ts';
import { type OrderResult, resultOfEvents, resultOfRecord } from './result.ts';
import { signatureError } from './signature-error.ts';
import { readSubmission, type Submission, ZERO_WORD } from './submission.ts';
import type { VerifierPool } from './verifier-pool.ts';
import type { VerifiedId } from './verifier-protocol.ts';

export interface IntakeOptions {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly verifiers: Pick<VerifierPool, 'verify'>;
  readonly observer?: Pick<IntakeObserver, 'waited'>;
  /** Is told of the orders that wait. */
  readonly overload?: Pick<Overload, 'enter'>;
  /** Counts wrong signatures. */
  readonly limits?: Pick<Limits, 'checkSigner' | 'countWrongSignature'>;
}

/** What became of one order: its result, or why it was refused. */
export type Placement = OrderResult | ApiError;

/** What `place` would answer to an order at this moment, and what it learned on the way. */
export interface Forecast {
  /** The error; undefined for an order that would be accepted, or was accepted before. */
  readonly refusal?: ApiError;
  /** As soon as the signature is good. */
  readonly verdict?: VerifiedId;
  /** The result of an order that was accepted before, as it stands now. */
  readonly known?: OrderResult;
  /** What would become of a new one. */
  readonly prospect?: OrderPreview;
}

/** Which orders to cancel: those in a market, of a token, or both; '' is any. */
export type CancelFilter = Pick<CancelAll, 'conditionId' | 'tokenId'>;

/** What a cancel did, oldest first. */
export interface CancelOutcome {
  /** Ids of the orders that it closed. */
  readonly canceled: readonly string[];
  /** Ids of those that it meant and left, because they wait for the delay of their market. */
  readonly delayed: readonly string[];
}

/** A command of the caller's that waits in its line like an order. */
export type TokenMove = Split | Merge | Redeem | Convert;

/** An order whose shape, key and token are in order. */
interface Draft {
  readonly caller: Caller;
  readonly submission: Submission;
  readonly token: TokenEntry;
}

/** A draft whose signature is good. */
interface VerifiedDraft extends Draft {
  readonly verdict: VerifiedId;
}

const NOTHING_TO_PREPARE = Promise.resolve();

export class Intake {
  readonly #options: IntakeOptions;
  readonly #queues: OwnerQueues;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#queues = new OwnerQueues(options.observer);
  }

  /**
   * Places orders, each judged alone; one outcome for each payload, in the same order. Throws
   * `too_many_requests` when too many of the caller's signatures were wrong.
   */
  async place(caller: Caller, payloads: readonly unknown[]): Promise<Placement[]> {
    const { limits, overload } = this.#options;
    const asking = senderOf(caller);
    limits?.checkSigner(asking);
    const ticket = overload?.enter(asking, payloads.length);
    try {
      const onWrong = (): void => limits?.countWrongSignature(asking);
      const prepared = Promise.all(
        payloads.map((payload) => this.#prepare(caller, payload, onWrong)),
      );
      return await this.#queues.enqueue(caller.owner, prepared, (drafts) => {
        this.#checkKey(caller);
        return Promise.all(
          drafts.map((draft) =>
            draft instanceof ApiError ? draft : this.#submit(draft, 1, ticket),
          ),
        );
      });
    } finally {
      ticket?.end();
    }
  }

  /**
   * Tells what `place` would answer, by the same steps, and places nothing. It does not wait for
   * what the owner has in line.
   */
  async foresee(caller: Caller, payload: unknown): Promise<Forecast> {
    const draft = await this.#prepare(caller, payload);
    if (draft instanceof ApiError) return { refusal: draft };
    const { verdict } = draft;
    try {
      return { verdict, ...(await this.#foresee(draft)) };
    } catch (failure) {
      return { verdict, refusal: refusalOfOrder(failure, verdict.orderId) };
    }
  }

  async #foresee(draft: VerifiedDraft): Promise<Forecast> {
    const { orderId, lookup } = draft.verdict;
    const command = this.#commandOf(draft);
    if (lookup.known !== undefined) {
      refuseOtherTerms(lookup.known, command);
      return { known: await this.#resultSoFar(orderId) };
    }
    const prospect = await this.#options.exchange.read((state, nowMs) =>
      state.previewOrder(nowMs, command),
    );
    const { event } = prospect;
    if (event === undefined) return { prospect };
    if (event.kind === 'order_duplicate') return { known: await this.#resultSoFar(orderId) };
    throw orderRejectError(event, { orderHash: orderId, isBuy: command.side === 'BUY' });
  }

  /**
   * Cancels the caller's live orders among these ids, of which there are at most
   * `HTTP_BOUNDS.ordersPerCancel`. Those in a halted market stay; throws `exchange_halted`.
   */
  cancel(caller: Caller, orderIds: readonly string[]): Promise<CancelOutcome> {
    const command = { kind: 'cancel_orders', owner: caller.owner, orderIds } as const;
    const named = new Set(orderIds);
    return this.#cancel(caller, command, ({ orderId }) => named.has(orderId));
  }

  /**
   * Cancels the caller's live orders that pass a filter, whose market and token the registry has.
   * Halted is as with `cancel`.
   */
  cancelAll(caller: Caller, filter: CancelFilter): Promise<CancelOutcome> {
    const command = { kind: 'cancel_all', owner: caller.owner, ...filter } as const;
    const isMeant = ({ conditionId, tokenId }: DelayedOrderRef): boolean =>
      (filter.conditionId === '' || filter.conditionId === conditionId) &&
      (filter.tokenId === '' || filter.tokenId === tokenId);
    return this.#cancel(caller, command, isMeant);
  }

  /**
   * Moves cash or tokens of an account of the caller, behind what the caller has sent before; gives
   * what came of it. Throws the `ApiError` of what the engine refuses.
   */
  async moveTokens(caller: Caller, command: TokenMove): Promise<readonly EngineEvent[]> {
    const { events } = await this.#inTurn(caller, command);
    const rejected = rejectIn(events);
    if (rejected !== undefined) throw moveRejectError(rejected);
    return events;
  }

  /** Arms the caller's dead man's switch, behind what the caller has sent before. */
  async armSwitch(caller: Caller, heartbeatId: string): Promise<void> {
    const { owner } = caller;
    const { events } = await this.#inTurn(caller, { kind: 'arm_switch', owner, heartbeatId });
    const rejected = rejectIn(events);
    if (rejected !== undefined) throw commandRejectError(rejected);
  }

  /**
   * Trips an owner's dead man's switch, also behind what the owner has sent before: no order that
   * arrived in time is left on a book. Gives how many orders that cancelled.
   */
  async tripSwitch(owner: string, heartbeatId: string): Promise<number> {
    const { events } = await this.#queues.enqueue(owner, NOTHING_TO_PREPARE, () =>
      this.#options.exchange.submit({ kind: 'trip_switch', owner, heartbeatId }),
    );
    return events.filter(
      (event) => event.kind === 'order_closed' && event.reason === 'switch_tripped',
    ).length;
  }

  /** Submits a command of the caller when its turn has come. */
  async #inTurn(caller: Caller, command: Command): Promise<Applied> {
    return await this.#queues.enqueue(caller.owner, NOTHING_TO_PREPARE, () => {
      this.#checkKey(caller);
      return this.#options.exchange.submit(command);
    });
  }

  /** A key may have been revoked since its request arrived: what still waits is not done. */
  #checkKey({ apiKey }: Caller): void {
    const revokedMs = this.#options.registry.apiKey(apiKey)?.revokedMs;
    if (revokedMs === undefined) return;
    const revokedAt = isoTime(revokedMs);
    throw new ApiError('api_key_revoked', { field: 'apiKey', actual: apiKey, revokedAt });
  }

  async #cancel(
    caller: Caller,
    command: CancelOrders | CancelAll,
    isMeant: (waiting: DelayedOrderRef) => boolean,
  ): Promise<CancelOutcome> {
    const { exchange } = this.#options;
    const [{ events }, waiting] = await this.#queues.enqueue(
      caller.owner,
      NOTHING_TO_PREPARE,
      () => {
        this.#checkKey(caller);
        // Both at once, so that what waits is what this very cancel has left.
        return Promise.all([exchange.submit(command), this.#waitingOrders(caller.owner)]);
      },
    );
    const rejected = rejectIn(events);
    if (rejected !== undefined) throw commandRejectError(rejected);
    // Others may have been closed at the same time, because they had expired.
    const closed = events.filter((event) => event.kind === 'order_closed');
    return {
      canceled: closed.flatMap(({ orderId, reason }) => (reason === 'canceled' ? [orderId] : [])),
      delayed: waiting.filter(isMeant).map(({ orderId }) => orderId),
    };
  }

  /** None where the look is refused: the cancel is done already and must be answered. */
  async #waitingOrders(owner: string): Promise<readonly DelayedOrderRef[]> {
    try {
      return await this.#options.exchange.read((state) => state.delayedOrders(owner));
    } catch (failure) {
      if (toApiError(failure) === undefined) throw failure;
      return [];
    }
  }

  async #prepare(
    caller: Caller,
    payload: unknown,
    onWrong: () => void = () => {},
  ): Promise<VerifiedDraft | ApiError> {
    try {
      return await this.#verify(this.#draft(caller, payload), onWrong);
    } catch (failure) {
      return refusalIn(failure);
    }
  }

  #draft(caller: Caller, payload: unknown): Draft {
    const submission = readSubmission(payload);
    const { order, owner, conditionId } = submission;
    if (owner !== caller.apiKey) {
      const details = { field: 'owner', limit: caller.apiKey, actual: echo(owner) };
      throw new ApiError('owner_mismatch', details);
    }
    const token = this.#options.registry.token(order.tokenId);
    if (token === undefined) {
      throw new ApiError('token_unknown', { field: 'order.tokenId', actual: order.tokenId });
    }
    const { market } = token;
    if (conditionId !== '' && conditionId !== market.conditionId) {
      const details = { limit: market.conditionId, actual: echo(conditionId) };
      throw new ApiError('condition_mismatch', { field: 'order.conditionId', ...details });
    }
    return { caller, submission, token };
  }

  async #verify(draft: Draft, onWrong: () => void = () => {}): Promise<VerifiedDraft> {
    const { registry, verifiers } = this.#options;
    const { order } = draft.submission;
    const verification = {
      order,
      negRisk: draft.token.market.negRisk,
      keyAddress: draft.caller.owner,
      makerOwner: registry.accountOwner(order.maker),
    };
    const verdict = await verifiers.verify(verification, senderOf(draft.caller));
    if (!verdict.ok) {
      // Of what was refused before any key was recovered, nothing was dear.
      if (verdict.recovered.length > 0) onWrong();
      throw signatureError(verdict);
    }
    return { ...draft, verdict };
  }

  /** Its turn has come: everything up to the first await happens at once. */
  async #submit(draft: VerifiedDraft, lookups: number, ticket?: Ticket): Promise<Placement> {
    const { orderId, lookup } = draft.verdict;
    try {
      const command = this.#commandOf(draft);
      if (lookup.known !== undefined) {
        // What it waits for now are reads, and they hold no other order up.
        ticket?.leave();
        refuseOtherTerms(lookup.known, command);
        return await this.#resultSoFar(orderId);
      }
      const placed = await this.#apply(draft, command);
      ticket?.leave();
      const rejected = rejectIn(placed.events);
      if (rejected === undefined) return await this.#resultOf(placed, command);
      if (rejected.code === 'order_id_unchecked' && lookups < HTTP_BOUNDS.idLookups) {
        const again = await this.#verify(draft);
        this.#checkKey(draft.caller);
        return await this.#submit(again, lookups + 1);
      }
      throw orderRejectError(rejected, { orderHash: orderId, isBuy: command.side === 'BUY' });
    } catch (failure) {
      return refusalOfOrder(failure, orderId);
    }
  }

  #commandOf({ caller, submission, verdict, ...draft }: VerifiedDraft): PlaceOrder {
    const { order, type, postOnly, expirationSeconds } = submission;
    // The market's terms may have changed since the request arrived.
    const { market } = this.#options.registry.token(order.tokenId) ?? draft.token;
    return {
      kind: 'place_order',
      orderId: verdict.orderId,
      account: order.maker,
      owner: caller.owner,
      tokenId: order.tokenId,
      side: order.side === 0 ? 'BUY' : 'SELL',
      type,
      postOnly,
      ...measure(order, type, market.tickTicks),
      expiresAtMs: expirationSeconds * 1000,
      minimumLeadMs: this.#options.settings.gtdMinLeadSeconds * 1000,
      idCheckedSeq: verdict.lookup.checkedSeq,
      ...openingFor(order, this.#options.settings),
      apiKey: caller.apiKey,
      ...builderIn(order),
    };
  }

  #apply({ submission, verdict }: VerifiedDraft, command: PlaceOrder): Promise<Applied> {
    const { exchange, settings } = this.#options;
    const domain = settings.domains[verdict.domain];
    assert(domain !== undefined, 'a verdict names one of the domains');
    return exchange.submit(command, evidenceOf(submission.order, domain));
  }

  #resultOf(placed: Applied, { orderId, side }: PlaceOrder): OrderResult | Promise<OrderResult> {
    const isDuplicate = placed.events.some(({ kind }) => kind === 'order_duplicate');
    return isDuplicate ? this.#resultSoFar(orderId) : resultOfEvents(orderId, side, placed);
  }

  async #resultSoFar(orderId: string): Promise<OrderResult> {
    const record = await this.#options.exchange.reader.order(orderId);
    assert(record !== undefined, 'an accepted order has a record');
    return resultOfRecord(record);
  }
}

function senderOf({ address = '', owner }: Caller): Sender {
  return { address, owner };
}

/** The builder that an order names; hashing has shown that it is 32 bytes of hex. */
function builderIn(order: SignedOrder): Pick<PlaceOrder, 'builder'> {
  const builder = order.struct === 'order11' ? order.builder.toLowerCase() : ZERO_WORD;
  return builder === ZERO_WORD ? {} : { builder };
}

/** The unsigned part of an order must be what was accepted (design 4); else says what differs. */
function refuseOtherTerms(
  known: Pick<PlaceOrder, 'type' | 'postOnly' | 'expiresAtMs'>,
  command: PlaceOrder,
): void {
  const terms = ['type', 'postOnly', 'expiresAtMs'] as const;
  const field = terms.find((term) => known[term] !== command[term]);
  if (field === undefined) return;
  const reject: Rejected = {
    kind: 'rejected',
    code: 'order_id_reused',
    field,
    limit: String(known[field]),
    actual: String(command[field]),
  };
  throw orderRejectError(reject, { orderHash: command.orderId, isBuy: command.side === 'BUY' });
}

function rejectIn(events: readonly EngineEvent[]): Rejected | undefined {
  return events.find((event) => event.kind === 'rejected');
}

/** As `refusalIn`, of an order whose id is known. */
function refusalOfOrder(failure: unknown, orderHash: string): ApiError {
  const { code, details } = refusalIn(failure);
  return new ApiError(code, { ...details, orderHash });
}

/** A failure that is its order's own; anything else is thrown on. */
function refusalIn(failure: unknown): ApiError {
  const refusal = toApiError(failure);
  if (refusal === undefined) throw failure;
  return refusal;
}
