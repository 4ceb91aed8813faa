// What a step of the examples' session is, and what steps share.
import { setTimeout } from 'node:timers/promises';
import type { Json } from '../../../http/documentation/schema.ts';
import type { TestExchange, Trader } from '../exchange-fixture.ts';

export interface World {
  readonly exchange: TestExchange;
  readonly maker: Trader;
  readonly taker: Trader;
  /** What later steps need of earlier answers. */
  readonly notes: Map<string, string>;
}

/** What a request says. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

/** A request that becomes an example, or, without a route, what has to be done before one. */
export interface Step {
  /** `METHOD /path`. */
  readonly route?: string;
  readonly prepare?: (world: World) => Promise<unknown>;
  /** Who asks: `wallet` is the maker with a wallet's signature. */
  readonly by?: 'nobody' | 'wallet' | 'maker' | 'taker' | 'builder' | 'operator';
  readonly ask?: (world: World) => Asked;
  /** The expected status of the answer if it is not 200. */
  readonly status?: number;
  /** What is shown of the answer, where that is not all of it with its lists cut. */
  readonly show?: (response: Json) => Json;
  readonly note?: (response: Json, world: World) => void;
}

export function yes({ exchange }: World): string {
  return exchange.plain.tokenIds[0];
}
export function no({ exchange }: World): string {
  return exchange.plain.tokenIds[1];
}
export function conditionId({ exchange }: World): string {
  return exchange.plain.conditionId;
}
export function noted(world: World, name: string): string {
  return world.notes.get(name) ?? '';
}

/** Another market of the same event, which is resolved, and the event of the neg-risk market. */
export const OTHER_MARKET = 'otherMarket';
export const NEG_RISK_EVENT = 'negRiskEvent';

/** What was done can be read: reads of orders and trades come from a projection. */
export const SETTLED: Step = {
  prepare: async ({ exchange: { running } }) => {
    const { exchange } = running.services;
    while (exchange.projectedSeq < exchange.durableSeq) await setTimeout(2);
  },
};

// How far reads are behind is a matter of milliseconds.
export const READY = {
  ready: true,
  failed: [],
  clock: { trusted: true, jumpMs: 0, journalLeadMs: 0 },
  checks: {
    recovered: { ok: true },
    accepting: { ok: true, waitingCommands: 0, waitingLimit: 16384 },
    journal: { ok: true, durableSeq: 96 },
    projector: { ok: true, lagCommands: 0, lagMs: 0 },
    reader: { ok: true },
    verifiers: { ok: true, up: 1, threads: 1 },
  },
};
