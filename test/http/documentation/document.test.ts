import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import {
  asObject,
  atPointer,
  documentText,
  LISTENERS,
  operationsOf,
  referencesIn,
  TABLES,
} from './read-document.ts';

t.test('both documents are OpenAPI 3.1', async (t) => {
  for (const listener of LISTENERS) {
    const document = documentText(listener);
    t.equal(document.openapi, '3.1.0');
    const { valid, errors } = await new Validator().validate({ ...document });
    t.ok(valid, `${listener}: ${JSON.stringify(errors)}`);
  }
});

t.test('every route of a table is in its document, and nothing else', async (t) => {
  for (const listener of LISTENERS) {
    const described = operationsOf(documentText(listener));
    t.strictSame(
      described.map(({ method, path }) => `${method} ${path}`).sort(),
      TABLES[listener].map(({ method, path }) => `${method} ${path}`).sort(),
    );
  }
});

t.test('each operation has a unique id, a summary and one of the areas', async (t) => {
  for (const listener of LISTENERS) {
    const document = documentText(listener);
    const { tags } = document;
    const areas = Array.isArray(tags) ? tags.map((tag) => asObject(tag).name) : [];
    const ids = new Set<Json | undefined>();
    for (const { method, path, content } of operationsOf(document)) {
      const name = `${method} ${path}`;
      t.match(content.operationId, /^[a-z]+[A-Za-z0-9]+$/, name);
      t.notOk(ids.has(content.operationId), `${content.operationId} is unique (${name})`);
      ids.add(content.operationId);
      t.match(content.summary, /^[A-Z].*[^.]$/, name);
      const [tag, ...more] = Array.isArray(content.tags) ? content.tags : [];
      t.ok(
        areas.includes(tag ?? null),
        `${name} has an area in http/documentation/openapi/areas.json`,
      );
      t.equal(more.length, 0);
    }
  }
});

t.test('operation ids have not changed', async (t) => {
  const ids = operationsOf(documentText('public')).map(({ content }) => content.operationId);
  const some = ['getRoot', 'getBook', 'getDataOrderById', 'deleteCancelAll', 'getFeeRateByTokenId'];
  for (const id of some) t.ok(ids.includes(id), id);
});

t.test('every reference resolves, and every part is used', async (t) => {
  for (const listener of LISTENERS) {
    const document = documentText(listener);
    const pointers = new Set(referencesIn(document));
    for (const pointer of pointers) t.ok(atPointer(document, pointer), pointer);
    for (const kind of ['schemas', 'responses']) {
      for (const name of Object.keys(asObject(asObject(document.components)[kind]))) {
        t.ok(pointers.has(`#/components/${kind}/${name}`), `${listener}: ${kind} ${name} is used`);
      }
    }
  }
});

/** Counts how often each schema is written out. */
function countSchemas(value: Json, counts: Map<string, number>): void {
  if (Array.isArray(value)) for (const item of value) countSchemas(item, counts);
  if (!isJsonObject(value)) return;
  if (typeof value.type === 'string' || value.anyOf !== undefined) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'example') countSchemas(part, counts);
  }
}

const LARGE_SCHEMA = 400;

t.test('no large schema is written out twice', async (t) => {
  const counts = new Map<string, number>();
  countSchemas(documentText('public'), counts);
  for (const [text, count] of counts) {
    if (text.length < LARGE_SCHEMA) continue;
    t.equal(count, 1, `has a name in http/documentation/shared-schemas.ts: ${text.slice(0, 200)}`);
  }
});

function operation(listener: 'public' | 'operator', name: string): JsonObject {
  const found = operationsOf(documentText(listener)).find(
    ({ method, path }) => `${method} ${path}` === name,
  );
  return asObject(found?.content);
}

t.test('an operation has the parameters and the answer of its route', async (t) => {
  t.match(operation('public', 'GET /price'), {
    parameters: [
      { name: 'token_id', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'side', in: 'query', required: true, schema: { type: 'string' }, example: 'BUY' },
    ],
    security: [],
    responses: {
      200: { content: { 'application/json': { schema: { required: ['price'] } } } },
      429: { headers: { 'Retry-After': {} } },
      default: { content: { 'application/json': { schema: { required: ['error', 'code'] } } } },
    },
  });
  t.match(operation('public', 'GET /data/order/{id}'), {
    parameters: [{ name: 'id', in: 'path', required: true }],
    responses: { 401: { content: {} } },
  });
  const order = operation('public', 'POST /order');
  const schemas = { 'application/json': { schema: { properties: { order: {}, owner: {} } } } };
  t.match(order.requestBody, { required: true, content: schemas });
  t.match(order.security, [{ address: [], apiKey: [], passphrase: [], requestSignature: [] }]);
  t.notOk('requestBody' in operation('public', 'DELETE /cancel-all'));
  t.match(operation('operator', 'POST /deposits').security, [{ operatorToken: [] }]);
  t.notOk('401' in asObject(operation('public', 'GET /book').responses));
});

t.test('exactly the security schemes that are used are described', async (t) => {
  for (const listener of LISTENERS) {
    const document = documentText(listener);
    const schemes = asObject(asObject(document.components).securitySchemes);
    const used = operationsOf(document).flatMap(({ content }) =>
      Array.isArray(content.security)
        ? content.security.flatMap((one) => Object.keys(asObject(one)))
        : [],
    );
    t.strictSame([...new Set(used)].sort(), Object.keys(schemes).sort(), listener);
  }
});
