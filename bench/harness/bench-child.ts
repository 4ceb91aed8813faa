/**
 * The process of one bench: `bench-child.ts NAME OPTION...`, started by bench-process.ts. It ends
 * when its parent does or lets go of it, and takes along all that it has started.
 */
import type { BenchMessage } from './bench-process.ts';
import { BENCHES } from './list.ts';
import { printError } from './print.ts';

/** Ends the process when the message is under way. */
function finish(message: BenchMessage): void {
  process.send?.(message, () => process.exit());
}

process.once('disconnect', () => process.exit(1));
// It let go before this was there to be told.
if (!process.connected) process.exit(1);

const [name = '', ...options] = process.argv.slice(2);
try {
  const rows = (await BENCHES[name]?.run(options)) ?? [];
  finish({ kind: 'rows', rows });
} catch (error) {
  printError(error instanceof Error ? String(error.stack) : String(error));
  process.exitCode = 1;
  finish({ kind: 'failure', reason: error instanceof Error ? error.message : String(error) });
}
