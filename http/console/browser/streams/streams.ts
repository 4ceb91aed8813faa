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

/** How the lists of trades begin; without them they have only what comes. */
export interface TradeSources {
  readonly fetchTrades?: FetchTrades;
  readonly fetchOwnTrades?: FetchOwnTrades;
}

/** The streams of a page. Each connects when something is first followed on it. */
export function openStreams(
  { fetchTrades, fetchOwnTrades }: TradeSources = {},
  environment: Environment = browserEnvironment(),
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
