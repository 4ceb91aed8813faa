// What a catalog's reading thread answers to each kind of question.

import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import type { CatalogQuestionKind, CatalogQuestions } from './catalog-questions.ts';
import type { CatalogText } from './catalog-text.ts';

type Answers = {
  readonly [Kind in CatalogQuestionKind]: (
    question: CatalogQuestions[Kind],
  ) => CatalogText | undefined;
};

export class CatalogAnswers {
  readonly #answers: Partial<Answers>;

  constructor(_database: Database) {
    this.#answers = {};
  }

  answer(kind: string, question: unknown): CatalogText | undefined {
    assert(Object.hasOwn(this.#answers, kind), `the catalog has no question ${kind}`);
    // Safe: kind and question were paired by `CatalogReads`, whose calls are all there is.
    const answer = this.#answers[kind as CatalogQuestionKind] as (
      question: unknown,
    ) => CatalogText | undefined;
    return answer(question);
  }
}
