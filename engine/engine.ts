/**
 * The exchange as a pure state machine: `apply` is the only way in, and the events that it returns
 * are the only way out.
 *
 *     input -> what is due -> checks -> change -> finer ticks -> conservation check -> events
 *
 * An input is a command in which numbers of the engine stand for names; `inputOf` makes it. Events
 * have names. Example: `apply(7, now, inputOf({kind: 'place_order', ...}))` returns
 * `order_accepted`, a `fill` for each resting order that it meets, and `level_changed`; or a single
 * `rejected` with the reason.
 *
 * Invariants: the engine reads no clock, file, socket, setting or random number, so the same
 * commands always lead to the same state and events. It never throws for what a user sent: refusals
 * are events, and an InvariantError means that the engine itself is wrong. Bound: the events of a
 * command, because it stops after `workPerCommand`. Decisions:
 * docs/decisions/0001-pure-engine-behind-one-writer.md.
 */

import { engineNames, inputOf, knowsNumbers, orderInput } from './inputs.ts';
import {
  type ArmedSwitch,
  type Balance,
  BOUNDS,
  type Bounds,
  type Command,
  type DelayedOrderRef,
  type EngineEvent,
  type EngineNames,
  type Holder,
  type Input,
  invariant,
  isChange,
  isWhole,
  type Lots,
  type Micros,
  type OrderPreview,
  type OwnerState,
  type PlaceOrder,
  RULES_VERSION,
  type SnapshotPart,
  type StateSummary,
  type StateView,
  type Totals,
} from './model/index.ts';
import { acceptedSeqOf } from './orders/check-order.ts';
import { previewOrder } from './orders/place-order.ts';
import { findRedemptions, isBehind, isUnfinished, nextDueMs, perform } from './perform.ts';
import { writeStateSnapshot } from './snapshot/index.ts';
import { EngineState, type MemoryOptions } from './state/engine-state.ts';
import { moneyKeyName } from './state/idempotency.ts';
import { type ChangedBalance, type CountedSteps, StepCounts } from './steps/step-counts.ts';
import { copyOwner, type OwnerCopy, viewOwner } from './views/owner-view.ts';
import {
  viewBalance,
  viewDelayedOf,
  viewHolders,
  viewState,
  viewSwitches,
  viewTotals,
} from './views/state-view.ts';
import { viewSummary } from './views/summary-view.ts';
import { validate } from './views/validate.ts';

export class Engine {
  readonly #state: EngineState;
  /** What its numbers stand for. */
  readonly names: EngineNames;
  /** Counts steps, once that was asked for. */
  #steps: StepCounts | undefined;

