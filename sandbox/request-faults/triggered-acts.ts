/** Acts on markets that an order causes: which faults fire for it, and their commands. */

import type { TProperties } from 'typebox';
import type { Command } from '../../engine/index.ts';
import { SECOND_MS } from '../../engine/model/index.ts';
import { finerFor, type MarketEntry, type Registry, ticksIn } from '../../http/views/index.ts';
import type { FaultKind } from '../faults/kind.ts';
import { PAUSE_MARKET, RESOLVE_MARKET, TICK_SIZE_CHANGE } from '../faults/market-kinds.ts';
import type { FaultCandidate, Firing } from '../faults/registry.ts';
import type { MarketActs } from './market-acts.ts';
import { placesOrders } from './request-scope.ts';
import type { AskedRequest } from './request-subject.ts';

type When = 'before' | 'after';

/** A command that a fault submits. */
interface Act {
  readonly firing: Firing<TProperties>;
  readonly command: Command;
  /** In words, for the list of hits. */
  readonly done: string;
  /** How long a pause lasts that ends by itself. */
  readonly resumeMs?: number;
}

/** A fault that fires, and the market that it acts on. */
interface OnMarket<Parameters extends TProperties> {
  readonly firing: Firing<Parameters>;
  readonly market: MarketEntry;
}

function changeTick({ firing, market }: OnMarket<typeof TICK_SIZE_CHANGE.parameters>): Act {
  const { tick_size: size } = firing.parameters;
  const { conditionId } = market;
  const terms = { tickTicks: ticksIn('tick_size', size) };
  const finer = finerFor(market, terms);
  const command = { kind: 'change_market', conditionId, ...terms, ...finer } as const;
  return { firing, command, done: `changed the price step to ${size}` };
}

export class TriggeredActs {
  readonly #acts: MarketActs;
  readonly #registry: Pick<Registry, 'market'>;

  constructor(acts: MarketActs, registry: Pick<Registry, 'market'>) {
    this.#acts = acts;
    this.#registry = registry;
  }

  /** Submits what faults do before or after the order, before the first await. */
  async run(asked: AskedRequest, when: When): Promise<void> {
    if (!placesOrders(asked.request.route)) return;
    await Promise.all(this.#actsOf(asked, when).map((act) => this.#carryOut(act)));
  }

  async #carryOut({ firing, command, done, resumeMs }: Act): Promise<void> {
    const { hasChanged, text } = await this.#acts.submit(command, firing.fault, done);
    firing.note(text);
    // A market that was paused before is not the fault's to open.
    if (hasChanged && resumeMs !== undefined && 'conditionId' in command) {
      this.#acts.resumeAfter(resumeMs, command.conditionId, firing.fault);
    }
  }

  #actsOf(asked: AskedRequest, when: When): readonly Act[] {
    const tick = this.#fire(TICK_SIZE_CHANGE, asked, when);
    const pause = this.#fire(PAUSE_MARKET, asked, when);
    const end = this.#fire(RESOLVE_MARKET, asked, when);
    const acts: Act[] = [];
    if (tick !== undefined) acts.push(changeTick(tick));
    if (pause !== undefined) acts.push(pauseMarket(pause));
    if (end !== undefined) acts.push(resolveMarket(end));
    return acts;
  }

  /** A fault acts on the market that it names, or else on the order's. */
  #fire<Parameters extends TProperties>(
    kind: FaultKind<Parameters>,
    asked: AskedRequest,
    when: When,
  ): OnMarket<Parameters> | undefined {
    const marketOf = ({ fault }: FaultCandidate<Parameters>): MarketEntry | undefined => {
      const { market = asked.subject.markets[0] ?? '' } = fault.definition.match;
      return this.#registry.market(market);
    };
    const firing = asked.fire(
      kind,
      placesOrders,
      (candidate) =>
        candidate.fault.definition.parameters.when === when && marketOf(candidate) !== undefined,
    );
    const market = firing === undefined ? undefined : marketOf(firing);
    return firing === undefined || market === undefined ? undefined : { firing, market };
  }
}

function pauseMarket({ firing, market }: OnMarket<typeof PAUSE_MARKET.parameters>): Act {
  const { market_state: state, resume_seconds: seconds } = firing.parameters;
  const { conditionId } = market;
  return {
    firing,
    command: { kind: 'set_trading_state', conditionId, state },
    done: `set the market to ${state}`,
    ...(seconds === undefined ? {} : { resumeMs: seconds * SECOND_MS }),
  };
}

function resolveMarket({ firing, market }: OnMarket<typeof RESOLVE_MARKET.parameters>): Act {
  const { payout } = firing.parameters;
  const { conditionId } = market;
  return {
    firing,
    command: {
      kind: 'resolve_market',
      conditionId,
      payoutTicks: ticksIn('payout', payout),
      redeemAll: false,
    },
    done: `resolved the market: a YES token pays ${payout}`,
  };
}
