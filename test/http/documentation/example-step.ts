// The form of a step of the example session, and functions that steps share.
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type Json } from '../../../http/documentation/schema.ts';
import type { TestExchange, Trader } from '../exchange-fixture.ts';

export interface World {
  readonly exchange: TestExchange;
  readonly maker: Trader;
  readonly taker: Trader;
  /** Values of earlier answers that later steps need. */
  readonly notes: Map<string, string>;
}

/** Parameters and body of a request. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

/** A request that becomes an example; without a route, only a preparation. */
export interface Step {
  /** `METHOD /path`. */
  readonly route?: string;
  readonly prepare?: (world: World) => Promise<unknown>;
  /** Who sends it: `wallet` is the maker with a wallet's signature. */
  readonly by?: 'nobody' | 'wallet' | 'maker' | 'taker' | 'builder' | 'operator';
  readonly ask?: (world: World) => Asked;
  /** The expected status of the answer if it is not 200. */
  readonly status?: number;
  /** Makes what is shown of the answer; by default all of it, with its lists cut. */
  readonly show?: (response: Json) => Json;
  /** What is shown of a body that differs in each run. */
  readonly shownBody?: Json;
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

/** Names of notes: another market of the event, which is resolved, and the neg-risk event. */
export const OTHER_MARKET = 'otherMarket';
export const NEG_RISK_EVENT = 'negRiskEvent';

/** Waits until the projection, which reads of orders and trades use, has all commands. */
export const SETTLED: Step = {
  prepare: async ({ exchange: { running } }) => {
    const { exchange } = running.services;
    while (exchange.projectedSeq < exchange.durableSeq) await setTimeout(2);
  },
};

/** Waits until the catalog shows the figures of the market's trades and orders. */
export const FIGURES_WRITTEN: Step = {
  prepare: async (world) => {
    const path = `/gamma/markets?condition_ids=${conditionId(world)}`;
    for (;;) {
      const { text } = await world.exchange.send('GET', path);
      if (JSON.parse(text)[0]?.volumeNum > 0) return;
      await setTimeout(20);
    }
  },
};

// How far reads lag behind differs in each run.
export const READY = {
  ready: true,
  failed: [],
  clock: { pausesOrders: false, trusted: true, jumpMs: 0, journalLeadMs: 0 },
  checks: {
    recovered: { ok: true },
    accepting: { ok: true, waitingCommands: 0, waitingLimit: 16384 },
    journal: { ok: true, durableSeq: 96 },
    projector: { ok: true, lagCommands: 0, lagMs: 0 },
    reader: { ok: true },
    verifiers: { ok: true, up: 1, threads: 1 },
  },
};

/** The facts with one domain and the ports of an exchange that was started without options. */
function showFacts(response: Json): Json {
  if (!isJsonObject(response)) return response;
  const { domains } = response;
  const urls = { publicUrl: 'http://127.0.0.1:8080', operatorUrl: 'http://127.0.0.1:8081' };
  return { ...response, domains: Array.isArray(domains) ? domains.slice(0, 1) : [], ...urls };
}

/** The pages of the console. The names of scripts change with each build. */
export const CONSOLE_STEPS: readonly Step[] = [
  { route: 'GET /ui', status: 308 },
  { route: 'GET /ui/', show: () => '<!DOCTYPE html>' },
  {
    route: 'GET /ui/{file}',
    ask: () => ({ params: { file: 'index.html' } }),
    show: () => '<!DOCTYPE html>',
  },
  { route: 'GET /ui/facts.json', show: showFacts },
];

/** Its answer has a new salt each time. */
export const SIGNED_ORDER: Step = {
  route: 'POST /sign-order',
  ask: (world) => ({ body: { token: yes(world), side: 'BUY', price: '0.42', size: '10' } }),
  show: (response) => {
    if (!isJsonObject(response)) return response;
    const headers = { ...Object(response.headers), SERVICE_SIGNATURE: `${'A'.repeat(43)}=` };
    const placed = JSON.parse(`${response.body}`);
    const order = { ...placed.order, salt: '1', signature: `0x${'1'.repeat(130)}` };
    const body = JSON.stringify({ ...placed, order });
    return { ...response, orderId: `0x${'1'.repeat(64)}`, headers, body };
  },
};
