/**
 * One node's part in a replicated log: the whole protocol, on any store and any clock. Invariant:
 * it appends only between a claim of its own and its end. Bound: one append is in flight, and one
 * claim.
 */

import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { RULES_VERSION } from '../../engine/model/index.ts';
import {
  PROGRAM_VERSION,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
} from '../../persistence/shared/index.ts';
import type { LogEntry, LogEvent, LogPart, LogPosition, RegisteredNode } from './command-log.ts';
import { type KeyValueStore, type LogClock, NoAnswerError } from './key-value-store.ts';
import { claimLog, resignLog } from './log-claim.ts';
import { LogKeys } from './log-keys.ts';
import { joinLog } from './log-meta.ts';
import { forgetNode, pruneLog, registeredOf, registerNode } from './log-pruning.ts';
import {
  type LogPlace,
  type LogState,
  lookAt,
  readEntries,
  readTransaction,
} from './log-reading.ts';
import { LogWriter } from './log-writer.ts';
import type { LogClaim, LogTerms, LogView } from './replicated-log.ts';
import { type PatientOptions, untilAnswered } from './retry.ts';

export interface LogNodeOptions {
  readonly store: KeyValueStore;
  readonly clock: LogClock;
  /** Ends with a slash. */
  readonly prefix: string;
  readonly node: string;
  readonly feedAddress: string;
  readonly onEvent: (event: LogEvent) => void;
  /** Makes the ids of a new log and of claims, each of them once; UUIDs by default. */
  readonly makeId?: () => string;
  /** The rules of this node's engine, by default RULES_VERSION. */
  readonly rules?: number;
  /** Whether to write a beat that is due, by default yes: not if the process hangs. */
  readonly mayBeat?: () => boolean;
}

export class LogNode {
  readonly #options: LogNodeOptions;
  readonly #place: LogPlace;
  #seen: LogState | undefined;
  #writer: LogWriter | undefined;
  /** The newest entry at the claim: later ones are this node's own. */
  #claimedNumber = Number.POSITIVE_INFINITY;
  #isOpen = true;
  #cancelPruning: () => void = () => undefined;

  constructor(options: LogNodeOptions) {
    const { store, node, rules = RULES_VERSION } = options;
    this.#options = options;
    this.#place = { store, node, rules, keys: new LogKeys(options.prefix) };
  }

  /** Returns the log's id. Rejects as `joinLog`, but waits while the store does not answer. */
  async join(terms: LogTerms): Promise<string> {
    const id = this.#makeId();
    const join = (): Promise<string> => joinLog(this.#place, terms, id);
    return (await untilAnswered(this.#patience, join)).result;
  }

  async look(known: LogPosition): Promise<LogView> {
    this.#seen = await lookAt(this.#place, known);
    return viewOf(this.#seen);
  }

  async claim(known: LogPosition): Promise<LogClaim | undefined> {
    const { clock, node, feedAddress, onEvent, mayBeat = () => true } = this.#options;
    const { rules, store } = this.#place;
    const seen = this.#seen;
    assert(seen !== undefined && this.#writer === undefined, 'a look comes before the one claim');
    const claimId = this.#makeId();
    const epoch = seen.holder.epoch + 1;
    const holder = {
      ...{ epoch, node, feedAddress, program: PROGRAM_VERSION, rules, claimId },
      hasResigned: false,
    };
    const retry = { ...this.#patience, store };
    const claimed = await claimLog(this.#place, retry, { known, seen, holder });
    if (claimed === undefined || !this.#isOpen) return undefined;
    const { state, entries } = claimed;
    const place = this.#place;
    this.#claimedNumber = state.head.number;
    this.#writer = new LogWriter({ place, clock, holder, head: state.head, onEvent, mayBeat });
    this.#pruneLater(undefined);
    return { ...viewOf(state), entries };
  }

  async entries(known: LogPosition): Promise<readonly LogEntry[]> {
    const last = this.#claimedNumber;
    const read = (): Promise<readonly LogEntry[]> => readEntries(this.#place, known);
    // A holder asks again until it is answered: no other node takes over while it writes beats.
    const isHolder = this.#writer !== undefined;
    const entries = isHolder ? (await untilAnswered(this.#patience, read)).result : await read();
    return entries.filter(({ number }) => number <= last);
  }

  append(part: LogPart): void {
    assert(this.#writer !== undefined, 'only the holder of a log appends');
    this.#writer.append(part);
  }

  keepFor({ number, check }: LogPosition, isSought = false): Promise<readonly RegisteredNode[]> {
    const { feedAddress } = this.#options;
    return registerNode(this.#place, { number, check, feedAddress, isSought });
  }

  async registered(): Promise<readonly RegisteredNode[]> {
    const { store, keys } = this.#place;
    const reads = [keys.replicas(STORE_BOUNDS.registeredNodes)];
    const { found } = await store.transact(readTransaction(this.#place, reads));
    return registeredOf(keys, found[0] ?? []);
  }

  forget(node: string): Promise<void> {
    return forgetNode(this.#place, node);
  }

  async resign(): Promise<void> {
    const holder = this.#writer?.holder;
    this.close();
    if (holder !== undefined) await resignLog(this.#place, holder);
  }

  close(): void {
    this.#isOpen = false;
    this.#writer?.close();
    this.#cancelPruning();
  }

  get #patience(): PatientOptions {
    const { clock, onEvent } = this.#options;
    const onOutage = ({ message }: NoAnswerError): void => onEvent({ kind: 'outage', message });
    return { clock, onOutage, isClosed: () => !this.#isOpen };
  }

  #makeId(): string {
    return (this.#options.makeId ?? randomUUID)();
  }

  /** `history`: the revision up to which the store may forget values that were replaced. */
  #pruneLater(history: number | undefined): void {
    const prune = (): void => {
      this.#prune(history).catch((error: unknown) => this.#failPruning(error));
    };
    this.#cancelPruning = this.#options.clock.after(STORE_PACE.pruneMs, prune);
  }

  async #prune(history: number | undefined): Promise<void> {
    const holder = this.#writer?.holder;
    assert(holder !== undefined, 'only the holder of a log prunes');
    let revision = history;
    try {
      for (let isMore = true; isMore; ) {
        const pruned = await pruneLog(this.#place, { holder });
        isMore = pruned.hasPruned;
        ({ revision } = pruned);
      }
      if (history !== undefined) await this.#place.store.compact(history);
    } catch (error) {
      // What is left is pruned the next time.
      if (!(error instanceof NoAnswerError)) throw error;
    }
    if (this.#isOpen) this.#pruneLater(revision);
  }

  #failPruning(error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    if (!this.#isOpen) return;
    this.close();
    this.#options.onEvent({ kind: 'failed', error });
  }
}

function viewOf({ holder, head, pruned }: LogState): LogView {
  const { number, check, lastSeq } = head;
  return { holder, head: { number, check }, lastSeq, oldest: pruned.below };
}
