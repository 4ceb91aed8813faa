/**
 * What a cluster does when something changes: how long clients wait while a standby takes over, how
 * far another gateway is behind, and how long a new replica takes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCluster } from '../../deploy/cluster/cluster.ts';
import { isAccepted, type LoadRequest } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { printProgress, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { Signer } from '../harness/signing.ts';
import type * as Folder from '../restart/folder.ts';
import { type Venue, withFolder } from './venue.ts';

const FOLDER = new URL('../restart/folder.ts', import.meta.url);
const RETRY_MS = 20;
const PATIENCE_MS = 60_000;
const ANSWER_MS = 2_000;
const LAG_SAMPLES = 200;

async function answerOf(url: string, { method, path, headers, body }: LoadRequest) {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const content = method === 'GET' ? {} : { body };
    const answer = await fetch(`${url}${path}`, { method, headers, signal, ...content });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: 'no answer' };
  }
}

/** Sends the same order until it is accepted, and returns how long that took. */
async function msUntilAccepted(url: string, request: LoadRequest): Promise<number> {
  const beganMs = performance.now();
  for (;;) {
    const { text } = await answerOf(url, request);
    const tookMs = performance.now() - beganMs;
    if (isAccepted(text)) return tookMs;
    if (tookMs > PATIENCE_MS) throw new Error(`no order is accepted after a takeover: ${text}`);
    await sleep(RETRY_MS);
  }
}

/** Kills the core `count` times. The node that was killed comes back as the standby. */
export async function takeoverTimes(venue: Venue, count: number): Promise<number[]> {
  const { cluster, gateway, orders } = venue;
  const times: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    printProgress(`cluster: takeover ${index} of ${count}`);
    const core = await cluster.leader();
    const [request] = orders.make(1);
    await core.child.kill();
    times.push(await msUntilAccepted(gateway.url, request!));
    core.start('standby');
    await core.waitUntilReady();
  }
  return times;
}

/** For some orders: the time from the answer at one gateway until another one shows the order. */
export async function lagTimes({ cluster, gateway, orders, accounts }: Venue): Promise<number[]> {
  printProgress('cluster: how far another gateway is behind');
  const other = cluster.gateway(1);
  const signers = new Map(accounts.map((account) => [account.apiKey, new Signer(account)]));
  const times: number[] = [];
  // A load at the core leaves the gateway behind, and until it has caught up it takes no order.
  await msUntilAccepted(gateway.url, orders.make(1)[0]!);
  for (const request of orders.make(LAG_SAMPLES)) {
    const { status, text } = await answerOf(gateway.url, request);
    const answeredMs = performance.now();
    if (!isAccepted(text)) throw new Error(`an order is answered ${status}: ${text}`);
    // Safe: the answer of our own route to an order that it accepted.
    const { orderID: id } = JSON.parse(text) as { readonly orderID: string };
    const signer = signers.get(request.headers.POLY_API_KEY ?? '');
    if (signer === undefined) throw new Error('an order is of no account');
    const read = signer.request('GET', `/data/order/${id}`);
    times.push(await msUntilShown(other.url, read, id, answeredMs));
  }
  return times;
}

async function msUntilShown(url: string, read: LoadRequest, id: string, sinceMs: number) {
  for (;;) {
    const { text } = await answerOf(url, read);
    const tookMs = performance.now() - sinceMs;
    if (text.includes(`"id":"${id}"`)) return tookMs;
    if (tookMs > PATIENCE_MS) throw new Error(`another gateway does not show an order: ${text}`);
  }
}

/** Makes the folder of a core, which has its own secret and a catalog, and returns the secret. */
async function makeCoreFolder(dataDir: string, restingOrders: number): Promise<string> {
  const sizes = { markets: 2_000, accounts: 2_000, tailCommands: 1_000 };
  const input = { dataDir, restingOrders, ...sizes };
  await callInProcess<typeof Folder, 'makeFolder'>(FOLDER, 'makeFolder', input);
  const flags = ['--replace-lost-catalog', '--log-level', 'error'];
  await (await Exchange.start(flags, dataDir)).stop();
  return readFileSync(join(dataDir, 'master.secret')).toString('hex');
}

/** How long a gateway with an empty folder takes to be ready beside a core with many orders. */
export async function newReplicaMs(restingOrders: number): Promise<number> {
  return await withFolder(async (folder) => {
    printProgress(`cluster: a folder with ${whole(restingOrders)} resting orders is made`);
    const secret = await makeCoreFolder(join(folder, 'core-1'), restingOrders);
    writeFileSync(join(folder, 'master.secret'), secret);
    const flagsOf = (): readonly string[] => ['--log-level', 'error'];
    const cluster = await prepareCluster({ folder, standbys: 0, gateways: 1, flagsOf });
    try {
      const [core] = cluster.cores;
      core?.start();
      await core?.waitUntilReady();
      printProgress('cluster: a new gateway starts');
      const gateway = cluster.gateway(0);
      const beganMs = performance.now();
      gateway.start();
      await gateway.waitUntilReady();
      return performance.now() - beganMs;
    } finally {
      await cluster.stop();
    }
  });
}
