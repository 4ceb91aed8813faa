/**
 * What the operator does: a command that is journaled with who asks for it and why, for good.
 *
 * Invariant: nobody writes over this listener without both; GET /actions reads them back. What is
 * refused, or was so already, changed nothing and is not journaled.
 */
import { Type } from 'typebox';
import type { Command, EngineEvent, Rejected } from '../../../engine/index.ts';
import type { ApiError } from '../../errors/index.ts';
import { commandRejectError } from '../../errors/index.ts';
import type { Services } from '../../services/index.ts';

/** Without control characters, and not beginning with a space. */
function words(most: number): string {
  return `^[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]{0,${most - 1}}$`;
}

/** What the body of every write of the operator has besides its own. */
export const WHO_AND_WHY = {
  by: Type.String({ pattern: words(128), description: 'Who: 1 to 128 printable characters' }),
  reason: Type.String({ pattern: words(500), description: 'Why: 1 to 500 printable characters' }),
} as const;

export const Duplicate = Type.Boolean({ description: 'It was so before, and nothing was done' });

interface WhoAndWhy {
  readonly by: string;
  readonly reason: string;
}

export interface Done {
  readonly events: readonly EngineEvent[];
  /** It was so, or was done, before. */
  readonly duplicate: boolean;
}

/** Resolves when what was done is durable; throws the `ApiError` of a refused command. */
export async function act(
  { exchange }: Pick<Services, 'exchange'>,
  command: Command,
  { by, reason }: WhoAndWhy,
  errorOf: (rejected: Rejected) => ApiError = commandRejectError,
): Promise<Done> {
  const { events } = await exchange.submit(command, { by, reason });
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected !== undefined) throw errorOf(rejected);
  return { events, duplicate: events.some(({ kind }) => kind === 'known') };
}
