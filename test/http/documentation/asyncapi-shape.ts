// A schema of AsyncAPI 3.0 for the parts that our document has; any other part is refused. It is
// written here because no dependency validates AsyncAPI.
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Json } from '../../../http/documentation/schema.ts';

const KEY = '^[\\w.-]+$';
const text = Type.String({ minLength: 1 });

function closed<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object whose keys are names. */
function mapOf(values: TSchema): TSchema {
  return Type.Object(
    {},
    { patternProperties: { [KEY]: values }, additionalProperties: false, minProperties: 1 },
  );
}

function referenceTo(place: string): TSchema {
  return closed({ $ref: Type.String({ pattern: `^#/${place}$` }) });
}

const Server = closed({
  host: text,
  protocol: Type.Enum(['ws', 'wss']),
  description: text,
});

const Channel = closed({
  address: Type.String({ pattern: '^/ws/[a-z]+$' }),
  title: text,
  description: text,
  messages: mapOf(referenceTo('components/messages/[\\w.-]+')),
  bindings: closed({ ws: closed({ method: Type.Literal('GET'), bindingVersion: text }) }),
  'x-close-codes': Type.Array(
    closed({ closeCode: Type.Integer(), code: text, reason: text, description: text }),
  ),
});

const Operation = closed({
  action: Type.Enum(['send', 'receive']),
  channel: referenceTo('channels/[\\w-]+'),
  summary: text,
  messages: Type.Array(referenceTo('channels/[\\w-]+/messages/[\\w.-]+'), { minItems: 1 }),
});

const Message = closed({
  name: text,
  summary: text,
  contentType: Type.Enum(['application/json', 'text/plain']),
  payload: Type.Object({}),
  examples: Type.Array(closed({ payload: Type.Unknown() }), { minItems: 1 }),
});

const Document = Compile(
  closed({
    asyncapi: Type.Literal('3.0.0'),
    info: closed({ title: text, version: text, description: text }),
    servers: mapOf(Server),
    defaultContentType: Type.Literal('application/json'),
    channels: mapOf(Channel),
    operations: mapOf(Operation),
    components: closed({ messages: mapOf(Message) }),
  }),
);

/** What is wrong with the form of a document. */
export function asyncApiFaults(document: Json): readonly string[] {
  return Document.Errors(document).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Keywords that mean the same in AsyncAPI's schemas (draft 07 and more) and in 2020-12. */
export const COMMON_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'const',
  'enum',
  'default',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'minimum',
  'pattern',
]);
