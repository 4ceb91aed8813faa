/** Runs random commands on the real engine alone, for tests that look at its states meanwhile. */
import type { Bounds, EngineEvent } from '../../../engine/index.ts';
import { BOUNDS, Engine, isChange } from '../../../engine/index.ts';
import { firstSeq, RandomCommands, type TimedCommand } from './commands.ts';
import { EventObserver } from './event-observer.ts';
import { FEW, type RandomScene } from './scene.ts';

interface RandomRun {
  readonly seed: number;
  readonly commands: number;
  readonly scene?: RandomScene;
  /** How many commands pass between two visits. */
  readonly every: number;
}

/** A command that changed something, with the seq that it got. */
export interface JournalEntry extends TimedCommand {
  readonly seq: number;
}

/**
 * Calls `visit` after one command in `every`, and `onChange` after each command that changed
 * something. Returns the bounds of the engine.
 */
export function runRandom(
  { seed, commands, scene = FEW, every }: RandomRun,
  visit: (engine: Engine, index: number) => void,
  onChange?: (entry: JournalEntry, events: readonly EngineEvent[]) => void,
): Partial<Bounds> {
  const bounds = scene.bounds(seed);
  const seen = new EventObserver();
  const source = new RandomCommands(seed, { ...BOUNDS, ...bounds }, seen, scene);
  const engine = new Engine(bounds, { reserveOrders: 1 });
  let seq = firstSeq(seed);
  for (let index = 0; index < commands; index += 1) {
    const { timeMs, command } = source.next(seq);
    const events = engine.apply(seq + 1, timeMs, engine.inputOf(command));
    seen.observe(command, events);
    if (events.some(isChange)) {
      seq += 1;
      onChange?.({ seq, timeMs, command }, events);
    }
    if (index % every === 0) visit(engine, index);
  }
  return bounds;
}
