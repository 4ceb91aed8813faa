import type { Applied } from './records.ts';

/** The answer to a command with the steps that worked it off, its own first. */
export function joinSteps(steps: readonly [Applied, ...Applied[]]): Applied {
  const [first] = steps;
  if (steps.length === 1) return first;
  return { ...first, steps };
}
