import { join } from 'node:path';
import t from 'tap';
import { PUBLIC_READS } from '../../../http/admin/get-audit.ts';
import operatorExamples from '../../../http/documentation/examples/operator.json' with {
  type: 'json',
};
import publicExamples from '../../../http/documentation/examples/public.json' with { type: 'json' };
import type { Example, Examples, Json, JsonObject } from '../../../http/documentation/schema.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { recordExamples } from './example-session.ts';
import {
  asObject,
  documentText,
  LISTENERS,
  type Operation,
  operationsOf,
  TABLES,
} from './read-document.ts';
import { compileSchema } from './undeclared.ts';

const EXAMPLES: Readonly<Record<'public' | 'operator', Examples>> = {
  public: publicExamples,
  operator: operatorExamples,
};

t.test('every route has an example, and every example a route', async (t) => {
  for (const listener of LISTENERS) {
    // The operator's listener shows the examples of the public one for its reads.
    const shown = listener === 'public' ? [] : PUBLIC_READS.map(({ handler }) => handler);
    const own = TABLES[listener].filter(({ handler }) => !shown.includes(handler));
    t.strictSame(
      Object.keys(EXAMPLES[listener]).sort(),
      own.map(({ method, path }) => `${method} ${path}`).sort(),
      'a new route gets a step in example-steps.ts; record-examples.ts writes its example',
    );
  }
});

t.test('the exchange still gives the recorded answers', async (t) => {
  const recorded = await recordExamples(t, join(temporaryFolder(t), 'data'));
  for (const listener of LISTENERS) {
    for (const [name, example] of Object.entries(EXAMPLES[listener])) {
      t.strictSame(recorded[listener][name], example, `${name}: record-examples.ts rewrites it`);
    }
  }
});

function parametersOf(content: JsonObject): readonly JsonObject[] {
  return Array.isArray(content.parameters) ? content.parameters.map(asObject) : [];
}

/** The schema of the only content type of a body or answer. */
function schemaOf(holder: Json | undefined): JsonObject {
  const [content] = Object.values(asObject(asObject(holder).content));
  return asObject(asObject(content).schema);
}

function faultsOf({ content }: Operation, example: Example): readonly string[] {
  const sent = { ...example.params, ...example.query };
  const parameters = parametersOf(content);
  const names = parameters.map(({ name }) => name);
  const [answer] = Object.values(asObject(content.responses));
  return [
    ...Object.keys(sent).filter((name) => !names.includes(name)),
    ...parameters.flatMap(({ name, schema, required }) => {
      const value = sent[String(name)];
      if (value === undefined) return required === true ? [`${name} is missing`] : [];
      return compileSchema(asObject(schema))(value);
    }),
    ...(content.requestBody === undefined
      ? []
      : compileSchema(schemaOf(content.requestBody))(example.body ?? null)),
    ...compileSchema(schemaOf(answer))(example.response),
  ];
}

t.test('each example fits the schemas of its route, which declare all its keys', async (t) => {
  for (const listener of LISTENERS) {
    for (const operation of operationsOf(documentText(listener))) {
      const name = `${operation.method} ${operation.path}`;
      const example = EXAMPLES[listener][name];
      if (example !== undefined) t.strictSame(faultsOf(operation, example), [], name);
    }
  }
});

t.test('an example that does not fit is found', async (t) => {
  const operations = operationsOf(documentText('public'));
  const price = operations.find(({ method, path }) => `${method} ${path}` === 'GET /price');
  if (price === undefined) throw new Error('GET /price is gone');
  const good = { query: { token_id: '1', side: 'BUY' }, response: { price: '0.5' } };
  const rows: [name: string, example: Example, faults: readonly string[]][] = [
    ['a good one', good, []],
    ['without a parameter', { ...good, query: { side: 'BUY' } }, ['token_id is missing']],
    ['with another', { ...good, query: { ...good.query, more: 1 } }, ['more']],
    ['of a wrong type', { ...good, response: { price: 0.5 } }, ['/price must be string']],
    [
      'with an undeclared key',
      { ...good, response: { price: '0.5', size: '1' } },
      ['/size is not in the schema'],
    ],
  ];
  for (const [name, example, faults] of rows) t.strictSame(faultsOf(price, example), faults, name);
});
