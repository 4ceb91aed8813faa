/**
 * Answers what the streams ask about faults, from the registry of faults.
 *
 * Invariant: `isOn` is false while there is no fault of streams, books or trades, and no effect of
 * one. Lengths of time count by the exchange's clock.
 */

import { strict as assert } from 'node:assert';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { ToldTrades, TradeStatus } from '../../http/format/index.ts';
import {
  ALL_AT_ONCE,
  type SocketFault,
  type SocketSubject,
  type StepSubject,
  type StreamFaults,
  type Streams,
} from '../../http/streams/index.ts';
import type { BookViews, Registry } from '../../http/views/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultSubject } from '../faults/match.ts';
import type { FaultObserver, FaultRegistry } from '../faults/registry.ts';
import { CLOSED_SOCKET, MUTED_SOCKET, SEQUENCE_GAP } from '../faults/stream-kinds.ts';
import { StaleBooks } from './stale-books.ts';
import { TradeWalks } from './trade-walks.ts';

interface SandboxStreamsParts {
  readonly faults: FaultRegistry;
  readonly registry: Registry;
  readonly books: BookViews;
}

export class SandboxStreams implements StreamFaults, FaultObserver {
  readonly #faults: FaultRegistry;
  readonly #registry: Registry;
  readonly #walks: TradeWalks;
  readonly #stale: StaleBooks;
  #streams: Streams | undefined;
  /** The fault that the open sockets meet now. */
  #new: Fault | undefined;
  isOn = false;

  constructor({ faults, registry, books }: SandboxStreamsParts) {
    this.#faults = faults;
    this.#registry = registry;
    const streams = (): Streams => this.#openStreams();
    this.#walks = new TradeWalks({ faults, registry, streams });
    this.#stale = new StaleBooks({ faults, views: books, streams });
    for (const site of [faults.sites.stream, faults.sites.trade]) site.observer = this;
  }

  /** Connects the streams, which are made with this. */
  attach(streams: Streams): void {
    this.#streams = streams;
  }

  get nowMs(): number {
    return this.#faults.nowMs;
  }

  /** What reads tell of trades. */
  get trades(): ToldTrades {
    return this.#walks;
  }

  /** Called before the views take a durable batch, while `isOn`. */
  beforeBatch(commands: readonly DurableCommand[]): void {
    this.#stale.beforeBatch(commands);
  }

  /** A fault of sockets meets the open ones at once: many have no message for a long time. */
  added(fault: Fault): void {
    this.isOn = true;
    this.#new = fault;
    this.#openStreams().meetFaults();
    this.#new = undefined;
  }

  removed(faultId: string): void {
    this.#openStreams().unmute(faultId);
    this.#stale.end(faultId);
    this.#walks.end(faultId, this.nowMs);
    this.#settle();
  }

  sweep(): void {
    const { nowMs } = this;
    this.#stale.sweep(nowMs);
    this.#walks.sweep(nowMs);
    this.#settle();
  }

  onSocket(
    socket: SocketSubject & { readonly userAgent: string },
    isMuted: boolean,
  ): SocketFault | undefined {
    const { stream: site } = this.#faults.sites;
    if (!site.isArmed) return undefined;
    const subject = this.#subjectOf(socket.channel, socket);
    const concerns = ({ fault }: { readonly fault: Fault }): boolean =>
      this.#new === undefined || fault === this.#new;
    const closing = site.fire(CLOSED_SOCKET, subject, concerns);
    if (closing !== undefined) {
      const { code } = closing.parameters;
      closing.note(`the socket closes with ${code}`);
      return { kind: 'close', code };
    }
    if (isMuted) return undefined;
    const muting = site.fire(MUTED_SOCKET, subject, concerns);
    if (muting === undefined) return undefined;
    const { seconds } = muting.parameters;
    muting.note(`the socket is mute${seconds === undefined ? '' : ` for ${seconds} s`}`);
    const untilMs =
      seconds === undefined ? Number.POSITIVE_INFINITY : this.nowMs + seconds * SECOND_MS;
    return { kind: 'mute', faultId: muting.fault.id, untilMs };
  }

  leavesOut({ channel, conditionId, sequence, ...receiver }: StepSubject): boolean {
    const { stream: site } = this.#faults.sites;
    if (!site.isArmed) return false;
    const markets = conditionId === '' ? [] : [conditionId];
    const firing = site.fire(SEQUENCE_GAP, this.#subjectOf(channel, { ...receiver, markets }));
    firing?.note(`the message ${sequence} is left out`);
    return firing !== undefined;
  }

  beginWalks(commands: readonly DurableCommand[], keyOf: (orderId: string) => string): void {
    this.#walks.begin(commands, keyOf);
  }

  toldAtOnce(tradeId: string): readonly TradeStatus[] {
    return this.#walks.atOnce(tradeId) ?? ALL_AT_ONCE;
  }

  #subjectOf(
    channel: SocketSubject['channel'],
    receiver: Pick<FaultSubject, 'owner' | 'apiKey' | 'markets' | 'userAgent'>,
  ): FaultSubject {
    const registry = this.#registry;
    const path = `/ws/${channel}`;
    return {
      requestId: '',
      method: 'GET',
      path,
      pattern: path,
      owner: receiver.owner,
      apiKey: receiver.apiKey,
      userAgent: receiver.userAgent ?? '',
      // Read only by a fault that names an account or a market.
      get accounts() {
        return registry.accountsOf(receiver.owner).map(({ address }) => address);
      },
      get markets() {
        return receiver.markets;
      },
    };
  }

  #settle(): void {
    const { stream, trade } = this.#faults.sites;
    this.isOn = stream.isArmed || trade.isArmed || !this.#stale.isEmpty || !this.#walks.isEmpty;
  }

  #openStreams(): Streams {
    assert(this.#streams !== undefined, 'faults come only after the streams exist');
    return this.#streams;
  }
}
