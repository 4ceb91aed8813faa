/**
 * The follower of a simulation: replays durable commands in its own engine, step by step, and makes
 * real snapshots at random times. `damageSnapshots` does to its files what a crash may do.
 * Invariant: a follower that begins from a snapshot makes the same snapshots as one that replayed
 * everything.
 */
import { strict as assert } from 'node:assert';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bounds, Engine, type SnapshotLoader } from '../../engine/index.ts';
import type { Random } from '../../http/codec/random.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { replayStep } from '../../persistence/recovery/recovery.ts';
import { listSnapshots } from '../../persistence/snapshots/folder.ts';
import { SnapshotMaker } from '../../persistence/snapshots/maker.ts';
import { type Restored, restoreNewestNow } from '../../persistence/snapshots/restore.ts';
import type { World } from './world.ts';

const NONE_YET = { seq: 0, timeMs: 0 };

/** How often it looks for new commands, in simulated milliseconds. */
const LOOK_MS = 40;

export class SimFollower {
  readonly #world: World;
  readonly #maker: SnapshotMaker;
  readonly #journal: JournalReader;
  #engine: Engine;
  #place = NONE_YET;
  #isOver = false;
  made = 0;

  constructor(world: World) {
    const { disk, bounds, random } = world;
    this.#world = world;
    this.#journal = new JournalReader(disk.journalPath);
    this.#maker = new SnapshotMaker({
      folder: snapshotsOf(disk.folder),
      funding: 'paper',
      pace: { everyMs: 0 },
    });
    const unusable = new Set<string>();
    const restored = this.#restore((path) => unusable.add(path));
    this.#engine = restored?.engine ?? new Engine(bounds, { reserveOrders: 1 });
    this.#engine.countSteps(restored?.steps);
    this.#place = restored?.head ?? NONE_YET;
    // The maker copies the facts that were read.
    this.#maker.begin(restored?.facts, this.#place.seq, unusable);
    world.clock.after(random.below(LOOK_MS), () => this.#look());
  }

  #restore(onUnusable: (path: string) => void): Restored | undefined {
    const { disk, bounds } = this.#world;
    return restoreFrom(disk.folder, this.#journal, {
      bounds,
      onUnusable,
      lastSeq: disk.durableSeq,
    });
  }

  end(): void {
    this.#isOver = true;
    this.#journal.close();
  }

  #look(): void {
    if (this.#isOver) return;
    const { clock, disk, random, snapshotPercent } = this.#world;
    if (random.chance(50)) this.#follow(disk.durableSeq);
    if (random.chance(snapshotPercent)) this.#make();
    clock.after(LOOK_MS, () => this.#look());
  }

  #follow(toSeq: number): void {
    while (this.#place.seq < toSeq) {
      const endSeq = this.#journal.stepEnd(this.#place.seq, toSeq);
      const commands = replayStep(this.#engine, this.#journal, this.#place.seq, endSeq);
      this.#maker.consume(commands);
      this.#place = { seq: endSeq, timeMs: commands.at(-1)?.timeMs ?? this.#place.timeMs };
    }
  }

  #make(): void {
    const { seq } = this.#place;
    const isBetween = !this.#engine.isUnfinished && !this.#engine.isMidBatch;
    if (seq === 0 || this.#maker.isAt(seq) || !isBetween) return;
    const commandChecksum = this.#journal.checksumAt(seq);
    assert.ok(commandChecksum !== undefined);
    const deadlineMs = Number.POSITIVE_INFINITY;
    this.#maker.make(this.#engine, this.#place, { commandChecksum, deadlineMs });
    this.made += 1;
  }
}

function snapshotsOf(folder: string): string {
  return join(folder, 'snapshots');
}

interface RestoringOptions {
  readonly bounds: Partial<Bounds>;
  readonly lastSeq: number;
  readonly onUnusable: (path: string) => void;
}

export function restoreFrom(
  folder: string,
  journal: JournalReader,
  { bounds, lastSeq, onUnusable }: RestoringOptions,
): Restored | undefined {
  const engineArguments: ConstructorParameters<typeof SnapshotLoader> = [
    bounds,
    { reserveOrders: 1 },
  ];
  const path = snapshotsOf(folder);
  return restoreNewestNow({ folder: path, journal, lastSeq, engineArguments, onUnusable });
}

/** Damages the snapshots as a crash may. Returns what it did; '' for nothing. */
export function damageSnapshots(folder: string, random: Random): string {
  const [newest] = listSnapshots(snapshotsOf(folder));
  const luck = random.below(100);
  if (newest === undefined || luck >= 30) return '';
  const bytes = readFileSync(newest.path);
  if (luck < 10) {
    truncateSync(newest.path, random.below(bytes.length));
    return 'snapshots cut short';
  }
  if (luck < 20) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    writeFileSync(newest.path, bytes);
    return 'snapshots with a flipped bit';
  }
  const half = bytes.subarray(0, random.below(bytes.length));
  writeFileSync(join(snapshotsOf(folder), '000000000999999.snapshot.new'), half);
  return 'snapshots half written';
}
