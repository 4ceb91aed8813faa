/**
 * The state with which views and the catalog begin: that after the journal's last command.
 * Invariant: a view that takes it and then the commands after `seq` is equal to one that took all
 * commands. Every list may be iterated several times until the engine applies its next command.
 * Bound: entries are made one at a time during the iteration.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  Engine,
  MarketSteps,
  MarketSummary,
  StateSummary,
} from '../../engine/index.ts';
import { type Facts, type KeyTimes, type MarketFacts, walks } from './shown-facts.ts';

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
