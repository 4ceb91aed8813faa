/**
 * Staircase tables: a command with every fault at once, and rows of which each repairs one fault of
 * the row above, so that both the codes and their precedence are proved. Each refused row must also
 * leave the state as it was.
 */
import type { Test } from 'tap';
import type { Answer, Command, RejectCode, RejectDetails } from '../../../engine/index.ts';
import { isChange, stateHash } from '../../../engine/index.ts';
import { reject } from '../naive/answers.ts';
import type { DrawnBook } from '../scenarios/drawn-book.ts';

/** What is repaired, and the answer then: an exact one, or 'done' when the command is good. */
type Stair<C extends Command> = readonly [Partial<C>, Answer | 'done'];

/** Every code that a staircase has shown so far. */
export const shownCodes = new Set<RejectCode>();

/** A refusal, as the answer of a row. */
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
      t.ok(isSame, `${name}: the state is as it was`);
    }
  }
}

function nameOf(expected: Answer | 'done'): string {
  if (expected === 'done') return 'done';
  return expected.kind === 'rejected' ? expected.code : expected.kind;
}
