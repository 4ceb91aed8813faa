/** How a person starts the program, for help and for messages that name a command. */
import { existsSync } from 'node:fs';

const HOME = new URL('../../../', import.meta.url);
/** An npm package has no sources. */
const isClone = existsSync(new URL('main.ts', HOME));

/** In a clone a script that finds the Node of the packages; elsewhere npm finds that script. */
export const PROGRAM = isClone ? './outcome-exchange' : 'npx outcome-exchange';
