/**
 * The parts of the exchange that need no data: they exist before it is recovered, and stay while a
 * checkpoint is restored. Among them are both listeners, so that ports stay open and clients get
 * 425 meanwhile.
 */

import { Limits } from '../http/admission/limits.ts';
import { endOfTurn, Overload } from '../http/admission/overload.ts';
import { SignerBuckets } from '../http/admission/signer-buckets.ts';
import type { Admission } from '../http/api/index.ts';
import { Metrics } from '../http/metrics/command-metrics.ts';
import { Health } from '../http/metrics/health.ts';
import { ExchangeClock } from '../http/runtime/clock.ts';
import { createLog, type Logger } from '../http/runtime/log.ts';
import { connectionBounds } from '../http/server/connection-bound.ts';
import { Server } from '../http/server/server.ts';
import type { PlotPart, PlotProcess } from '../http/services/index.ts';
import { isSandbox, type Settings } from '../http/settings/settings.ts';
import { routesWith } from './routes.ts';

/** Plots have services of their own, which only their routes name. */
type PlotServices = Readonly<Record<string, unknown>>;
export type VenueServer = Server<PlotServices>;

export interface Base {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: ExchangeClock;
  readonly limits: Limits;
  readonly overload: Overload;
  readonly plots: readonly PlotProcess[];
  readonly server: VenueServer;
  readonly operatorServer: VenueServer;
}

export function createBase(settings: Settings, parts: readonly PlotPart[]): Base {
  const { monotonicMs, now, profile, rateLimits: rules, overload: bounds } = settings;
  const log = createLog(settings.logLevel);
  const metrics = new Metrics();
  const { signerTiers: tiers } = profile;
  const signers = tiers === null ? undefined : new SignerBuckets({ tiers, now, log });
  const limits = new Limits({ rules, monotonicMs, signers });
  const overload = new Overload({
    bounds,
    clock: () => performance.now(),
    commitMs: () => metrics.commands.leastCommitMs,
    later: endOfTurn,
  });
  const judgesWatched = settings.cluster !== undefined;
  const clock = new ExchangeClock({ ...settings, log, judgesWatched });
  const base = {
    settings,
    log,
    metrics,
    health: new Health(() => performance.now()),
    clock,
    limits,
    overload,
    plots: parts.flatMap((part) => part.begin?.({ settings, log, clock, metrics }) ?? []),
  };
  return { ...base, ...createServers(base, parts) };
}

/** Only the public listener uses TLS; the operator's is meant for clients on this machine. */
function createServers(base: Omit<Base, 'server' | 'operatorServer'>, parts: readonly PlotPart[]) {
  const { log, metrics, limits, overload, plots } = base;
  const { profile, trustedProxies, tls } = base.settings;
  const { dialect } = profile;
  const admissionBy = (admission: Admission) => (limits.rules.isOn ? { admission } : {});
  const hasSandbox = isSandbox(base.settings);
  const observer = metrics.requests;
  const tracer = plots.find((plot) => plot.tracer !== undefined)?.tracer;
  const shared = { log, dialect, observer, tracer, trustedProxies, hasSandbox };
  const connections = connectionBounds();
  const routes = routesWith(parts);
  return {
    server: new Server<PlotServices>({
      ...shared,
      routes: routes.public,
      connections: connections.public,
      loadGate: overload,
      cors: true,
      ...admissionBy(limits),
      ...(tls === undefined ? {} : { tls }),
    }),
    operatorServer: new Server<PlotServices>({
      ...shared,
      routes: routes.operator,
      connections: connections.operator,
      cors: false,
      ...admissionBy(limits.operator),
    }),
  };
}
