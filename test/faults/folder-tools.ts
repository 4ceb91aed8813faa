/** Runs the commands `verify` and `compact` on a data folder and throws on any failure. */
import { runToolHere } from '../tool-here.ts';

async function run(command: 'verify' | 'compact', dataDir: string): Promise<void> {
  const { ok, text } = await runToolHere([command, '--data', dataDir, '--json']);
  if (!ok) throw new Error(`${command} finds faults:\n${text}`);
}

/** Throws with the report if `verify` finds anything. */
export function verifyFolder(dataDir: string): Promise<void> {
  return run('verify', dataDir);
}

export function compactFolder(dataDir: string): Promise<void> {
  return run('compact', dataDir);
}
