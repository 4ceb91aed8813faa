// An exchange for the recorded sessions of the published clients: its clock shows their time, it
// lists their token, and it gives their wallet the recorded API key.
import { request } from 'node:http';
import type { Test } from 'tap';
import { builtinEvents } from '../../catalog/builtin/index.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../http/signing/domains.ts';
import { bytesToHex } from '../../http/signing/hash.ts';
import { runExchange } from '../../venue/program.ts';
import { TEST_SETTINGS } from '../default-settings.ts';
import { Trader } from '../http/exchange-fixture.ts';
import {
  addressOf,
  bytes,
  makeSigner,
  type RecordedRequest,
  type Signer,
  signDigest,
  VECTOR_ADDRESS,
  vectors,
} from '../http/signing/fixtures.ts';

/** The token of the recorded orders, and the other token of its market. */
const TOKEN_ID = '1234';
const OTHER_TOKEN_ID = '5678';
/** The deposit wallet of the session that signs for one. */
const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/**
 * The public domains, and those of a session whose client used another domain name than that of its
 * contracts (wire 12.2), which an operator can add with `--domains`.
 */
const DOMAINS: readonly SigningDomain[] = [
  ...DEFAULT_DOMAINS,
  ...DEFAULT_DOMAINS.filter(
    ({ name, version, chainId }) =>
      name === 'Polymarket CTF Exchange' && version === '2' && chainId === 80_002,
  ).map((domain) => ({ ...domain, name: 'CTF Exchange' })),
];

/** The built-in catalog; one market of the given kind has the recorded token. */
function catalogWith(negRisk: boolean): unknown {
  const events = structuredClone(builtinEvents());
  const markets = events.flatMap((event) => event.markets);
  const market = markets.find(
    (one) =>
      one.negRisk === negRisk && one.orderMinSize === 5 && one.orderPriceMinTickSize === 0.01,
  );
  if (market === undefined) throw new Error('the built-in catalog has no such market');
  Object.assign(market, { clobTokenIds: JSON.stringify([TOKEN_ID, OTHER_TOKEN_ID]) });
  return events;
}

function recordedSigner(): Signer {
  const privateKey = bytes(vectors.privateKey);
  const sign = (digest: Uint8Array): string => bytesToHex(signDigest(digest, privateKey));
  return { privateKey, address: addressOf(privateKey), sign };
}

export interface ReplayedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface RecordedExchange {
  /** Sends a recorded request, byte for byte. */
  replay(recorded: RecordedRequest): Promise<ReplayedAnswer>;
}

/**
 * Sends the recorded method, path, headers and body. The host and the content length are added,
 * because the recording leaves out what belongs to its connection.
 */
export function replayTo(
  port: number,
  { method, url, headers, headerNames, body }: RecordedRequest,
): Promise<ReplayedAnswer> {
  const spelled = new Map(headerNames.map((name) => [name.toLowerCase(), name]));
  const sent = Object.entries(headers).map(([name, value]) => [spelled.get(name) ?? name, value]);
  if (body !== null) sent.push(['content-length', String(Buffer.byteLength(body))]);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method, path: url, headers: Object.fromEntries(sent) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Before the sessions: rests asks at 0.56, and buys 30 tokens each for account and wallet. */
async function prepare(own: Trader, other: Trader, negRisk: boolean): Promise<void> {
  const domain = DEFAULT_DOMAINS.find(
    (one) => one.struct === 'order11' && one.chainId === 137 && one.negRisk === negRisk,
  );
  if (domain === undefined) throw new Error('no such domain');
  const buy = (tokenId: string, priceTicks: number, lots: number) =>
    ({ tokenId, priceTicks, lots, domain }) as const;
  const offer = buy(OTHER_TOKEN_ID, 4400, 30_000);
  const half = buy(TOKEN_ID, 2000, 3000);
  const steps = [
    [other, other.order(buy(OTHER_TOKEN_ID, 8000, 6000))],
    [own, own.order(half)],
    [own, own.walletOrder(half, WALLET)],
    [other, other.order(offer)],
  ] as const;
  for (const [trader, payload] of steps) {
    const answer = await trader.signed('POST', '/order', payload);
    if (answer.status !== 200) throw new Error(answer.text);
  }
}

/** Starts an exchange with the recorded token in a plain or neg-risk market, for one test. */
export async function startRecordedExchange(t: Test, negRisk: boolean): Promise<RecordedExchange> {
  const ms = vectors.fixedClockMs;
  const running = await runExchange(
    {
      ...TEST_SETTINGS,
      port: 0,
      adminPort: 0,
      temporary: true,
      domains: DOMAINS,
      logLevel: 'silent',
      now: () => ms,
      clockJumpMs: Number.POSITIVE_INFINITY,
    },
    {
      catalog: catalogWith(negRisk),
      onFatal: (error) => {
        throw error;
      },
    },
  );
  t.teardown(() => running.close());
  const { keyRing } = running.services;
  const derive = keyRing.credentialsOf.bind(keyRing);
  const { key: apiKey, secret, passphrase } = vectors.recordedCreds;
  // Keys are derived from a secret of the data folder; the recorded one came from elsewhere.
  keyRing.credentialsOf = (owner, nonce, purpose) =>
    owner === VECTOR_ADDRESS && nonce === '0' && (purpose ?? 'trading') === 'trading'
      ? { apiKey, secret, passphrase }
      : derive(owner, nonce, purpose);
  const { url } = running;
  const clock = { ms };
  const own = new Trader({ url, clock, signer: recordedSigner(), prefix: 'POLY' });
  const other = new Trader({ url, clock, signer: makeSigner(2), prefix: 'POLY' });
  await own.login();
  await other.login();
  await prepare(own, other, negRisk);
  return { replay: (recorded) => replayTo(running.port, recorded) };
}
