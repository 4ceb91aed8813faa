/**
 * What routes may name in `needs`, made once by the composition root. Views are fed by durable
 * commands only, so a crash can't take back what they say.
 */
import type { Exchange } from '../../persistence/index.ts';
import type { Limits } from '../admission/index.ts';
import type { ExchangeClock, Logger } from '../api/index.ts';
import type { KeyRing } from '../auth/index.ts';
import type { OrderExplainer } from '../debug/index.ts';
import type { Exposition, Health, Metrics } from '../metrics/index.ts';
import type { Heartbeats, OrderIntake } from '../orders/index.ts';
import type { Settings } from '../settings/index.ts';
import type { CommentStream } from '../streams/live/index.ts';
import type { BookViews, LiveMarkets, Registry } from '../views/index.ts';

export interface Services {
  readonly settings: Settings;
  readonly log: Logger;
  /** The time of commands, which is the same while the wall clock can be trusted. */
  readonly clock: ExchangeClock;
  readonly exchange: Exchange;
  /** Markets, accounts and API keys. */
  readonly registry: Registry;
  readonly books: BookViews;
  /** What trading says of markets of the catalog. */
  readonly liveMarkets: LiveMarkets;
  /** Tells the live-data socket of comments. */
  readonly comments: CommentStream;
  /** Credentials of issued API keys. */
  readonly keyRing: KeyRing;
  /** How many requests the public listener takes of whom. */
  readonly limits: Limits;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Shows the metrics. */
  readonly exposition: Exposition;
  /** Puts writes of one owner in order of arrival and has signatures checked. */
  readonly intake: OrderIntake;
  /** Says what intake would make of an order. */
  readonly orderExplainer: OrderExplainer;
  /** Counts the beats of dead man's switches. */
  readonly heartbeats: Heartbeats;
}
