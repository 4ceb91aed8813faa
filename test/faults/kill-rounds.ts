/**
 * Rounds of SIGKILL on one data folder that grows over all of them. The moment of each kill is
 * drawn: under load, while the exchange starts (several times over), while it stops, while it
 * writes a snapshot, at a step of a compaction beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../http/codec/random.ts';
import type { Campaign, LoadFigures } from './campaign.ts';
import { ExchangeChild } from './exchange-child.ts';
import { COMPACTION_STEPS, CompactionBeside, snapshotBegun, snapshotsThere } from './moments.ts';

const START_MS = 1_500;
const STOP_MS = 60;
const STARTS = 3;
const LEAST_LOAD_MS = 30;
/** Snapshots of a folder of this size take some milliseconds. */
const SNAPSHOT_MS = 12;
/** A compaction ends at the second newest snapshot. */
const SNAPSHOTS_TO_COMPACT = 2;
const NO_SNAPSHOT_MS = 10_000;
const AFTER_STEP_MS = 40;

export type KillMoment = 'load' | 'start' | 'stop' | 'snapshot' | 'compaction';
const MOMENTS: readonly KillMoment[] = [
  ...(['load', 'load', 'load', 'start', 'stop'] as const),
  ...(['snapshot', 'snapshot', 'compaction', 'compaction'] as const),
];

export interface KillOptions {
  readonly campaign: Campaign;
  readonly seed: number;
  /** The longest load before the exchange is killed. */
  readonly mostLoadMs: number;
}

export interface KillFigures extends LoadFigures {
  readonly moment: KillMoment;
  readonly loadMs: number;
  /** What the kill interrupted, for a snapshot or a compaction. */
  readonly met?: string;
}

export class KillRounds {
  readonly #campaign: Campaign;
  readonly #options: KillOptions;
  #round = 0;

  constructor(options: KillOptions) {
    this.#options = options;
    this.#campaign = options.campaign;
  }

  /** Starts an exchange, checks the last round, loads it, kills it and checks its journal. */
  async next(moments: readonly KillMoment[] = MOMENTS): Promise<KillFigures> {
    this.#round += 1;
    const random = new Random(this.#options.seed * 100_003 + this.#round);
    const moment = random.pick(moments);
    const loadMs = random.between(LEAST_LOAD_MS, this.#options.mostLoadMs);
    if (moment === 'start') await this.#killWhileStarting(random);
    const child = await this.#campaign.start();
    let met = '';
    const figures = await this.#campaign.load(child, random.next(), async () => {
      await Promise.race([sleep(loadMs), child.ended]);
      if (!child.isRunning) throw new Error(`it ended by itself:\n${child.log}`);
      if (moment === 'stop') {
        child.signal('SIGTERM');
        await sleep(random.between(0, STOP_MS));
      } else if (moment === 'snapshot') met = await this.#awaitSnapshot(random);
      else if (moment === 'compaction') met = await this.#compact(child, random);
      await child.kill();
    });
    return { moment, loadMs, ...(met !== '' && { met }), ...figures };
  }

  async #awaitSnapshot(random: Random): Promise<string> {
    const isBegun = await snapshotBegun(this.#campaign.dataDir, NO_SNAPSHOT_MS);
    await sleep(random.between(0, SNAPSHOT_MS));
    return isBegun ? 'begun' : 'none';
  }

  /** Kills the exchange or the compaction, or one after the other, at a step of the compaction. */
  async #compact(child: ExchangeChild, random: Random): Promise<string> {
    await snapshotsThere(this.#campaign.dataDir, SNAPSHOTS_TO_COMPACT, NO_SNAPSHOT_MS);
    const compaction = new CompactionBeside(this.#campaign.dataDir);
    const step = random.pick(COMPACTION_STEPS);
    const dies = random.pick(['both', 'exchange', 'compaction'] as const);
    const isReached = await compaction.reached(step);
    await sleep(random.between(0, 1) * random.between(0, AFTER_STEP_MS));
    if (dies !== 'compaction') await child.kill();
    if (dies === 'exchange') await compaction.finish();
    else await compaction.kill();
    return isReached ? `${step}, ${dies} killed` : 'nothing to move';
  }

  async #killWhileStarting(random: Random): Promise<void> {
    for (let count = random.between(1, STARTS); count > 0; count -= 1) {
      const child = new ExchangeChild(this.#campaign.childOptions());
      await Promise.race([sleep(random.between(20, START_MS)), child.ready.catch(() => undefined)]);
      await child.kill();
    }
  }
}
