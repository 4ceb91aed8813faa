/**
 * Facts that views show and the engine does not keep: when things happened, and which API key
 * placed each live order. The follower keeps them to write them into its snapshots
 * (docs/decisions/0015-snapshots-by-a-follower.md). Invariant: facts that continue from a
 * snapshot are equal to facts made from every durable command; lists are in order of creation,
 * issue and acceptance, so equal facts are written as equal bytes. Bound: the engine's markets,
 * keys and live orders, some 200 bytes each.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  Engine,
  MarketSteps,
  MarketSummary,
  StateSummary,
} from '../../engine/index.ts';
import {
  complement,
  type EngineEvent,
  type Fill,
  type Lots,
  type MarketChanged,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import type { DurableCommand } from './records.ts';

/** Each list can be iterated several times. */
export interface Facts {
  /** In order of creation. */
  readonly markets: Iterable<ShownMarket>;
  /** In order of issue. */
  readonly keys: Iterable<KeyTimes>;
  /** The id of each live order and the API key that placed it, in order of acceptance. */
  readonly orderKeys: Iterable<readonly [orderId: string, apiKey: string]>;
}

/** What views show of a market and the engine does not keep. */
export interface MarketFacts {
  readonly conditionId: string;
  readonly createdSeq: number;
  readonly createdMs: number;
  /** When it was closed, or resolved without a close; 0 before. */
  readonly endedMs: number;
  /** Whether its resolution redeems all positions by itself. */
  readonly redeemsAll: boolean;
  /** When its book, its last trade or the terms that the book shows last changed. */
  readonly bookMs: number;
  readonly lastTrade: LastTradeFacts | undefined;
}

export interface LastTradeFacts {
  /** The taker's price in YES ticks. */
  readonly yesTicks: Ticks;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly timeMs: number;
}

export interface ShownMarket extends MarketFacts {
  /** The current terms that a book shows. */
  readonly tickTicks: Ticks;
  readonly minimumLots: Lots;
}

export interface KeyTimes {
  readonly apiKey: string;
  readonly issuedMs: number;
  /** 0 while it is valid. */
  readonly revokedMs: number;
}

export class ShownFacts implements Facts {
  readonly #markets = new Map<string, Changing<ShownMarket>>();
  readonly #keys = new Map<string, Changing<KeyTimes>>();
  readonly markets: Iterable<ShownMarket> = walks(() => this.#markets.values());
  readonly keys: Iterable<KeyTimes> = walks(() => this.#keys.values());
  readonly orderKeys = new Map<string, string>();
  /** Closed orders that were not in `orderKeys`: none, unless orders were left out of it. */
  readonly closedElsewhere = new Set<string>();

  constructor(facts?: Facts) {
    if (facts === undefined) return;
    for (const market of facts.markets) this.#markets.set(market.conditionId, { ...market });
    for (const key of facts.keys) this.#keys.set(key.apiKey, { ...key });
    for (const [orderId, apiKey] of facts.orderKeys) this.orderKeys.set(orderId, apiKey);
  }

  consume(commands: readonly DurableCommand[]): void {
    for (const command of commands) {
      for (const event of command.events) this.#take(event, command);
    }
  }

  /** A replayed command is only decoded if something of it is needed. */
  #take(event: EngineEvent, applied: DurableCommand): void {
    const { seq, timeMs } = applied;
    switch (event.kind) {
      case 'order_accepted':
        this.orderKeys.set(event.orderId, apiKeyOf(applied));
        break;
      case 'order_closed':
        if (!this.orderKeys.delete(event.orderId)) this.closedElsewhere.add(event.orderId);
        break;
      case 'level_changed':
        this.#market(event.conditionId).bookMs = timeMs;
        break;
      case 'fill':
        this.#trade(event, timeMs);
        break;
      case 'market_created': {
        const { command } = applied;
        assert(command.kind === 'create_market', 'only a create_market creates a market');
        this.#markets.set(event.conditionId, newMarket(command, seq, timeMs));
        break;
      }
      case 'market_changed':
        this.#changeTerms(event, timeMs);
        break;
      case 'market_closed':
        this.#market(event.conditionId).endedMs = timeMs;
        break;
      case 'market_resolved': {
        const market = this.#market(event.conditionId);
        if (market.endedMs === 0) market.endedMs = timeMs;
        const { command } = applied;
        market.redeemsAll = 'redeemAll' in command && command.redeemAll;
        break;
      }
      case 'api_key_issued':
        this.#keys.set(event.apiKey, { apiKey: event.apiKey, issuedMs: timeMs, revokedMs: 0 });
        break;
      case 'api_key_revoked':
        this.#key(event.apiKey).revokedMs = timeMs;
        break;
      default:
        // The engine keeps what views show of other events.
        break;
    }
  }

  #trade({ conditionId, takerOutcome, takerSide, takerPriceTicks }: Fill, timeMs: number): void {
    const market = this.#market(conditionId);
    const yesTicks = takerOutcome === 0 ? takerPriceTicks : complement(takerPriceTicks);
    market.lastTrade = { yesTicks, takerOutcome, takerSide, timeMs };
    market.bookMs = timeMs;
  }

