/**
 * Turns the orders and cancels of authenticated callers into commands, in order of arrival, and
 * answers with the result. The life of an order here:
 *
 * 1. `#draft` checks its shape, its `owner` key and its token;
 * 2. `#verify` has a verifier thread check its signature and look its id up;
 * 3. it waits in its owner's queue until all earlier writes of the owner are carried out;
 * 4. `#submit` makes the command (amounts on the grid) and submits it to the exchange;
 * 5. when the command is durable, its events become the result.
 *
 * An order with several faults is refused with the first in this order.
 *
 * Invariant: a cancel never overtakes an order that arrived before it, and the orders of a batch
 * are contiguous, in array order. No order id is matched twice: the engine still remembers, or
 * refuses, every id that the lookup could have missed. (A refused one is looked up and submitted
 * again, behind the writes that its owner sent meanwhile. This happens only if 65,536 orders close
 * between its lookup and its turn.) After a key's revocation is answered, none of the key's waiting
 * writes is carried out.
 * Bound: `HTTP_BOUNDS` of the owner's queue and of the verifiers.
 */
import { strict as assert } from 'node:assert';
import type {
  CancelAll,
  CancelOrders,
  CancelStep,
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
import type { Applied, Attribution, Exchange } from '../../persistence/index.ts';
import type { Limits } from '../admission/limits.ts';
import type { Overload, WaitingOrders } from '../admission/overload.ts';
import type { Caller } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { isoTime } from '../codec/index.ts';
import {
  ApiError,
  moveRejectError,
  orderRejectError,
  rejectIn,
  throwReject,
  toApiError,
} from '../errors/index.ts';
import type { Settings } from '../settings/settings.ts';
import type { Registry } from '../views/index.ts';
import {
  checkOrderKey,
  checkOrderToken,
  type Draft,
  orderCommand,
  signatureError,
  type VerifiedDraft,
} from './order-command.ts';
import { evidenceOf } from './order-evidence.ts';
import {
  type IntakeObserver,
  type KeyUser,
  OwnerQueues,
  senderOfCaller,
  submitFor,
  type Writer,
} from './owner-queue.ts';
import { type OrderResult, resultOfEvents, resultOfRecord, resultOfSteps } from './result.ts';
import { readSubmission } from './submission.ts';
import type { VerifierPool } from './verifier-pool.ts';
import type { Verdict, VerifiedId } from './verifier-protocol.ts';

export interface OrderIntakeOptions {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly verifiers: Pick<VerifierPool, 'verify'>;
  readonly observer?: Pick<IntakeObserver, 'waited'>;
  /** Counts the orders that wait. */
  readonly overload?: Pick<Overload, 'add' | 'use'>;
  /** Counts wrong signatures. */
  readonly limits?: Pick<Limits, 'checkSigner' | 'countWrongSignature'>;
}

/** The result of one order, or its refusal. */
export type Placement = OrderResult | ApiError;

/** What `place` would answer to an order now, and the findings behind that answer. */
export interface PlacementPreview {
  /** undefined for an order that would be accepted, or was accepted before. */
  readonly refusal?: ApiError;
  /** Present if the signature is good. */
  readonly verdict?: VerifiedId;
  /** The current result of an order that was accepted before. */
  readonly known?: OrderResult;
  /** What a new order would do. */
  readonly outcome?: OrderPreview;
}

/** Cancels orders in a market, of a token, or both; '' means any. */
export type CancelFilter = Pick<CancelAll, 'conditionId' | 'tokenId'>;

/** The result of a cancel: ids of orders, oldest first. */
export interface CancelOutcome {
  readonly canceled: readonly string[];
  /** Those that it left because their market delays them. */
  readonly delayed: readonly string[];
}

/** A command that waits in its owner's queue like an order. */
export type TokenMove = Split | Merge | Redeem | Convert;

const NOTHING_TO_PREPARE = Promise.resolve();

export class OrderIntake {
  readonly #options: OrderIntakeOptions;
  readonly #queues: OwnerQueues;

  constructor(options: OrderIntakeOptions) {
    this.#options = options;
    this.#queues = new OwnerQueues(options.observer);
  }

  /**
   * Places orders, each on its own. Returns one outcome for each payload, in the same order. Throws
   * `too_many_requests` when too many of the caller's signatures were wrong.
   */
  async place(caller: Caller, payloads: readonly unknown[]): Promise<Placement[]> {
    const { limits, overload } = this.#options;
    const sender = senderOfCaller(caller);
    limits?.checkSigner(sender);
    const waiting = overload?.add(sender, payloads.length);
    try {
      const onWrong = (): void => {
        limits?.countWrongSignature(sender);
        overload?.use.chargeWrongSignature(sender);
      };
      const prepared = Promise.all(
        payloads.map((payload) => this.#prepare(caller, payload, onWrong)),
      );
      return await this.#queues.enqueue(caller, prepared, (drafts) => {
        this.#checkKey(caller);
        return Promise.all(
          drafts.map((draft) =>
            draft instanceof ApiError ? draft : this.#submit(draft, 1, waiting),
          ),
        );
      });
    } finally {
      waiting?.answerAll();
    }
  }

  /**
   * Returns what `place` would answer, found by the same steps, and places nothing. It does not
   * wait in the owner's queue.
   */
  async preview(caller: Caller, payload: unknown): Promise<PlacementPreview> {
    const draft = await this.#prepare(caller, payload);
    if (draft instanceof ApiError) return { refusal: draft };
    const { verdict } = draft;
    try {
      return { verdict, ...(await this.#preview(draft)) };
    } catch (failure) {
      return { verdict, refusal: refusalOfOrder(failure, verdict.orderId) };
    }
  }

  async #preview(draft: VerifiedDraft): Promise<PlacementPreview> {
    const { orderId, lookup } = draft.verdict;
    const command = orderCommand(draft, this.#options);
    if (lookup.known !== undefined) {
      refuseOtherTerms(lookup.known, command);
      return { known: await this.#resultSoFar(orderId) };
    }
    const outcome = await this.#options.exchange.read((state, nowMs) =>
      state.previewOrder(nowMs, command),
    );
    const { event } = outcome;
    if (event === undefined) return { outcome };
    if (event.kind === 'order_duplicate') return { known: await this.#resultSoFar(orderId) };
    throw orderRejectError(event, { orderHash: orderId, isBuy: command.side === 'BUY' });
  }

  /**
   * Cancels the caller's live orders among these ids, of which there are at most
   * `HTTP_BOUNDS.ordersPerCancel`. Orders in a halted market stay. Throws `exchange_halted` if the
   * whole exchange is halted.
   */
  async cancel(caller: Caller, orderIds: readonly string[]): Promise<CancelOutcome> {
    return await this.#queues.enqueue(caller, NOTHING_TO_PREPARE, () => {
      this.#checkKey(caller);
      return this.cancelAtOnce(caller, orderIds);
    });
  }

  /**
   * Cancels as `cancel`, but waits for no earlier write of the owner, of which there may be many.
   * `said` is who asks for it, if an operator does.
   */
  async cancelAtOnce(writer: Writer, orderIds: readonly string[], said?: Attribution) {
    const named = new Set(orderIds);
    const isNamed = ({ orderId }: DelayedOrderRef): boolean => named.has(orderId);
    const command = { kind: 'cancel_orders', owner: writer.owner, orderIds } as const;
    return (await this.#cancelNow(writer, command, isNamed, said)).outcome;
  }

  /**
   * Cancels the caller's live orders that match the filter. The filter's market and token must
   * exist. Halted markets are treated as by `cancel`. Each step cancels a part, the oldest orders
   * first; the caller's later writes wait for the last one. Rejects when a step is refused, and the
   * steps before it stay done (docs/decisions/0010-long-work-in-steps.md).
   */
  cancelAll(caller: Caller, filter: CancelFilter): Promise<CancelOutcome> {
    const { owner } = caller;
    const matches = ({ conditionId, tokenId }: DelayedOrderRef): boolean =>
      (filter.conditionId === '' || filter.conditionId === conditionId) &&
      (filter.tokenId === '' || filter.tokenId === tokenId);
    return this.#queues.enqueueSteps(caller, async () => {
      this.#checkKey(caller);
      const canceled: string[] = [];
      // All steps go as far as the orders that precede the first one.
      let step: CancelStep = { most: HTTP_BOUNDS.ordersPerCancelStep };
      for (;;) {
        const command = { kind: 'cancel_all', owner, ...filter, step } as const;
        const { seq, outcome } = await this.#cancelNow(caller, command, matches);
        canceled.push(...outcome.canceled);
        if (outcome.canceled.length < step.most) return { ...outcome, canceled };
        step = { upToSeq: seq, ...step };
      }
    });
  }

  /**
   * Moves cash or tokens of an account of the caller, after the caller's earlier writes. Throws the
   * engine's refusal as an `ApiError`.
   */
  async moveTokens(caller: Caller, command: TokenMove): Promise<readonly EngineEvent[]> {
    const { exchange } = this.#options;
    for (let lookups = 1; ; lookups += 1) {
      const lookup = exchange.lookUpKey({ owner: command.owner, key: command.key });
      const { events } = await this.#queues.enqueue(caller, lookup, (found) => {
        this.#checkKey(caller);
        return submitFor(caller, exchange, { ...command, ...found });
      });
      const isLate = rejectIn(events)?.code === 'money_key_unchecked';
      // Like an order whose look-up is repeated, it now goes behind what its owner sent meanwhile.
      if (isLate && lookups < HTTP_BOUNDS.idLookups) continue;
      throwReject(events, moveRejectError);
      return events;
    }
  }

  /** Arms the caller's dead man's switch, after the caller's earlier writes. */
  async armSwitch(caller: KeyUser, heartbeatId: string): Promise<void> {
    const { owner } = caller;
    const { events } = await this.#inTurn(caller, { kind: 'arm_switch', owner, heartbeatId });
    throwReject(events);
  }

  /**
   * Trips an owner's dead man's switch, after the owner's earlier writes, so that no order that
   * arrived before stays on a book. Returns the number of cancelled orders.
   */
  async tripSwitch(owner: string, heartbeatId: string): Promise<number> {
    const most = HTTP_BOUNDS.ordersPerCancelStep;
    const command = { kind: 'trip_switch', owner, heartbeatId, most } as const;
    return this.#queues.enqueueSteps({ owner }, async () => {
      for (let canceled = 0; ; ) {
        const { events } = await this.#options.exchange.submit(command);
        const closed = events.filter(
          (event) => event.kind === 'order_closed' && event.reason === 'switch_tripped',
        );
        canceled += closed.length;
        if (closed.length < most) return canceled;
      }
    });
  }

  /** Submits a command in the caller's queue. */
  async #inTurn(caller: KeyUser, command: Command): Promise<Applied> {
    return await this.#queues.enqueue(caller, NOTHING_TO_PREPARE, () => {
      this.#checkKey(caller);
      return submitFor(caller, this.#options.exchange, command);
    });
  }

  /** Throws when the key was revoked while its write waited. */
  #checkKey({ apiKey }: Pick<Caller, 'apiKey'>): void {
    const revokedMs = this.#options.registry.apiKey(apiKey)?.revokedMs;
    if (revokedMs === undefined) return;
    const revokedAt = isoTime(revokedMs);
    throw new ApiError('api_key_revoked', { field: 'apiKey', actual: apiKey, revokedAt });
  }

  /** Submits a cancel before the first await. Returns the seq of the state after it too. */
  async #cancelNow(
    writer: Writer,
    command: CancelOrders | CancelAll,
    matches: (order: DelayedOrderRef) => boolean,
    said?: Attribution,
  ): Promise<{ readonly seq: number; readonly outcome: CancelOutcome }> {
    // Both in one turn, so that the delayed orders are those that this cancel left.
    const [{ seq, events }, delayed] = await Promise.all([
      submitFor(writer, this.#options.exchange, command, said),
      this.#delayedOrders(command.owner),
    ]);
    throwReject(events);
    const canceled: string[] = [];
    for (const event of events) {
      // Other orders may have expired in the same command.
      const isOwn = event.kind === 'order_closed' && event.reason === 'canceled';
      if (isOwn) canceled.push(event.orderId);
    }
    const left = delayed.filter(matches).map(({ orderId }) => orderId);
    return { seq, outcome: { canceled, delayed: left } };
  }

  /** Empty when the read is refused: the cancel is done already and must be answered. */
  async #delayedOrders(owner: string): Promise<readonly DelayedOrderRef[]> {
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
      const draft = this.#draft(caller, payload);
      return verifiedDraft(draft, await this.#verify(draft), onWrong);
    } catch (failure) {
      return refusalIn(failure);
    }
  }

  #draft(caller: Caller, payload: unknown): Draft {
    const submission = readSubmission(payload);
    checkOrderKey(submission, caller.apiKey);
    const token = this.#options.registry.token(submission.order.tokenId);
    checkOrderToken(submission, token);
    return { caller, submission, token };
  }

  #verify({ caller, submission, token }: Draft): Promise<Verdict> {
    const { registry, verifiers } = this.#options;
    const { order } = submission;
    const verification = {
      order,
      negRisk: token.market.negRisk,
      keyAddress: caller.owner,
      makerOwner: registry.accountOwner(order.maker),
    };
    return verifiers.verify(verification, senderOfCaller(caller), caller.trace);
  }

  /** Called when it is the order's turn: it submits before the first await. */
  async #submit(
    draft: VerifiedDraft,
    lookups: number,
    waiting?: WaitingOrders,
  ): Promise<Placement> {
    const { orderId, lookup } = draft.verdict;
    try {
      const command = orderCommand(draft, this.#options);
      if (lookup.known !== undefined) {
        // From here on it waits only for a read, which delays no other order.
        waiting?.answerOne();
        refuseOtherTerms(lookup.known, command);
        return await this.#resultSoFar(orderId);
      }
      const placed = await this.#apply(draft, command);
      waiting?.answerOne();
      const { events } = placed;
      const rejected = rejectIn(events);
      if (rejected === undefined) {
        const isDuplicate = events.some(({ kind }) => kind === 'order_duplicate');
        if (isDuplicate) return await this.#resultSoFar(orderId);
        const { steps } = placed;
        if (steps === undefined) return resultOfEvents(orderId, command.side, placed);
        return await resultOfSteps(orderId, command.side, steps);
      }
      if (rejected.code === 'order_id_unchecked' && lookups < HTTP_BOUNDS.idLookups) {
        const again = verifiedDraft(draft, await this.#verify(draft));
        this.#checkKey(draft.caller);
        return await this.#submit(again, lookups + 1);
      }
      throw orderRejectError(rejected, { orderHash: orderId, isBuy: command.side === 'BUY' });
    } catch (failure) {
      return refusalOfOrder(failure, orderId);
    }
  }

  #apply({ caller, submission, verdict }: VerifiedDraft, command: PlaceOrder): Promise<Applied> {
    const { exchange, settings } = this.#options;
    const domain = settings.domains[verdict.domain];
    assert(domain !== undefined, 'a verdict names one of the domains');
    return submitFor(caller, exchange, command, evidenceOf(submission.order, domain));
  }

  async #resultSoFar(orderId: string): Promise<OrderResult> {
    const record = await this.#options.exchange.reader.order(orderId);
    assert(record !== undefined, 'an accepted order has a record');
    return resultOfRecord(record);
  }
}

/** Throws for a signature that is not good. `onWrong` is called if that cost a recovery. */
function verifiedDraft(draft: Draft, verdict: Verdict, onWrong?: () => void): VerifiedDraft {
  if (verdict.ok) return { ...draft, verdict };
  // An order that was refused before a key was recovered cost little.
  if (verdict.recovered.length > 0) onWrong?.();
  throw signatureError(verdict);
}

/** Throws when a retried order has another unsigned term than the accepted one. */
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

/** Like `refusalIn`, for an order whose id is known. */
function refusalOfOrder(failure: unknown, orderHash: string): ApiError {
  const { code, details } = refusalIn(failure);
  return new ApiError(code, { ...details, orderHash });
}

/** The refusal of one order; throws any other failure. */
function refusalIn(failure: unknown): ApiError {
  const refusal = toApiError(failure);
  if (refusal === undefined) throw failure;
  return refusal;
}
