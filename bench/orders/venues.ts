/**
 * The three servers of the bench of orders, and what was accepted by each: in the end the journal
 * of ours must hold exactly that, and so must the reference's database and the floor's file.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OrderRequests } from '../harness/order-requests.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { type FloorProcess, startFloor } from './floor.ts';
import { type ReferenceProcess, startReference } from './reference.ts';

/** Of each account, enough for all orders of all rounds. */
const PAPER_UNITS = 1_000_000;
/** As many as there can be: each has a bound of live orders. */
export const FLAGS = [
  '--paper-amount',
  String(PAPER_UNITS),
  '--dev-accounts',
  '20',
  '--log-level',
  'error',
];

export interface Venues {
  readonly server: ServerProcess;
  readonly reference: ReferenceProcess;
  readonly floor: FloorProcess;
  readonly orders: OrderRequests;
  readonly tally: Tally;
}

/** What was accepted so far. */
export interface Tally {
  ours: number;
  oursCanceled: number;
  reference: number;
  /** Orders and cancels. */
  floor: number;
}

export function targetsOf({ server, reference, floor }: Venues) {
  return {
    ours: server,
    reference,
    floor,
  };
}

export function isPlaced(body: string): boolean {
  return body.includes('"success":true');
}
export function isCanceled(body: string): boolean {
  return body.includes('"canceled":["');
}

export async function startVenues(): Promise<Venues> {
  const server = await startServer(FLAGS);
  try {
    const orders = await OrderRequests.of(server);
    const { markets } = orders;
    const input = { accounts: server.devAccounts, markets, cashMicros: PAPER_UNITS * 1e6 };
    const reference = await startReference(input);
    const floor = await startFloor(input);
    const tally = { ours: 0, oursCanceled: 0, reference: 0, floor: 0 };
    return { server, reference, floor, orders, tally };
  } catch (error) {
    await server.stop();
    server.remove();
    throw error;
  }
}

export async function stopVenues({ server, reference, floor }: Venues): Promise<void> {
  await server.stop();
  server.remove();
  await reference.stop();
  await floor.kill();
  floor.remove();
}

export interface Journaled {
  readonly orders: number;
  readonly ids: number;
  readonly cancels: number;
}

/** What the journal has, read after the program has ended. */
export function journaledIn(dataDir: string): Journaled {
  const journal = new Database(join(dataDir, 'journal.db'), { readonly: true });
  const count = (sql: string): number => Number(journal.prepare(sql).pluck().get());
  const ofKind = (kind: string): number =>
    count(`SELECT count(*) FROM commands WHERE kind = '${kind}'`);
  const found = {
    orders: ofKind('place_order'),
    ids: count('SELECT count(*) FROM order_ids'),
    cancels: ofKind('cancel_orders'),
  };
  journal.close();
  return found;
}
