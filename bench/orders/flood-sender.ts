/**
 * A process of the flood benchmark: sends orders from addresses of its own (127/8), each with
 * sockets, owners and signed requests of its own. A flooding socket sends its next request when the
 * answer to the last one comes; the quiet one waits in between.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clobAuthDigest } from '../../http/signing/l1.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import type { LoadAccount, LoadMarket } from '../harness/exchange.ts';
import { lengthOf, textOf } from '../harness/http-text.ts';
import { CHAIN_ID, Signer } from '../harness/signing.ts';

export interface SenderTerms {
  readonly url: string;
  /** Number of the first address: sender 1 has 127.0.1.1, sender 256 has 127.0.2.1. */
  readonly first: number;
  readonly addresses: number;
  readonly connections: number;
  /** Orders of one request. */
  readonly batch: number;
  readonly hasWrongSignatures: boolean;
  readonly market: LoadMarket;
}

/** Answers by status, and the latencies of accepted requests. */
export interface Sent {
  readonly statuses: Readonly<Record<number, number>>;
  readonly latenciesMs: Float64Array;
}

const REQUESTS_EACH = 10;
const LOGIN_PAUSE_MS = 500;
const ADDRESSES_A_BLOCK = 255;

function addressOf(number: number): string {
  const block = 1 + Math.floor((number - 1) / ADDRESSES_A_BLOCK);
  return `127.0.${block}.${1 + ((number - 1) % ADDRESSES_A_BLOCK)}`;
}

async function login(url: string, number: number): Promise<LoadAccount> {
  const privateKey = `0x${(0xf100d0000 + number).toString(16).padStart(64, '0')}`;
  const wallet = walletOf(privateKey);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = clobAuthDigest({ address: wallet.address, timestamp, nonce: '0' }, CHAIN_ID);
  if (digest === undefined) throw new Error('the digest has bad input');
  const headers = {
    POLY_ADDRESS: wallet.address,
    POLY_SIGNATURE: wallet.sign(digest),
    POLY_TIMESTAMP: timestamp,
    POLY_NONCE: '0',
  };
  const answer = await fetch(`${url}/auth/api-key`, { method: 'POST', headers });
  // The first seconds of a flood may stall the verifiers; a client tries again.
  if (answer.status === 503) return await sleep(LOGIN_PAUSE_MS).then(() => login(url, number));
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`);
  const { apiKey, secret, passphrase } = (await answer.json()) as Omit<LoadAccount, 'address'>;
  return { address: wallet.address, privateKey, apiKey, secret, passphrase };
}

/** One request of `batch` orders that rest. */
function requestOf(signer: Signer, { market, batch, hasWrongSignatures }: SenderTerms) {
  const bodies = Array.from({ length: batch }, () => {
    const [tokenId] = market.tokenIds;
    const terms = { tokenId, negRisk: market.negRisk, side: 'BUY', type: 'GTC' } as const;
    const { body } = signer.order({ ...terms, cents: 5, lots: 500 });
    if (!hasWrongSignatures) return body;
    // The signature is that of another salt.
    return { ...body, order: { ...Object(body.order), salt: 0 } };
  });
  return batch === 1
    ? signer.request('POST', '/order', bodies[0])
    : signer.request('POST', '/orders', bodies);
}

/** Sends requests over one socket, each when `next` resolves after the answer before. */
function drive(
  url: string,
  localAddress: string,
  next: (
    answered: { status: number; latencyMs: number } | undefined,
  ) => Promise<string | undefined>,
): Promise<void> {
  const { port, hostname: host } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host, localAddress, noDelay: true });
    let text = '';
    let sinceMs = 0;
    const send = (request: string | undefined): void => {
      text = '';
      sinceMs = performance.now();
      if (request !== undefined) socket.write(request);
      else {
        socket.destroy();
        resolve();
      }
    };
    socket.once('connect', () => void next(undefined).then(send, reject));
    socket.on('data', (part) => {
      text += part.toString('latin1');
      const expected = lengthOf(text);
      if (expected === 0 || text.length < expected) return;
      const status = Number(text.slice(9, 12));
      const latencyMs = performance.now() - sinceMs;
      void next({ status, latencyMs }).then(send, reject);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the exchange closed a connection')));
  });
}

let isOver = false;
let running: Promise<Sent> | undefined;

/** Signs in, makes the requests, and begins to flood. */
export async function startFlood(terms: SenderTerms): Promise<void> {
  const statuses: Record<number, number> = {};
  const drives: (() => Promise<void>)[] = [];
  for (let at = 0; at < terms.addresses; at += 1) {
    const number = terms.first + at;
    const signer = new Signer(await login(terms.url, number));
    const texts = Array.from({ length: REQUESTS_EACH }, () => textOf(requestOf(signer, terms)));
    for (let socket = 0; socket < terms.connections; socket += 1) {
      let turn = socket;
      drives.push(() =>
        drive(terms.url, addressOf(number), async (answered) => {
          if (answered !== undefined)
            statuses[answered.status] = (statuses[answered.status] ?? 0) + 1;
          turn += 1;
          return isOver ? undefined : texts[turn % texts.length];
        }),
      );
    }
  }
  running = Promise.all(drives.map((start) => start())).then(() => {
    return { statuses, latenciesMs: new Float64Array() };
  });
  running.catch(() => {});
}

export async function stopFlood(): Promise<Sent> {
  isOver = true;
  if (running === undefined) throw new Error('no flood was started');
  return await running;
}

/** One owner that sends an order, waits for its answer, and then for `pauseMs`. */
export async function sendQuietly(
  terms: SenderTerms,
  orders: number,
  pauseMs: number,
): Promise<Sent> {
  const signer = new Signer(await login(terms.url, terms.first));
  const texts = Array.from({ length: orders }, () => textOf(requestOf(signer, terms)));
  const statuses: Record<number, number> = {};
  const latenciesMs: number[] = [];
  let turn = 0;
  await drive(terms.url, addressOf(terms.first), async (answered) => {
    if (answered !== undefined) {
      const { status, latencyMs } = answered;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200) latenciesMs.push(latencyMs);
      await sleep(pauseMs);
    }
    turn += 1;
    return texts[turn - 1];
  });
  return { statuses, latenciesMs: Float64Array.from(latenciesMs) };
}
