/** What outlives the exchange's lives in a simulation. */
import type { Bounds } from '../../engine/index.ts';
import type { Random } from '../engine/random/random.ts';
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
  /** How often the follower makes a snapshot when it looks. */
  readonly snapshotPercent: number;
  /** Planted on purpose; see bugs.ts. */
  readonly bug: Bug | undefined;
  readonly count: (name: string) => void;
}
