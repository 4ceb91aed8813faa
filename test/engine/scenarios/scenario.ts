/** Scenarios: a drawn book, commands, and the expected result. Each runs on both engines. */
import type { Test } from 'tap';
import { ENGINES } from '../engines.ts';
import type { DrawnOptions } from './drawn-book.ts';
import { DrawnBook, tidyDrawing } from './drawn-book.ts';

export interface Scenario extends DrawnOptions {
  readonly name: string;
  readonly before: string;
  /** Commands, as sentences of language.ts. */
  readonly when: readonly string[];
  /** The expected events, as sentences. */
  readonly happens: readonly string[];
  readonly after: string;
  /** The expected gains and losses of accounts; not compared if absent. */
  readonly moved?: readonly string[];
}

export function runScenarios(t: Test, scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
    for (const [engine, make] of ENGINES) {
      t.test(`${scenario.name} (${engine})`, (t) => {
        const book = new DrawnBook(make, scenario);
        book.draw(scenario.before);
        t.strictSame(book.drawing(), tidyDrawing(scenario.before), 'the book before');
        const events = scenario.when.flatMap((sentence) => book.say(sentence));
        t.strictSame(events, scenario.happens, 'the events');
        t.strictSame(book.drawing(), tidyDrawing(scenario.after), 'the book after');
        if (scenario.moved !== undefined)
          t.strictSame(book.moved(), scenario.moved, 'the movements of assets');
        t.end();
      });
    }
  }
}
