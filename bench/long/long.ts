/**
 * `npm run bench -- long`: work that is long as a whole, in the real program: how long one turn of
 * the event loop holds the matching thread while it is worked off
 * (docs/decisions/0010-long-work-in-steps.md). `--percent N` makes everything smaller.
 */
import { rmSync } from 'node:fs';
import { Exchange, type LoadAccount, makeDataDir } from '../harness/exchange.ts';
import { fixed, printProgress, printReport, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import type { BenchResult } from '../harness/results.ts';
import { Signer } from '../harness/signing.ts';
import { openClients } from '../harness/socket-client.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Folder from './folder.ts';
import {
  bannedOwner,
  eventIdOf,
  type LongSizes,
  marketOf,
  ROLES,
  TIMES,
  type Time,
} from './folder.ts';
import type { WatchedTurns } from './turn-watch.ts';

const FOLDER = new URL('./folder.ts', import.meta.url);
const WATCH = new URL('./turn-watch.ts', import.meta.url);
const FLAGS = ['--log-level', 'error', '--replace-lost-catalog', '--snapshot-seconds', '0'];
const FULL: LongSizes = {
  accounts: 300_000,
  makers: 9_999,
  delayed: 10_000,
  expiring: 300_000,
  ofMarket: 200_000,
  ofOwner: 20_000,
  holders: 200_000,
  eventMarkets: 500,
};

/** What each action of an operator needs. */
const WHY = { by: 'bench', reason: 'a benchmark' } as const;

interface Scene {
  readonly exchange: Exchange;
  readonly sizes: LongSizes;
  readonly dueMs: readonly number[];
}

/** Starts the work, and returns when it is answered. */
type Situation = (scene: Scene, time: Time) => Promise<unknown>;

function actorOf({ devAccounts }: Exchange, role: keyof typeof ROLES, time: Time): LoadAccount {
  return devAccounts[ROLES[role] + time]!;
}

async function send({ url }: Exchange, request: ReturnType<Signer['request']>): Promise<void> {
  const { method, path, headers, body } = request;
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== '' && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
}

function fill(part: string): Situation {
  return async ({ exchange, sizes: { makers } }, time) => {
    const signer = new Signer(actorOf(exchange, 'taker', time));
    const [tokenId] = marketOf(part, time).tokenIds;
    const terms = { negRisk: false, side: 'SELL', type: 'FAK', cents: 1 } as const;
    const { body } = signer.order({ tokenId, ...terms, lots: makers * 10 });
    await send(exchange, signer.request('POST', '/order', body));
  };
}

async function moveTime({ exchange, dueMs }: Scene, time: Time): Promise<void> {
  await exchange.admin('/time', { to: new Date(dueMs[time]! + 1).toISOString() });
}

/** Subscribes to an owner's channel, and returns when its snapshot has arrived. */
async function readOwner(exchange: Exchange, account: LoadAccount): Promise<void> {
  const { apiKey, secret, passphrase } = account;
  const auth = { apiKey, secret, passphrase };
  await new Promise<void>((resolve, reject) => {
    const [part, parts] = [/"part":(\d+)/, /"parts":(\d+)/];
    openClients([
      {
        port: Number(new URL(exchange.url).port),
        path: '/ws/user',
        messages: [JSON.stringify({ type: 'user', auth, custom_feature_enabled: true })],
        onText: (text) => {
          const head = text.toString('latin1', 0, 400) + text.toString('latin1', text.length - 400);
          if (part.exec(head)?.[1] === parts.exec(head)?.[1]) resolve();
        },
        onClosed: reject,
      },
    ]).catch(reject);
  });
}

function situationsOf(sizes: LongSizes): Readonly<Record<string, Situation>> {
  const orders = `${whole(sizes.ofOwner)} orders`;
  return {
    [`a FAK that fills ${whole(sizes.makers)}`]: fill('fill'),
    'the same with fees': fill('fees'),
    'the first read of an owner with four orders': ({ exchange }, time) =>
      readOwner(exchange, actorOf(exchange, 'quietReader', time)),
    [`the first read of an owner with ${orders}`]: ({ exchange }, time) =>
      readOwner(exchange, actorOf(exchange, 'reader', time)),
    [`cancel-all of an owner with ${orders}`]: ({ exchange }, time) => {
      const signer = new Signer(actorOf(exchange, 'canceller', time));
      return send(exchange, signer.request('DELETE', '/cancel-all'));
    },
    [`a ban of an owner with ${orders}`]: ({ exchange }, time) =>
      exchange.admin(`/owners/${bannedOwner(time)}/standing`, { standing: 'banned', ...WHY }),
    [`a market with ${whole(sizes.ofMarket)} orders closes`]: ({ exchange }, time) =>
      exchange.admin(`/markets/${marketOf('close', time).conditionId}/close`, WHY),
    [`a market with ${whole(sizes.holders)} holders resolves and pays them`]: (
      { exchange },
      time,
    ) => {
      const { conditionId } = marketOf('redeem', time);
      return exchange.admin(`/markets/${conditionId}/resolve`, {
        payout: '1',
        redeem_all: true,
        ...WHY,
      });
    },
    [`a neg-risk event of ${whole(sizes.eventMarkets)} markets resolves`]: ({ exchange }, time) => {
      const eventId = eventIdOf(time);
      const winner = marketOf(eventId, 1).conditionId;
      return exchange.admin(`/events/${eventId}/resolve`, { winner, redeem_all: true, ...WHY });
    },
    [`a new event of ${whole(sizes.eventMarkets)} markets`]: ({ exchange }, time) => {
      const markets = Array.from({ length: sizes.eventMarkets }, (_, number) => ({
        slug: `runner-${time}-${number}`,
        question: `Will runner ${number} win race ${time}?`,
        groupItemTitle: `Runner ${number}`,
      }));
      const title = `Who wins race ${time}?`;
      return exchange.admin('/events', {
        slug: `race-${time}`,
        title,
        negRisk: true,
        markets,
        ...WHY,
      });
    },
    [`${whole(sizes.expiring)} orders expire at once`]: moveTime,
  };
}

function releasesOf({ delayed }: LongSizes): Readonly<Record<string, Situation>> {
  return { [`${whole(delayed)} releases at once, each with a fill`]: moveTime };
}

/** Listeners, so that what happens is also delivered to someone. */
async function listen(exchange: Exchange): Promise<void> {
  const client = (path: string, message: object) => ({
    port: Number(new URL(exchange.url).port),
    path,
    messages: [JSON.stringify(message)],
    onText: () => undefined,
    onClosed: () => undefined,
  });
  const parts = ['fill', 'fees', 'close', 'expire', 'delayed'];
  const assets_ids = TIMES.flatMap((time) => parts.map((part) => marketOf(part, time).tokenIds[0]));
  const owners = TIMES.flatMap((time) =>
    (['taker', 'canceller'] as const).map((role) => actorOf(exchange, role, time)),
  );
  await openClients([
    client('/ws/market', { type: 'market', assets_ids }),
    ...owners.map(({ apiKey, secret, passphrase }) =>
      client('/ws/user', {
        type: 'user',
        custom_feature_enabled: true,
        auth: { apiKey, secret, passphrase },
      }),
    ),
  ]);
}

interface Figure extends WatchedTurns {
  readonly what: string;
  readonly time: Time;
}

async function measure(
  dataDir: string,
  sizes: LongSizes,
  name: 'makeFolder' | 'makeDelayedFolder',
) {
  printProgress('long: a data folder is being made');
  const folder = await callInProcess<typeof Folder, typeof name>(FOLDER, name, dataDir, sizes);
  const exchange = await Exchange.start(FLAGS, dataDir, { preload: WATCH });
  const scene: Scene = { exchange, sizes, dueMs: folder.dueMs };
  const figures: Figure[] = [];
  try {
    await listen(exchange);
    const situations = name === 'makeFolder' ? situationsOf(sizes) : releasesOf(sizes);
    if (name === 'makeFolder') await exchange.caughtUp();
    for (const [what, work] of Object.entries(situations)) {
      for (const time of TIMES) {
        printProgress(`long: ${what}`);
        await exchange.ask('begin');
        await work(scene, time);
        const turns = await exchange.ask<WatchedTurns>('end');
        figures.push({ what, time, ...turns });
        await exchange.caughtUp();
      }
    }
  } finally {
    await exchange.kill();
  }
  return figures;
}

function summaryOf({ what, time, longestOwnMs, longestMs, wallMs }: Figure): SummaryRow {
  return summaryRow({
    what: `${what}${time === 0 ? '' : ', again'}: longest turn without and with garbage; in all`,
    ours: `${fixed(longestOwnMs, 1)}, ${fixed(longestMs, 1)} ms; ${whole(wallMs)} ms`,
    // The first time it runs in code that V8 has not compiled yet.
    ...(time === 0 ? {} : { budget: 'under 10 ms', value: longestOwnMs }),
  });
}

function printFigures(figures: readonly Figure[]): void {
  const head = ['', 'own', 'with garbage', 'by the clock', 'over 5 ms', 'work', 'in all'];
  printReport('Turns of the matching thread, ms: the longest one; how many; all', [
    head,
    ...figures.map((figure) => [
      figure.what + (figure.time === 0 ? '' : ', again'),
      fixed(figure.longestOwnMs, 1),
      fixed(figure.longestMs, 1),
      fixed(figure.longestWallMs, 1),
      whole(figure.longTurns),
      whole(figure.workMs),
      whole(figure.wallMs),
    ]),
  ]);
}

function sizesAt(percent: number): LongSizes {
  const share = (count: number): number => Math.max(2, Math.round((count * percent) / 100));
  return {
    accounts: share(FULL.accounts),
    makers: share(FULL.makers),
    delayed: share(FULL.delayed),
    expiring: share(FULL.expiring),
    ofMarket: share(FULL.ofMarket),
    ofOwner: share(FULL.ofOwner),
    holders: share(FULL.holders),
    eventMarkets: share(FULL.eventMarkets),
  };
}

/** Its data folder takes 3 GB while it runs. */
export async function benchLong({ percent = 100 }): Promise<BenchResult> {
  const sizes = sizesAt(percent);
  const figures: Figure[] = [];
  for (const name of ['makeDelayedFolder', 'makeFolder'] as const) {
    const dataDir = makeDataDir();
    try {
      figures.push(...(await measure(dataDir, sizes, name)));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  printFigures(figures);
  return { figures: { unit: 'ms', percent, figures }, rows: figures.map(summaryOf) };
}
