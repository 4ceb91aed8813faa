/** Runs scenarios drawn as books, each on both engines. */
import type { Test } from 'tap';
import { ENGINES } from '../engines.ts';
import type { DrawnOptions } from './drawn-book.ts';
import { DrawnBook, tidyDrawing } from './drawn-book.ts';

export interface Scenario extends DrawnOptions {
  readonly name: string;
  readonly before: string;
  /** What people do, in sentences of drawn-commands.ts. */
  readonly when: readonly string[];
  /** All that happens, event by event. */
  readonly happens: readonly string[];
  readonly after: string;
  /** Who has more or less than before; not compared when it is left out. */
  readonly moved?: readonly string[];
}

export function runScenarios(t: Test, scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
    for (const [engine, make] of ENGINES) {
      t.test(`${scenario.name} (${engine})`, (t) => {
        const book = new DrawnBook(make, scenario);
        book.draw(scenario.before);
        t.strictSame(book.drawing(), tidyDrawing(scenario.before), 'the book before');
        const told = scenario.when.flatMap((sentence) => book.say(sentence));
        t.strictSame(told, scenario.happens, 'the events');
        t.strictSame(book.drawing(), tidyDrawing(scenario.after), 'the book after');
        if (scenario.moved !== undefined)
          t.strictSame(book.moved(), scenario.moved, 'the movements of assets');
        t.end();
      });
    }
  }
}