  /** The book's time changes only with terms that the book shows. */
  #changeTerms({ conditionId, tickTicks, minimumLots }: MarketChanged, timeMs: number): void {
    const market = this.#market(conditionId);
    if (tickTicks === market.tickTicks && minimumLots === market.minimumLots) return;
    market.tickTicks = tickTicks;
    market.minimumLots = minimumLots;
    market.bookMs = timeMs;
  }

  #market(conditionId: string): Changing<ShownMarket> {
    const market = this.#markets.get(conditionId);
    assert(market !== undefined, 'a market is created before anything happens to it');
    return market;
  }

  #key(apiKey: string): Changing<KeyTimes> {
    const key = this.#keys.get(apiKey);
    assert(key !== undefined, 'a key is issued before it is revoked');
    return key;
  }
}

/**
 * The facts of a snapshot, changed by the commands after it: what a start shows. The keys of the
 * snapshot's live orders, of which there may be a million, stay packed until they are iterated.
 */
export class ContinuedFacts implements Facts {
  readonly #since: ShownFacts;
  readonly markets: Facts['markets'];
  readonly keys: Facts['keys'];
  readonly orderKeys: Facts['orderKeys'];

  constructor({ markets, keys, orderKeys }: Facts = new ShownFacts()) {
    this.#since = new ShownFacts({ markets, keys, orderKeys: [] });
    this.markets = this.#since.markets;
    this.keys = this.#since.keys;
    this.orderKeys = walks(() => this.#walkOrders(orderKeys));
  }

  consume(commands: readonly DurableCommand[]): void {
    this.#since.consume(commands);
  }

  *#walkOrders(before: Facts['orderKeys']): Generator<readonly [string, string]> {
    const { closedElsewhere, orderKeys } = this.#since;
    for (const entry of before) if (!closedElsewhere.has(entry[0])) yield entry;
    yield* orderKeys;
  }
}

type Changing<Entry> = { -readonly [Name in keyof Entry]: Entry[Name] };

export function walks<Item>(walk: () => Iterator<Item>): Iterable<Item> {
  return {
    [Symbol.iterator]: walk,
  };
}

function apiKeyOf(applied: DurableCommand): string {
  if (applied.apiKey !== undefined) return applied.apiKey;
  assert(applied.command.kind === 'place_order', 'only a placed order is accepted');
  return applied.command.apiKey;
}

function newMarket(
  terms: Pick<ShownMarket, 'conditionId' | 'tickTicks' | 'minimumLots'>,
  createdSeq: number,
  createdMs: number,
): Changing<ShownMarket> {
  const { conditionId, tickTicks, minimumLots } = terms;
  const lastTrade: LastTradeFacts | undefined = undefined;
  return {
    conditionId,
    createdSeq,
    createdMs,
    endedMs: 0,
    redeemsAll: false,
    bookMs: createdMs,
    lastTrade,
    tickTicks,
    minimumLots,
  };
}

// The state with which views and the catalog begin: that after the journal's last command.
// Invariant: a view that takes it and then the commands after `seq` is equal to one that took all
// commands. Every list may be iterated several times until the engine applies its next command.
// Bound: entries are made one at a time during the iteration.

export interface RestoredState
  extends Omit<StateSummary, 'markets' | 'apiKeys'>,
    Pick<Facts, 'orderKeys'> {
  /** The last command that the state shows, and its time. */
  readonly seq: number;
  readonly timeMs: number;
  /** In order of creation. */
  readonly markets: Iterable<RestoredMarket>;
  /** In order of issue, revoked ones too. */
  readonly apiKeys: Iterable<RestoredKey>;
  /** In order of creation; empty if the engine counts no steps. */
  readonly marketSteps: Iterable<MarketSteps>;
}

export type RestoredMarket = MarketFacts & MarketSummary;

export type RestoredKey = ApiKeyState & KeyTimes;

/** Joins the engine's state with the shown facts, both at `seq`. */
export function restoredState(
  engine: Pick<Engine, 'summary' | 'steps'>,
  facts: Facts,
  { seq, timeMs }: Pick<RestoredState, 'seq' | 'timeMs'>,
): RestoredState {
  const summary = engine.summary();
  return {
    ...summary,
    seq,
    timeMs,
    markets: walks(() => joined(summary.markets, facts.markets, isSameMarket)),
    apiKeys: walks(() => joined(summary.apiKeys, facts.keys, isSameKey)),
    orderKeys: facts.orderKeys,
    marketSteps: engine.steps?.markets ?? [],
  };
}

/** Joins two lists of the same things in the same order. */
function* joined<Known, Shown>(
  known: Iterable<Known>,
  shown: Iterable<Shown>,
  isSame: (known: Known, shown: Shown) => boolean,
): Generator<Known & Shown> {
  const rest = shown[Symbol.iterator]();
  for (const entry of known) {
    const { done, value } = rest.next();
    assert(done !== true && isSame(entry, value), 'both parts of a snapshot list the same items');
    yield { ...value, ...entry };
  }
  assert(rest.next().done === true, 'both parts of a snapshot list equally many items');
}

function isSameMarket(
  known: Pick<MarketFacts, 'conditionId'>,
  shown: Pick<MarketFacts, 'conditionId'>,
): boolean {
  return known.conditionId === shown.conditionId;
}

function isSameKey(
  known: Pick<RestoredKey, 'apiKey'>,
  shown: Pick<RestoredKey, 'apiKey'>,
): boolean {
  return known.apiKey === shown.apiKey;
}
