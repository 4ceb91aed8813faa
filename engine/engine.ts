/**
 * The exchange as one pure state machine: `apply` is the only way in, events are the only way out.
 * It reads no clock, file, socket, setting or random number, and never throws for what a user sent.
 * Each command: what is due happens first, then the command's checks, then its mutation.
 */

import type {
  ArmedSwitch,
  Balance,
  Command,
  Holder,
  SnapshotPart,
  StateSummary,
  OwnerState,
  PlaceOrder,
  StateView,
  Totals,
  DelayedOrderRef,
} from './model/index.ts';
import {
  BOUNDS,
  type Bounds,
  type EngineEvent,
  invariant,
  isChange,
  isWhole,
  type OrderPreview,
  RULES_VERSION,
} from './model/index.ts';
import { acceptedSeqOf, previewOrder } from './orders/index.ts';
import { nextDueMs, perform } from './perform.ts';
import { writeImage } from './snapshot/index.ts';
import { Core, type MemoryOptions } from './state/index.ts';
import {
  validate,
  viewBalance,
  viewHolders,
  viewOutline,
  viewOwner,
  viewState,
  viewSwitches,
  viewTotals,
  viewWaiting,
} from './views/index.ts';

export class Engine {
  readonly #core: Core;

  /** An empty one, or one of a state that was read from an image. */
  constructor(bounds: Partial<Bounds> = {}, room: MemoryOptions = {}, core?: Core) {
    this.#core = core ?? new Core({ ...BOUNDS, ...bounds }, room);
  }

  /** The rules by which the next commands are judged: those of this program, unless it is said. */
  get rules(): number {
    return this.#core.rules;
  }

  set rules(version: number) {
    invariant(isWhole(version, 1, RULES_VERSION), `rules are of versions 1 to ${RULES_VERSION}`);
    this.#core.rules = version;
  }

  /**
   * Applies one command and returns what happened, in order. `seq` numbers the commands that change
   * something: one that changed nothing leaves its seq to the next. `timeMs` is milliseconds
   * since the epoch and never goes back. Throws InvariantError only for a mistake of our own.
   */
  apply(seq: number, timeMs: number, command: Command): EngineEvent[] {
    const core = this.#core;
    invariant(seq > core.changedSeq, 'a seq is used up by the command that changed something');
    invariant(timeMs >= core.timeMs, 'time never goes back');
    const events = roomForEvents();
    core.seq = seq;
    core.timeMs = timeMs;
    core.events = events;
    perform(core, command);
    if (events.some(isChange)) {
      core.changedSeq = seq;
      core.changedMs = timeMs;
    }
    return events;
  }

  /**
   * When something is due that a command has to bring about: the next expiration or end of a
   * delay, or right away while somebody waits for redemption; in ms since the epoch, Infinity if
   * nothing is due.
   */
  nextDueMs(): number {
    return nextDueMs(this.#core);
  }

  /**
   * Every order that was accepted after this seq is live or remembered: of those an `idCheckedSeq`
   * need not tell.
   */
  get forgottenSeq(): number {
    return this.#core.recent.forgottenSeq;
  }

  /**
   * The seq of the command that an order was accepted by, while it is live or remembered; undefined
   * for any other.
   */
  acceptedSeq(orderId: string): number | undefined {
    return acceptedSeqOf(this.#core, orderId);
  }

  /**
   * What an account has of cash (token id '', in micros) or of one outcome token (in lots);
   * undefined for an account that is not open.
   */
  balance(address: string, tokenId: string): Balance | undefined {
    return viewBalance(this.#core, address, tokenId);
  }

  /**
   * Who has tokens of a market, in no promised order; nobody of one that is not known. It walks
   * over all positions: for tools. Read it before the next `apply`.
   */
  holders(conditionId: string): Iterable<Holder> {
    return viewHolders(this.#core, conditionId);
  }

  /** What an owner's accounts have, and its live orders; it walks over all accounts. */
  owner(address: string): OwnerState {
    return viewOwner(this.#core, address);
  }

  /**
   * What an order would come to if it were placed at this time, by the checks that it would meet.
   * What is due and has not happened yet is left undone; nothing is changed.
   */
  previewOrder(timeMs: number, command: PlaceOrder): OrderPreview {
    const core = this.#core;
    const { timeMs: appliedMs, events } = core;
    core.timeMs = Math.max(timeMs, appliedMs);
    core.events = [];
    const prospect = previewOrder(core, command);
    core.timeMs = appliedMs;
    core.events = events;
    return prospect;
  }

  /** An owner's orders that wait for the end of their delay, in order of acceptance. */
  delayedOrders(owner: string): DelayedOrderRef[] {
    return viewWaiting(this.#core, owner);
  }

  /** The armed dead man's switches, in order of arming; read them before the next `apply`. */
  armedSwitches(): Iterable<ArmedSwitch> {
    return viewSwitches(this.#core);
  }

  /** Sums that are kept as they change, but for live orders, which are added up by account. */
  totals(): Totals {
    return viewTotals(this.#core);
  }

  /** The whole state; read it before the next `apply`. */
  state(): StateView {
    return viewState(this.#core);
  }

  /**
   * The whole state as parts of bytes, from which an ImageLoader makes an engine that goes on as
   * this one would. Equal states make equal parts; the rules are none of it. Read it before the
   * next `apply`.
   */
  snapshot(): Iterable<SnapshotPart> {
    return writeImage(this.#core);
  }

  /** What there is, without single orders and balances; read it before the next `apply`. */
  summary(): StateSummary {
    return viewOutline(this.#core);
  }

  /** Checks every invariant over the whole state. Throws InvariantError. */
  validate(): void {
    validate(this.#core);
  }
}

/** Never told to anyone. */
const NOTHING: EngineEvent = { kind: 'known', command: 'advance_time' };

/**
 * An empty list with room for four events, which is enough for most commands: one that is empty
 * and grows takes room for seventeen.
 */
function roomForEvents(): EngineEvent[] {
  const events = [NOTHING, NOTHING, NOTHING, NOTHING];
  // Not by its length, which would take its memory from the array.
  while (events.length > 0) events.pop();
  return events;
}
