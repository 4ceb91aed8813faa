/**
 * What a start from a snapshot tells those who else would have seen every command since the first:
 * the shell's views and the catalog. Invariant: whoever takes it and then the commands after `seq` is
 * as if it had taken all commands from the first.
 */
import type { ApiKeyState, MarketOutline, Outcome, Outline, Side, Ticks } from '../engine/index.ts';

export interface RestoredState extends Omit<Outline, 'markets' | 'apiKeys'> {
  /** The last command that it shows, and its time. */
  readonly seq: number;
  readonly timeMs: number;
  /** Walked over by several, one after the other: each walk gives all of them. */
  readonly markets: Iterable<RestoredMarket>;
  /** In order of issue, revoked ones too. */
  readonly apiKeys: Iterable<RestoredKey>;
  /** Of each live order, its id and the API key it came with. */
  readonly orderKeys: Iterable<readonly [orderId: string, apiKey: string]>;
  /** Accounts that any builder code ever paid: orders go on paying the one they came under. */
  readonly builderAccounts: Iterable<string>;
}

export type RestoredMarket = MarketFacts & MarketOutline;

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
