import { send } from '../wire/index.ts';
import { PAGE_BOUNDS } from './bounds.ts';
import { browserEnvironment, type Environment } from './environment.ts';
import { Frames } from './frames.ts';
import { LiveStream } from './live-stream.ts';
import { type FetchTrades, MarketStream } from './market-stream.ts';
import { MessageTap } from './tap.ts';
import { type FetchOwnTrades, UserStream } from './user-stream.ts';

export interface Streams {
  readonly market: MarketStream;
  readonly user: UserStream;
  readonly live: LiveStream;
  readonly tap: MessageTap;
  /** Connects again at once, for example when the machine is online again. */
  retryNow(): void;
}

/** Where the trades before the page listened come from. */
export interface TradeSources {
  readonly fetchTrades: FetchTrades;
  readonly fetchOwnTrades: FetchOwnTrades;
}

const REST: TradeSources = {
  fetchTrades: (market) => {
    const query = { market, limit: PAGE_BOUNDS.trades };
    return send({ method: 'GET', path: '/trades', query });
  },
  fetchOwnTrades: async () => {
    const page = { method: 'GET', path: '/data/trades', auth: 'l2' } as const;
    return (await send(page)).data;
  },
};

/** The streams of a page. Each connects when something is first followed on it. */
export function openStreams(
  environment: Environment = browserEnvironment(),
  { fetchTrades, fetchOwnTrades }: TradeSources = REST,
): Streams {
  const frames = new Frames(environment);
  const tap = new MessageTap(frames, environment.nowMs);
  const parts = { environment, frames, tap };
  const market = new MarketStream(parts, fetchTrades);
  const user = new UserStream(parts, fetchOwnTrades);
  const live = new LiveStream(parts);
  return {
    market,
    user,
    live,
    tap,
    retryNow: () => {
      for (const stream of [market, user, live]) stream.retryNow();
    },
  };
}

let opened: Streams | undefined;

/** The streams that all parts of the page share. */
export function pageStreams(): Streams {
  opened ??= openStreams();
  return opened;
}
