/**
 * The parts of the exchange that need no data: they exist before it is recovered, and stay while a
 * checkpoint is restored. Among them are both listeners, so that ports stay open and clients get
 * 425 meanwhile.
 */
import { endOfTurn, Limits, Overload } from '../http/admission/index.ts';
import type { Admission } from '../http/api/index.ts';
import { Health, Metrics } from '../http/metrics/index.ts';
import { createLog, ExchangeClock, type Logger } from '../http/runtime/index.ts';
import { connectionBounds, Server } from '../http/server/index.ts';
import type { PlotPart, Services } from '../http/services/index.ts';
import { isSandbox, type Settings } from '../http/settings/index.ts';
import { TRACING_PACE, Tracing } from '../http/tracing/index.ts';
import { PROGRAM_VERSION } from '../persistence/shared/index.ts';
import { CrowdModes } from '../sandbox/crowd/index.ts';
import { FaultRegistry } from '../sandbox/faults/index.ts';
import { routesWith } from './routes.ts';

export interface Base {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: ExchangeClock;
  readonly limits: Limits;
  readonly overload: Overload;
  readonly faults: FaultRegistry;
  readonly crowdModes: CrowdModes;
  /** undefined while requests are not traced. */
  readonly tracing: Tracing | undefined;
  readonly server: Server<Services>;
  readonly operatorServer: Server<Services>;
}

export function createBase(settings: Settings, plots: readonly PlotPart[]): Base {
  const { monotonicMs, rateLimits: rules, overload: bounds } = settings;
  const log = createLog(settings.logLevel);
  const metrics = new Metrics();
  const limits = new Limits({ rules, monotonicMs });
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
    faults: new FaultRegistry(() => clock.now()),
    crowdModes: new CrowdModes(isSandbox(settings) ? settings.crowd : 'off'),
    tracing: createTracing(settings, log),
  };
  return { ...base, ...createServers(base, plots) };
}

function createTracing({ tracing }: Settings, log: Logger): Tracing | undefined {
  if (tracing === undefined) return undefined;
  return new Tracing({ ...tracing, version: PROGRAM_VERSION, pace: TRACING_PACE, log });
}

/** Only the public listener uses TLS; the operator's is meant for clients on this machine. */
function createServers(base: Omit<Base, 'server' | 'operatorServer'>, plots: readonly PlotPart[]) {
  const { log, metrics, limits, overload, tracing: tracer } = base;
  const { dialect, trustedProxies, tls } = base.settings;
  const admissionBy = (admission: Admission) => (limits.rules.isOn ? { admission } : {});
  const hasSandbox = isSandbox(base.settings);
  const observer = metrics.requests;
  const shared = { log, dialect, observer, tracer, trustedProxies, hasSandbox };
  const connections = connectionBounds();
  const routes = routesWith(plots);
  return {
    server: new Server({
      ...shared,
      routes: routes.public,
      connections: connections.public,
      loadGate: overload,
      cors: true,
      ...admissionBy(limits),
      ...(tls === undefined ? {} : { tls }),
    }),
    operatorServer: new Server({
      ...shared,
      routes: routes.operator,
      connections: connections.operator,
      cors: false,
      ...admissionBy(limits.operator),
    }),
  };
}
