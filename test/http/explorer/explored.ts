// Requests of the explorer on both listeners, and the types of their answers.
import type { Static, TSchema } from 'typebox';
import type { ExplorerCommand, ExplorerCommandPage } from '../../../http/explorer/index.ts';
import type { Answer, TestExchange } from '../exchange-fixture.ts';

/** The answer to a GET on the public listener. The caller names the schema of its type. */
export async function explored<Schema extends TSchema>(
  exchange: TestExchange,
  path: string,
): Promise<Static<Schema>> {
  return bodyOf<Schema>(path, await exchange.send('GET', `/explorer/${path}`));
}

/** The same on the operator's listener. */
export async function exploredByOperator<Schema extends TSchema>(
  exchange: TestExchange,
  path: string,
): Promise<Static<Schema>> {
  return bodyOf<Schema>(path, await exchange.operator('GET', `/explorer/${path}`));
}

function bodyOf<Schema extends TSchema>(path: string, { status, text }: Answer): Static<Schema> {
  if (status !== 200) throw new Error(`${path}: ${text}`);
  // The tests of examples compare answers with the schemas.
  return JSON.parse(text) as Static<Schema>;
}

/** An answer of success. */
export async function done(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

export function command(exchange: TestExchange, seq: number) {
  return explored<typeof ExplorerCommand>(exchange, `commands/${seq}`);
}

/** All commands that a filter finds, newest first, page by page. */
export async function allCommands(exchange: TestExchange, filter: string, limit = 7) {
  const found: Static<typeof ExplorerCommandPage>['data'] = [];
  let before = '';
  for (;;) {
    const path = `commands?limit=${limit}${filter}${before}`;
    const page = await explored<typeof ExplorerCommandPage>(exchange, path);
    found.push(...page.data);
    if (page.next_before === null) return found;
    before = `&before=${page.next_before}`;
  }
}
