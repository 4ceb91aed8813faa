/** `verify` and `compact` on a data folder, by their words: any failure is thrown. */
import { runToolHere } from '../tool-here.ts';

async function run(command: 'verify' | 'compact', dataDir: string): Promise<void> {
  const { ok, text } = await runToolHere([command, '--data', dataDir, '--json']);
  if (!ok) throw new Error(`${command} finds faults:\n${text}`);
}

/** Throws with what it says of a difference. */
export function verifyFolder(dataDir: string): Promise<void> {
  return run('verify', dataDir);
}

export function compactFolder(dataDir: string): Promise<void> {
  return run('compact', dataDir);
}
