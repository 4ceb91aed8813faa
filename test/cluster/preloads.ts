/** Ways to start a node with files loaded before the program, in each of its threads. */
import type { StartChanges } from '../../deploy/cluster/cluster-node.ts';

const OPTIONS = process.env.NODE_OPTIONS ?? '';

export function preloading(file: `./${string}.mjs`): Record<string, string> {
  return { NODE_OPTIONS: `${OPTIONS} --import=${new URL(file, import.meta.url).href}` };
}

/** A program that knows one version less of the engine's rules, and the program as it is. */
export const OLDER_PROGRAM = { environment: preloading('./older-rules.mjs') };
export const THIS_PROGRAM: StartChanges = { environment: { NODE_OPTIONS: OPTIONS } };
