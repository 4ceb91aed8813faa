/**
 * Staircases: tables that start with a command that has every fault at once. Each row repairs one
 * fault of the row above, which proves both the reject codes and their precedence. A refused row
 * must also leave the state unchanged. `model/rejects.test.ts` runs all staircases on both engines.
 */
import type { Test } from 'tap';
import type { Answer, Command, RejectCode, RejectDetails } from '../../../engine/index.ts';
import { isChange, stateHash } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { reject } from '../naive/answers.ts';
import type { DrawnBook } from '../scenarios/drawn-book.ts';

/** The repair, and the expected answer after it; 'done' if the command takes effect. */
type Stair<C extends Command> = readonly [Partial<C>, Answer | 'done'];

/** A named test that climbs staircases on one engine. */
export type Staircase = readonly [name: string, run: (t: Test, make: MakeEngine) => void];

/** The reject codes of all staircases so far. */
export const shownCodes = new Set<RejectCode>();

/** A refusal as the expected answer of a row. */
export function no(code: RejectCode, details: RejectDetails): Answer {
  shownCodes.add(code);
  return reject(code, details);
}

export function climb<C extends Command>(
  t: Test,
  book: DrawnBook,
  start: C,
  stairs: readonly Stair<C>[],
): void {
  let command = start;
  for (const [repair, expected] of stairs) {
    command = { ...command, ...repair };
    const name = `${Object.keys(repair).join(', ')} -> ${nameOf(expected)}`;
    const before = stateHash(book.engine.state());
    const events = book.apply(command);
    const isSame = stateHash(book.engine.state()) === before;
    if (expected === 'done') {
      t.ok(events.length > 0 && events.every(isChange), name);
      t.notOk(isSame, `${name}: the state changed`);
    } else {
      t.strictSame(events, [expected], name);
      t.ok(isSame, `${name}: the state is unchanged`);
    }
  }
}

function nameOf(expected: Answer | 'done'): string {
  if (expected === 'done') return 'done';
  return expected.kind === 'rejected' ? expected.code : expected.kind;
}
