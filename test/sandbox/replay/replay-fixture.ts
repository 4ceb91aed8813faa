// Replays lines into a market of a test exchange, and compares every level of both tokens' books
// with the recording after each message.
import type { Test } from 'tap';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import type { ReplayPlan } from '../../../sandbox/replay/replay-plan.ts';
import { Replay, type ReplayReport } from '../../../sandbox/replay/run-replay.ts';
import type { TestExchange } from '../../http/exchange-fixture.ts';
import type { Levels, RecordedLine } from './recorded-venue.ts';

const ONE = 10_000;

function planFor({ running, plain }: TestExchange, changes: Partial<ReplayPlan> = {}): ReplayPlan {
  return {
    file: 'recording.ndjson',
    url: running.url,
    adminUrl: `http://127.0.0.1:${running.adminPort}`,
    adminToken: running.adminToken,
    chainId: 137,
    domains: DEFAULT_DOMAINS,
    // Replays of one file run side by side in markets of one exchange.
    seed: plain.conditionId,
    market: plain.conditionId,
    recordedMarket: undefined,
    yesAsset: undefined,
    speed: Number.POSITIVE_INFINITY,
    longestPauseMs: 3_600_000,
    isStrict: false,
    ...changes,
  };
}

export interface Replayed {
  readonly report: ReplayReport;
  readonly told: readonly string[];
}

export async function replayLines(
  exchange: TestExchange,
  texts: readonly (string | undefined)[],
  {
    changes = {},
    onPlayed,
  }: {
    readonly changes?: Partial<ReplayPlan>;
    readonly onPlayed?: (line: number) => Promise<void>;
  } = {},
): Promise<Replayed> {
  const told: string[] = [];
  const replay = new Replay(planFor(exchange, changes), {
    nowMs: () => performance.now(),
    sleep: async () => {},
    tell: (sentence) => told.push(sentence),
    ...(onPlayed === undefined ? {} : { onPlayed }),
  });
  async function* lines() {
    for (const [index, text] of texts.entries()) yield { number: index + 1, text };
  }
  return { report: await replay.run(lines()), told };
}

type Shown = readonly { readonly price: string; readonly size: string }[];

function sizesIn(levels: Shown, priceOf: (price: number) => number): Map<number, number> {
  const entries = levels.map(
    ({ price, size }) =>
      [priceOf(Math.round(Number(price) * ONE)), Math.round(Number(size) * 100)] as const,
  );
  return new Map(entries.toSorted(([one], [other]) => one - other));
}

/** The books of both tokens as REST shows them, both in prices of YES. */
export async function shownLevels({
  send,
  plain,
}: TestExchange): Promise<readonly [Levels, Levels]> {
  const [yes, no] = await Promise.all(
    plain.tokenIds.map(async (token) => {
      const { text } = await send('GET', `/book?token_id=${token}`);
      // Safe: the route's own tests check its answer.
      return JSON.parse(text) as { bids: Shown; asks: Shown };
    }),
  );
  if (yes === undefined || no === undefined) throw new Error('a market has two tokens');
  const same = (price: number): number => price;
  const mirrored = (price: number): number => ONE - price;
  return [
    { bids: sizesIn(yes.bids, same), asks: sizesIn(yes.asks, same) },
    { bids: sizesIn(no.asks, mirrored), asks: sizesIn(no.bids, mirrored) },
  ];
}

function sorted(sizes: ReadonlyMap<number, number>): [number, number][] {
  return [...sizes].toSorted(([one], [other]) => one - other);
}

export function entriesOf({ bids, asks }: Levels) {
  return { bids: sorted(bids), asks: sorted(asks) };
}

/** The first difference between the books and the recording, or undefined. */
async function differenceFrom(
  exchange: TestExchange,
  recorded: Levels,
): Promise<string | undefined> {
  const expected = JSON.stringify(entriesOf(recorded));
  for (const [index, shown] of (await shownLevels(exchange)).entries()) {
    const actual = JSON.stringify(entriesOf(shown));
    if (actual !== expected) return `token ${index}: ${actual} instead of ${expected}`;
  }
  return undefined;
}

/** Replays a whole recording; each line's last message must lead to the levels of the line. */
export async function replayCompared(
  t: Pick<Test, 'equal'>,
  exchange: TestExchange,
  lines: readonly RecordedLine[],
): Promise<Replayed & { readonly compared: number }> {
  let compared = 0;
  const differences: string[] = [];
  const replayed = await replayLines(
    exchange,
    lines.map(({ text }) => text),
    {
      onPlayed: async (number) => {
        const line = lines[number - 1];
        if (line === undefined) throw new Error(`there is no line ${number}`);
        compared += 1;
        const difference = await differenceFrom(exchange, line.levels);
        if (difference !== undefined) differences.push(`line ${number}: ${difference}`);
      },
    },
  );
  t.equal(differences[0], undefined, 'every level is the recorded one');
  return { ...replayed, compared };
}
