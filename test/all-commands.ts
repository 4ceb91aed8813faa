/** The commands of the whole program, with those of all plots. */
import { COMMANDS } from '../cli/options/commands.ts';
import type { ProgramCommand } from '../cli/parser/program-command.ts';
import type { Plot } from '../http/services/index.ts';
import * as plots from '../venue/plots.ts';

const PLOTS: readonly Plot[] = Object.values(plots);
const FURTHER: readonly ProgramCommand[] = PLOTS.flatMap(({ commands = [] }) => commands);

export const ALL_COMMANDS = [...COMMANDS, ...FURTHER] as const;
