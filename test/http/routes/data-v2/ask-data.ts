// Requests to Data API v2, and walks over its pages.
import type { TestExchange } from '../../exchange-fixture.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface DataPage {
  readonly data: readonly Row[];
  readonly pagination: {
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
}

type Sender = Pick<TestExchange, 'send'>;

/** The body of an answer; throws unless it is a success. */
export async function askData<Body = DataPage>({ send }: Sender, path: string): Promise<Body> {
  const { status, body, text } = await send('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  // Safe: the tests compare the body.
  return body as unknown as Body;
}

/** A walk whose cursors lead round in a circle ends. */
const MOST_PAGES = 200;

/** All rows of a list, page by page; `between` runs after each page. */
export async function walkData(
  exchange: Sender,
  path: string,
  between: (page: DataPage) => unknown = () => undefined,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: DataPage = await askData(exchange, `${path}${cursor}`);
    rows.push(...page.data);
    const next = page.pagination.next_cursor;
    if (next === null) return rows;
    await between(page);
    cursor = `&cursor=${next}`;
  }
  throw new Error(`${path} has no end after ${MOST_PAGES} pages`);
}
