/**
 * What routes may name in `needs`, made once by the composition root. Views are fed by durable
 * commands only, so a crash can't undo what they show.
 */
import type { ResolveEvent, ResolveMarket } from '../../engine/index.ts';
import type { Exchange, KeptBackups } from '../../persistence/index.ts';
import type { Limits } from '../admission/limits.ts';
import type { KeyRing } from '../auth/key-ring.ts';
import type { OrderExplainer } from '../debug/order-explainer.ts';
import type { ToldTrades } from '../format/index.ts';
import type { Exposition, Metrics } from '../metrics/command-metrics.ts';
import type { Health } from '../metrics/health.ts';
import type { ApprovalDesk } from '../operators/approvals.ts';
import type { OperatorGate } from '../operators/operator-gate.ts';
import type { DeadMansSwitches } from '../orders/heartbeats.ts';
import type { OrderIntake } from '../orders/intake.ts';
import type { OrderAnswers } from '../orders/order-answers.ts';
import type { ExchangeClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { CommentStream } from '../streams/live/channel.ts';
import type { BookViews, LiveMarkets, Registry } from '../views/index.ts';

export interface Services {
  readonly settings: Settings;
  /** The ports of the two listeners; the system chose those that the settings leave open. */
  readonly ports: { readonly public: number; readonly operator: number };
  readonly log: Logger;
  readonly clock: ExchangeClock;
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly books: BookViews;
  /** Live trading figures of the catalog's markets. */
  readonly liveMarkets: LiveMarkets;
  readonly comments: CommentStream;
  readonly keyRing: KeyRing;
  /** The operators, with their tokens and roles. */
  readonly operators: OperatorGate;
  /** Resolutions that wait for a second operator. */
  readonly approvals: ApprovalDesk<ResolveMarket | ResolveEvent>;
  readonly limits: Limits;
  readonly health: Health;
  readonly metrics: Metrics;
  /** The text of GET /metrics. */
  readonly exposition: Exposition;
  /** Places and cancels orders, in order of arrival. */
  readonly intake: OrderIntake;
  /** Makes the answers to accepted orders. */
  readonly orderAnswers: OrderAnswers;
  /** Explains what intake would do with an order. */
  readonly orderExplainer: OrderExplainer;
  readonly heartbeats: DeadMansSwitches;
  readonly backups: KeptBackups;
  /** What reads tell of trades; all are told as they are unless a plot says otherwise. */
  readonly toldTrades: ToldTrades;
  /** The accounts that a leaderboard can leave out, because no person trades with them. */
  readonly simulated: {
    readonly addresses: readonly string[];
    /** What they did before this moment is made up; null if nothing is. */
    readonly madeUpUntilMs: number | null;
  };
}
