/**
 * All listeners of a trading day, in their own process: how late messages are, and whether any
 * is missing.
 */
import type { LoadAccount } from '../harness/exchange.ts';
import { type ClientTerms, openClients } from '../harness/socket-client.ts';
import { Latencies } from '../harness/statistics.ts';

const PRICE_CHANGE = '{"event_type":"price_change"';
const STEPS = [
  PRICE_CHANGE,
  '{"event_type":"last_trade_price"',
  '{"event_type":"tick_size_change"',
];

const minutes: Latencies[] = [];
const closed: string[] = [];
let gaps = 0;
let zeroMs = 0;

/** The last `sequence` in a message; 0 if it has none. */
function sequenceOf(text: string): number {
  return Number(/"sequence":(\d+)/.exec(text.slice(text.lastIndexOf('"sequence":')))?.[1] ?? 0);
}

/** The last sequence number on a socket, by condition id; '' for the user channel. */
type Sequences = Map<string, number>;

/** Records how long a message comes after its `timestamp`, the time of its order in the journal. */
function takeMarket(text: string, sequences: Sequences): void {
  if (!STEPS.some((step) => text.startsWith(step))) return;
  const nowMs = Date.now();
  const at = text.indexOf('"market":"') + '"market":"'.length;
  const conditionId = text.slice(at, at + 66);
  const sequence = sequenceOf(text);
  const last = sequences.get(conditionId) ?? sequence;
  if (sequence !== last && sequence !== last + 1) gaps += 1;
  sequences.set(conditionId, sequence);
  if (!text.startsWith(PRICE_CHANGE)) return;
  const timeMs = Number(/"timestamp":"(\d+)"/.exec(text)?.[1]);
  minutes[Math.floor((timeMs - zeroMs) / 60_000)]?.record(Math.max(0, nowMs - timeMs));
}

function takeUser(text: string, sequences: Sequences): void {
  const sequence = sequenceOf(text);
  const last = sequences.get('');
  sequences.set('', sequence);
  // Parts of a snapshot, and heartbeats, have no sequence number of their own.
  const isStep = !/"(snapshot|heartbeat)"/.test(text.slice(0, 60));
  if (last !== undefined && sequence !== (isStep ? last + 1 : last)) gaps += 1;
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
  while (minutes.length < terms.minutes) minutes.push(new Latencies());
  const client = (path: string, message: unknown, take: typeof takeMarket): ClientTerms => {
    const sequences: Sequences = new Map();
    return {
      port: terms.port,
      path,
      messages: [JSON.stringify(message)],
      onText: (text) => take(text.toString('latin1'), sequences),
      onClosed: (reason) => closed.push(reason),
    };
  };
  await openClients([
    ...terms.tokens.map((assets_ids) =>
      client('/ws/market', { assets_ids, initial_dump: false }, takeMarket),
    ),
    ...terms.owners.map(({ apiKey, secret, passphrase }) =>
      client(
        '/ws/user',
        { type: 'user', custom_feature_enabled: true, auth: { apiKey, secret, passphrase } },
        takeUser,
      ),
    ),
  ]);
}

/** Lateness of market messages by minute, the number of gaps, and why sockets were closed. */
export function report() {
  return {
    minutes: minutes.map(({ percentiles, count }) => ({ ...percentiles, messages: count })),
    gaps,
    closed,
  };
}
