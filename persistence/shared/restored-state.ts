/**
 * What a start from a snapshot tells those who else would have seen every command since the first:
 * the shell's views and the catalog. Invariant: whoever takes it and then the commands after `seq`
 * is as if it had taken all commands from the first. Every list may be walked over by several, one
 * after the other, until the engine applies its next command. Bound: nothing of it is kept; an
 * entry is made when it is walked over.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  MarketSummary,
  Outcome,
  Side,
  StateSummary,
  Ticks,
} from '../../engine/index.ts';
import { type Facts, walks } from './shown-facts.ts';

export interface RestoredState extends Omit<StateSummary, 'markets' | 'apiKeys'> {
  /** The last command that it shows, and its time. */
  readonly seq: number;
  readonly timeMs: number;
  /** In order of creation. */
  readonly markets: Iterable<RestoredMarket>;
  /** In order of issue, revoked ones too. */
  readonly apiKeys: Iterable<RestoredKey>;
  /** Of each live order, its id and the API key it came with, in order of acceptance. */
  readonly orderKeys: Iterable<readonly [orderId: string, apiKey: string]>;
  /** Accounts that any builder code ever paid: orders go on paying the one they came under. */
  readonly builderAccounts: Iterable<string>;
}

export type RestoredMarket = MarketFacts & MarketSummary;

/** What is shown of a market beside its terms and its book, and the engine does not keep. */
export interface MarketFacts {
  readonly conditionId: string;
  readonly createdSeq: number;
  readonly createdMs: number;
  /** When it was closed, or resolved without that; 0 before. */
  readonly endedMs: number;
  /** Whether its resolution pays everybody without being asked. */
  readonly redeemsAll: boolean;
  /** When its book, its last trade, or the terms that the book shows changed last. */
  readonly bookMs: number;
  readonly lastTrade: LastTradeFacts | undefined;
}

export interface LastTradeFacts {
  /** What the taker paid or got, in YES ticks. */
  readonly yesTicks: Ticks;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly timeMs: number;
}

export interface RestoredKey extends ApiKeyState {
  readonly issuedMs: number;
  /** 0 while it is good. */
  readonly revokedMs: number;
}

/** Joins what the engine knows with what else is shown. Both are of `seq`. */
export function restoredState(
  engine: { summary(): StateSummary },
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
    builderAccounts: facts.builderAccounts,
  };
}

/** Both are in the same order, and of the same. */
function* joined<Known, Shown>(
  known: Iterable<Known>,
  shown: Iterable<Shown>,
  isSame: (known: Known, shown: Shown) => boolean,
): Generator<Known & Shown> {
  const rest = shown[Symbol.iterator]();
  for (const entry of known) {
    const { done, value } = rest.next();
    assert(done !== true && isSame(entry, value), 'a snapshot shows what its engine knows');
    yield { ...value, ...entry };
  }
  assert(rest.next().done === true, 'a snapshot shows no more than its engine knows');
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
