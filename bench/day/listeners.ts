/**
 * All listeners of a trading day, in their own process: how late messages are, and whether any
 * is missing.
 */
import type { LoadAccount } from '../harness/exchange.ts';
import { type ClientTerms, openClients, wallClockOffset } from '../harness/socket-client.ts';
import { Latencies } from '../harness/statistics.ts';

const PRICE_CHANGE = '{"event_type":"price_change"';
const STEPS = [
  PRICE_CHANGE,
  '{"event_type":"last_trade_price"',
  '{"event_type":"tick_size_change"',
];

const market: Latencies[] = [];
const user = new Latencies();
const closed: string[] = [];
let gaps = 0;
let zeroMs = 0;
const offsetMs = wallClockOffset();

/** The number after the last place of a name. */
function lastNumber(text: string, name: string): number {
  const at = text.lastIndexOf(name);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + name.length, at + name.length + 20), 10);
}

/** The last sequence number that a socket had, by market. */
type Sequences = Map<string, number>;

/** Late is a message by the time of its order in the journal. */
function takeMarket(text: string, sequences: Sequences): void {
  if (!STEPS.some((step) => text.startsWith(step))) return;
  const nowMs = offsetMs + performance.now();
  const at = text.indexOf('"market":"') + '"market":"'.length;
  const conditionId = text.slice(at, at + 66);
  const sequence = lastNumber(text, '"sequence":');
  const last = sequences.get(conditionId) ?? sequence;
  if (sequence !== last && sequence !== last + 1) gaps += 1;
  sequences.set(conditionId, sequence);
  if (!text.startsWith(PRICE_CHANGE)) return;
  const timeMs = Number(/"timestamp":"(\d+)"/.exec(text)?.[1]);
  market[Math.floor((timeMs - zeroMs) / 60_000)]?.record(Math.max(0, nowMs - timeMs));
}

/** Late is a message by the time when it was made. */
function takeUser(text: string, sequences: Sequences): void {
  const nowMs = offsetMs + performance.now();
  const sequence = lastNumber(text, '"sequence":');
  const last = sequences.get('');
  sequences.set('', sequence);
  // Parts of a snapshot, and heartbeats, have no sequence number of their own.
  const isStep = !/"(snapshot|heartbeat)"/.test(text.slice(0, 60));
  if (last !== undefined && sequence !== (isStep ? last + 1 : last)) gaps += 1;
  const madeMs = lastNumber(text, '"server_ts_ms":');
  if (isStep && madeMs >= zeroMs) user.record(Math.max(0, nowMs - madeMs));
}

export interface ListenTerms {
  readonly port: number;
  /** The tokens of each listener of the market channel. */
  readonly tokens: readonly (readonly string[])[];
  readonly owners: readonly LoadAccount[];
  /** When minute 0 begins, since the epoch. */
  readonly zeroMs: number;
  readonly minutes: number;
}

export async function listen(terms: ListenTerms): Promise<void> {
  zeroMs = terms.zeroMs;
  while (market.length < terms.minutes) market.push(new Latencies());
  const client = (path: string, message: unknown): ClientTerms => {
    const sequences: Sequences = new Map();
    const take = path === '/ws/market' ? takeMarket : takeUser;
    return {
      port: terms.port,
      path,
      messages: [JSON.stringify(message)],
      onText: (text) => take(text.toString('latin1'), sequences),
      onClosed: (reason) => closed.push(reason),
    };
  };
  await openClients([
    ...terms.tokens.map((assets_ids) => client('/ws/market', { assets_ids, initial_dump: false })),
    ...terms.owners.map(({ apiKey, secret, passphrase }) =>
      client('/ws/user', { type: 'user', auth: { apiKey, secret, passphrase } }),
    ),
  ]);
}

function figuresOf(latencies: Latencies) {
  return { ...latencies.percentiles, messages: latencies.count };
}

/** Deliveries by minute, messages of the user channel, missing messages and closed sockets. */
export function report() {
  return { minutes: market.map(figuresOf), user: figuresOf(user), gaps, closed };
}
