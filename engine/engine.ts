import type { Bounds } from './bounds.ts';
import type { Command } from './commands.ts';
import type { EngineEvent } from './events.ts';
import type { StateView } from './state-view.ts';

export declare class Engine {
  constructor(bounds?: Partial<Bounds>);
  apply(seq: number, timeMs: number, command: Command): EngineEvent[];
  nextDueMs(): number;
  state(): StateView;
  validate(): void;
}
