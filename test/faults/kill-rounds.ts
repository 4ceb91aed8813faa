/**
 * Rounds of SIGKILL on one data folder that grows over all of them. The moment of each kill is
 * drawn: under load, while the exchange starts (several times over), while it stops.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../engine/random.ts';
import { Campaign, type CampaignOptions, type LoadFigures } from './campaign.ts';
import { ExchangeChild } from './exchange-child.ts';

const START_MS = 1_500;
const STOP_MS = 60;
const STARTS = 3;
const LEAST_LOAD_MS = 30;

export type KillMoment = 'load' | 'start' | 'stop';
const MOMENTS: readonly KillMoment[] = ['load', 'load', 'load', 'load', 'start', 'stop'];

export interface KillOptions extends CampaignOptions {
  readonly seed: number;
  /** The longest that clients go on before it is killed. */
  readonly mostLoadMs: number;
}

export interface KillFigures extends LoadFigures {
  readonly moment: KillMoment;
  readonly loadMs: number;
}

export class KillRounds {
  readonly #campaign: Campaign;
  readonly #options: KillOptions;
  #round = 0;

  constructor(options: KillOptions) {
    this.#options = options;
    this.#campaign = new Campaign(options);
  }

  /** Starts it, checks what the round before left, loads it, kills it and checks its journal. */
  async next(moments: readonly KillMoment[] = MOMENTS): Promise<KillFigures> {
    this.#round += 1;
    const random = new Random(this.#options.seed * 100_003 + this.#round);
    const moment = random.pick(moments);
    const loadMs = random.between(LEAST_LOAD_MS, this.#options.mostLoadMs);
    if (moment === 'start') await this.#killWhileStarting(random);
    const child = await this.#campaign.start();
    const figures = await this.#campaign.load(child, random.next(), async () => {
      await Promise.race([sleep(loadMs), child.ended]);
      if (!child.isRunning) throw new Error(`it ended by itself:\n${child.log}`);
      if (moment === 'stop') {
        child.signal('SIGTERM');
        await sleep(random.between(0, STOP_MS));
      }
      await child.kill();
    });
    return { moment, loadMs, ...figures };
  }

  finish(): Promise<void> {
    return this.#campaign.finish();
  }

  async #killWhileStarting(random: Random): Promise<void> {
    for (let count = random.between(1, STARTS); count > 0; count -= 1) {
      const child = new ExchangeChild(this.#campaign.childOptions());
      await Promise.race([sleep(random.between(20, START_MS)), child.ready.catch(() => undefined)]);
      await child.kill();
    }
  }
}
