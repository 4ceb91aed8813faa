/**
 * The reference for orders as a process of its own (bench/reference/order-process.ts), with the
 * accounts, keys and markets of the real program, so that the same signed requests go to both.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkServer } from '../harness/forked-server.ts';
import { domainOf, type LoadMarket, type RestingOrder } from '../harness/order-requests.ts';
import type { LoadAccount } from '../harness/server-process.ts';
import type { ReferenceTerms } from '../reference/order-terms.ts';

/** What the process is asked for; it answers each with a number. */
export type ReferenceWish =
  | { readonly kind: 'fill'; readonly orders: readonly RestingOrder[] }
  | { readonly kind: 'count' };

export interface ReferenceProcess {
  readonly url: string;
  readonly pid: number;
  processorSeconds(): number;
  /** Puts orders on its books without any check, in one transaction. */
  fill(orders: readonly RestingOrder[]): Promise<void>;
  /** Orders in its database. */
  count(): Promise<number>;
  stop(): Promise<void>;
}

const FILE = new URL('../reference/order-process.ts', import.meta.url);
const TICKS = 10_000;

/** What the reference is to know of the real program. */
export interface ReferenceInput {
  readonly accounts: readonly LoadAccount[];
  readonly markets: readonly LoadMarket[];
  readonly cashMicros: number;
}

export function referenceTerms(
  { accounts, markets, cashMicros }: ReferenceInput,
  path: string,
): ReferenceTerms {
  return {
    accounts,
    markets: markets.map(({ tokenIds, negRisk, step }) => ({
      tokenIds,
      negRisk,
      stepTicks: Math.round(step * TICKS),
    })),
    plainDomain: domainOf(false),
    negRiskDomain: domainOf(true),
    cashMicros,
    path,
  };
}

async function ask(child: ChildProcess, wish: ReferenceWish): Promise<number> {
  const answered = once(child, 'message');
  child.send(wish);
  const [value] = await answered;
  return Number(value);
}

export async function startReference(input: ReferenceInput): Promise<ReferenceProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-reference-'));
  const terms = referenceTerms(input, join(folder, 'orders.db'));
  const { url, pid, child, processorSeconds, kill } = await forkServer(FILE, terms);
  return {
    url,
    pid,
    processorSeconds,
    fill: async (orders) => {
      await ask(child, { kind: 'fill', orders });
    },
    count: () => ask(child, { kind: 'count' }),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
