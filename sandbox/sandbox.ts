/** The sandbox of a running exchange. */
import { TRADING_ROUTES } from '../http/routes/index.ts';
import {
  type PlotBase,
  type PlotCore,
  type PlotPart,
  type PlotProcess,
  type PlotShare,
  type Services,
  withRole,
} from '../http/services/index.ts';
import { isSandbox } from '../http/settings/settings.ts';
import type { Streams } from '../http/streams/index.ts';
import { SANDBOX_ACTIONS, SANDBOX_READS } from './admin/index.ts';
import {
  Crowd,
  CrowdModes,
  Desk,
  makePast,
  type PastParts,
  pastEnd,
  pastMs,
} from './crowd/index.ts';
import { acceptInvitation, postFaucet, postInvitations } from './faucet/index.ts';
import { FaultRegistry } from './faults/registry.ts';
import { Relay, WALLET_ROUTES } from './relay/index.ts';
import { RequestFaults } from './request-faults/request-faults.ts';
import { Checkpoints } from './saved-states/checkpoints.ts';
import { postSignOrder } from './sign-order.ts';
import { SandboxStreams } from './stream-faults/sandbox-streams.ts';

export const SANDBOX: PlotPart = {
  routes: [postFaucet, postSignOrder, acceptInvitation, ...WALLET_ROUTES],
  operatorRoutes: [
    ...withRole('money', postInvitations),
    ...withRole('markets', ...SANDBOX_ACTIONS),
    ...withRole('reader', ...SANDBOX_READS),
  ],
  begin: (base) => new SandboxProcess(base),
};

/** Faults, the modes of the crowd, the relayer and checkpoints outlive a core. */
class SandboxProcess implements PlotProcess {
  readonly #base: PlotBase;
  readonly #faults: FaultRegistry;
  readonly #modes: CrowdModes;
  readonly #relay: Relay;
  #checkpoints: Checkpoints | undefined;

  constructor(base: PlotBase) {
    const { settings, clock } = base;
    this.#base = base;
    this.#faults = new FaultRegistry(() => clock.now());
    this.#relay = new Relay(clock.now());
    this.#modes = new CrowdModes(isSandbox(settings) ? settings.crowd : 'off');
  }

  join({ registry, books, swap }: PlotCore): PlotShare {
    const { settings, log, clock } = this.#base;
    const faults = this.#faults;
    const streamFaults = new SandboxStreams({ faults, registry, books });
    const requestFaults = new RequestFaults({ faults, registry, log });
    let crowd: Crowd | undefined;
    const hasPast = isSandbox(settings) && pastMs(settings) > 0;
    let isNew = false;
    return {
      streamFaults,
      watchStreams: (streams) => streamFaults.attach(streams),
      interceptor: isSandbox(settings) ? requestFaults : undefined,
      beforeBatch: (commands) => {
        if (streamFaults.isOn) streamFaults.beforeBatch(commands);
      },
      services: (services, streams) => {
        requestFaults.open(services.exchange);
        crowd = this.#crowdOf(services, streams);
        // A checkpoint restores the past that the exchange had.
        isNew = services.exchange.appliedSeq === 0;
        // The markets are created in the past, too.
        if (isNew && hasPast) clock.setOffset(-pastMs(settings));
        this.#checkpoints ??= new Checkpoints({ swap, clock, settings });
        const { trades: toldTrades } = streamFaults;
        const own = { checkpoints: this.#checkpoints, relay: this.#relay };
        return { faults, crowd, ...own, toldTrades, simulated: crowd };
      },
      lead: async (services) => {
        if (isNew && hasPast) await this.#makePast(services, crowd);
        else if (isSandbox(settings) && !isNew) this.#recallPast(services, crowd);
      },
      opened: () => crowd?.start(),
      release: () => {
        crowd?.stop();
        // What faults hold back is answered.
        faults.clear();
      },
    };
  }

  async prepareClose(): Promise<void> {
    await this.#checkpoints?.close();
  }

  /** Afterwards the clock is right. */
  async #makePast(services: Services, crowd: Crowd | undefined): Promise<void> {
    const { clock } = this.#base;
    const participants = crowd?.participants ?? [];
    try {
      const endMs = await makePast({
        ...services,
        modes: this.#modes,
        textsOf: textsIn(services),
        participants,
      });
      if (crowd !== undefined) crowd.madeUpUntilMs = endMs;
    } finally {
      clock.setOffset(0);
    }
  }

  /** Not awaited: while `analytics.db` is rebuilt, the answer may take long. */
  #recallPast({ exchange, log }: Services, crowd: Crowd | undefined): void {
    pastEnd(exchange).then(
      (endMs) => {
        if (crowd !== undefined) crowd.madeUpUntilMs = endMs;
      },
      (err: unknown) => log.warn({ err }, 'it is not known whether the crowd has a made-up past'),
    );
  }

  #crowdOf(services: Services, streams: Streams): Crowd {
    const { clock, metrics } = this.#base;
    const now = (): number => clock.shownMs();
    const { books } = services;
    return new Crowd({
      ...services,
      now,
      desk: new Desk({ ...services, now }),
      textsOf: textsIn(services),
      audience: {
        requests: () => metrics.requests.answersOf(TRADING_ROUTES),
        sockets: () => streams.socketCount,
        isFollowed: (conditionId) => streams.isFollowed(conditionId),
        reads: (conditionId) => books.readsOf(conditionId),
      },
      modes: this.#modes,
    });
  }
}

function textsIn({ exchange }: Services): PastParts['textsOf'] {
  return (conditionId) => exchange.catalog.lookup.marketByCondition(conditionId);
}