  /** An empty engine, or one with the state that a SnapshotLoader restored. */
  constructor(bounds: Partial<Bounds> = {}, memory: MemoryOptions = {}, state?: EngineState) {
    this.#state = state ?? new EngineState({ ...BOUNDS, ...bounds }, memory);
    this.names = engineNames(this.#state);
  }

  /** The version of the rules for the next commands; the newest unless it is set. */
  get rules(): number {
    return this.#state.rules;
  }

  set rules(version: number) {
    invariant(isWhole(version, 1, RULES_VERSION), `rules have versions 1 to ${RULES_VERSION}`);
    this.#state.rules = version;
  }

  /**
   * Applies one command and returns its events, in order. `seq` numbers the commands that change
   * something: after a command that changes nothing, the next one gets the same seq. `timeMs` is
   * milliseconds since the epoch and never decreases. Afterwards the input of an order or a cancel
   * may be changed and used again. Throws InvariantError only for our own errors.
   */
  apply(seq: number, timeMs: number, input: Input): EngineEvent[] {
    const state = this.#state;
    invariant(seq > state.changedSeq, 'seq is above that of the last command with a change');
    invariant(timeMs >= state.timeMs, 'time never decreases');
    const events: EngineEvent[] = [];
    state.seq = seq;
    state.timeMs = timeMs;
    state.events = events;
    perform(state, input);
    if (events.some(isChange)) {
      state.changedSeq = seq;
      state.changedMs = timeMs;
      this.#steps?.take(events);
    }
    return events;
  }

  /**
   * Counts the steps of markets and owners from now on (steps/step-counts.ts): those of a new
   * engine, or after the counts of a snapshot of the present state. The caller ends each batch.
   */
  countSteps(counts: CountedSteps = { markets: [], owners: [] }): void {
    this.#steps = new StepCounts(this.#state, counts);
  }

  /** Ends a batch of commands. It matters only to an engine that counts steps. */
  endBatch(): void {
    this.#steps?.endBatch();
  }

  /** Whether commands were applied since the last end of a batch; false unless it counts steps. */
  get isMidBatch(): boolean {
    return this.#steps?.isMidBatch === true;
  }

  /** The counted steps at the end of the last batch; undefined unless it counts them. */
  get steps(): CountedSteps | undefined {
    return this.#steps?.all;
  }

  /** The steps of an owner at the end of the last batch; 0 for an unknown owner. */
  ownerSteps(owner: string): number {
    return this.#counting().owner(this.#state.ledger.findOwnerIndex(owner));
  }

  /**
   * The balances of wanted accounts that the last batch changed: cash first, each in the order of
   * its first change. Read them before the next `apply`.
   */
  changedBalances(wants: (account: string) => boolean): ChangedBalance[] {
    return this.#counting().changedBalances(wants);
  }

  #counting(): StepCounts {
    invariant(this.#steps !== undefined, 'only an engine that counts steps is asked for them');
    return this.#steps;
  }

  /** The input that stands for a command in the present state. */
  inputOf(command: Command): Input {
    return inputOf(this.#state, command);
  }

  /** Whether each number of an input stands for something in the present state. */
  knows(input: Input): boolean {
    return knowsNumbers(this.#state, input);
  }

  /**
   * When `advance_time` next has something to do, in milliseconds since the epoch: when the next
   * expiration or end of a delay is due, but at most the last command's time while automatic
   * redemption has accounts to pay. Infinity if there is nothing to do.
   */
  nextDueMs(): number {
    return nextDueMs(this.#state);
  }

  /**
   * Whether something is unfinished or due at `timeMs`. An `advance_time` then does a bounded part
   * of the work, and any other command does all of it first. A caller that sends `advance_time`
   * until nothing is left keeps every command short.
   */
  isBehind(timeMs: number): boolean {
    return isBehind(this.#state, timeMs);
  }

  /**
   * Looks for accounts that automatic redemption pays, a bounded part. Returns whether the next
   * `advance_time` knows whom it pays; otherwise it looks for all of them first. A caller that
   * calls this until it is true keeps the command short. It changes nothing that anyone is shown.
   */
  findRedemptions(): boolean {
    return findRedemptions(this.#state);
  }

  /** Whether the last command left an order, or orders to end, for the next one to go on with. */
  get isUnfinished(): boolean {
    return isUnfinished(this.#state);
  }

  /**
   * The engine knows the ids of all orders that were accepted after this seq. For older ones the
   * sender of `place_order` consults the journal's index (see `idCheckedSeq`).
   */
  get forgottenSeq(): number {
    return this.#state.recent.forgottenSeq;
  }

  /**
   * A look-up of an idempotency key in the journal's index at this seq or later finds every key
   * that the engine has forgotten; 0 while it has forgotten none (see `keyCheckedSeq`).
   */
  get forgottenKeySeq(): number {
    return this.#state.moneyKeys.forgottenSeq;
  }

  /** Whether the engine remembers an idempotency key of an owner; the operator is the owner ''. */
  knowsMoneyKey(owner: string, key: string): boolean {
    return this.#state.moneyKeys.find(moneyKeyName({ owner, key })) !== undefined;
  }

  /** The seq at which a live or remembered order was accepted; undefined for any other id. */
  acceptedSeq(orderId: string): number | undefined {
    return acceptedSeqOf(this.#state, orderId);
  }

  /** Whether an order rests or waits for its delay. */
  isLive(orderId: string): boolean {
    return this.#state.findOrder(orderId) >= 0;
  }

  /**
   * An account's cash in micros (for the token id '') or tokens in lots; undefined for an unknown
   * account.
   */
  balance(address: string, tokenId: string): Balance | undefined {
    return viewBalance(this.#state, address, tokenId);
  }

  /**
   * The holders of a market's tokens, in no particular order; empty for an unknown market. It walks
   * over all positions in the market. Read it before the next `apply`.
   */
  holders(conditionId: string): Iterable<Holder> {
    return viewHolders(this.#state, conditionId);
  }

  /** An owner's accounts and live orders. */
  owner(address: string): OwnerState {
    return viewOwner(this.#state, address);
  }

  /** The same, where orders are to be read in parts. */
  copyOwner(address: string): OwnerCopy {
    return copyOwner(this.#state, address);
  }

  /**
   * What would happen to an order that is placed at `timeMs`. It changes nothing. Expirations and
   * delays that are due by then are not processed first.
   */
  previewOrder(timeMs: number, command: PlaceOrder): OrderPreview {
    const preview = previewOrder(this.#state, timeMs, orderInput(this.#state, command));
    if ('kind' in preview) return { ...NO_OUTLOOK, event: preview };
    return { event: undefined, ...preview };
  }

  /** An owner's delayed orders, in order of acceptance. */
  delayedOrders(owner: string): DelayedOrderRef[] {
    return viewDelayedOf(this.#state, owner);
  }

  /** The armed dead man's switches, in order of arming. Read them before the next `apply`. */
  armedSwitches(): Iterable<ArmedSwitch> {
    return viewSwitches(this.#state);
  }

  /**
   * 32 bits that follow from all balances, and so, because orders hold what they need, from nearly
   * all of the state. Two engines that differ there have, but for chance, other digests.
   */
  get digest(): number {
    const { ledger, positions } = this.#state;
    return (ledger.digest + Math.imul(positions.digest, POSITIONS_FACTOR)) >>> 0;
  }

  /** Sums that the engine keeps up to date. */
  totals(): Totals {
    return viewTotals(this.#state);
  }

  /** The whole state. Read it before the next `apply`. */
  state(): StateView {
    return viewState(this.#state);
  }

  /**
   * The whole state as a sequence of byte arrays, from which SnapshotLoader makes an engine that
   * continues as this one would. Equal states make equal bytes. The rules version is not part of
   * it. There is none while something is unfinished. Read it before the next `apply`.
   */
  snapshot(): Iterable<SnapshotPart> {
    invariant(!this.isUnfinished, 'a snapshot has nothing unfinished');
    return writeStateSnapshot(this.#state);
  }

  /** The state without single orders and balances. Read it before the next `apply`. */
  summary(): StateSummary {
    return viewSummary(this.#state);
  }

  /** Checks every invariant over the whole state. Throws InvariantError. */
  validate(): void {
    validate(this.#state);
  }
}

/** Odd, so that no bit is lost. */
const POSITIONS_FACTOR = 0x9e3779b1;

const NO_OUTLOOK = {
  filledLots: 0 as Lots,
  filledMicros: 0 as Micros,
  restingLots: 0 as Lots,
  feeMicros: 0 as Micros,
  delayMs: 0,
};
