/**
 * What published clients of other people do on this exchange: one check for each of their methods.
 * A check of what a client can't do proves that as well, so the tables stay true when either side
 * changes.
 */
import type { Test } from 'tap';
import { leaveNote } from '../../notes.ts';

/** What the tables say of a check. */
export interface Ability {
  /** The client's method, or the messages that it subscribes to. */
  readonly name: string;
  readonly can: boolean;
  /** What its user must know, or why it can't. '' if there is nothing to say. */
  readonly note: string;
}

/** `run` proves the ability, or that it is missing. */
export interface Check<Scene> extends Ability {
  readonly run: (t: Test, scene: Scene) => Promise<unknown>;
}

export interface CheckedClient {
  readonly name: string;
  readonly version: string;
  /** How to point the client at an exchange. */
  readonly setup: string;
  readonly abilities: readonly Ability[];
}

function resultOf({ can, note }: Ability): string {
  const result = can ? 'can' : "can't";
  return note === '' ? result : `${result}: ${note}`;
}

/** What works comes first, then what works under a condition, then what does not work. */
function rankOf({ can, note }: Ability): number {
  return can ? Number(note !== '') : 2;
}

/** A table of few rows: the methods with the same result share one. */
export function abilityTable(abilities: readonly Ability[]): string {
  const ranked = abilities.toSorted((one, other) => rankOf(one) - rankOf(other));
  const groups = Map.groupBy(ranked, resultOf);
  const rows = [...groups].map(
    ([result, members]) => `| ${result} | ${members.map(({ name }) => `\`${name}\``).join(', ')} |`,
  );
  return ['| Result | Methods |', '| --- | --- |', ...rows].join('\n');
}

/** Runs the checks in their order, and leaves a note of what the client could do. */
export async function runChecks<Scene>(
  t: Test,
  client: CheckedClient,
  [checks, scene]: readonly [readonly Check<Scene>[], Scene],
): Promise<void> {
  const shown: Ability[] = [];
  for (const { name, can, note, run } of checks) {
    const result = await t.test(name, async (t) => {
      await run(t, scene);
    });
    shown.push(result?.ok ? { name, can, note } : { name, can: false, note: 'its test failed' });
  }
  leaveNote(`\n${client.name} ${client.version}\n\n${abilityTable(shown)}\n`);
}
