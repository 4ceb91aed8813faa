/** The parts of a simulation that survive crashes and restarts of the exchange. */
import type { Bounds } from '../../engine/index.ts';
import type { Random } from '../../http/codec/random.ts';
import type { Auditor } from './auditor.ts';
import type { Bug } from './bugs.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimDisk } from './sim-disk.ts';

export interface World {
  readonly clock: SimClock;
  readonly disk: SimDisk;
  readonly auditor: Auditor;
  readonly random: Random;
  readonly bounds: Partial<Bounds>;
  /** The chance, in percent, that the follower makes a snapshot when it checks. */
  readonly snapshotPercent: number;
  /** A bug that is planted to prove that the auditor finds it; see bugs.ts. */
  readonly bug: Bug | undefined;
  readonly count: (name: string) => void;
}
