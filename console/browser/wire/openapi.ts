/**
 * The bodies that the routes of this listener take, from its own description at `/openapi.json`.
 * Forms are made from them, so a form never lacks a field that its route has.
 */
import { sendAny } from './send.ts';

/** The part of JSON Schema that bodies of this exchange use. */
export interface BodySchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  readonly items?: BodySchema;
  readonly anyOf?: readonly BodySchema[];
}

interface Operation {
  readonly summary: string;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: BodySchema } };
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let description: Promise<Description> | undefined;

/**
 * The schema of a route's body. Rejects for a route that the listener does not have, or that takes
 * no body.
 */
export async function bodySchemaOf(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  auth?: 'operator',
): Promise<BodySchema> {
  // Safe: the parts of the document that are named here are there in every OpenAPI document.
  description ??= sendAny({ method: 'GET', path: '/openapi.json', auth }) as Promise<Description>;
  // A failure is not kept: the exchange may have been starting.
  description.catch(() => {
    description = undefined;
  });
  const { paths } = await description;
  const body = paths[path]?.[method.toLowerCase()]?.requestBody;
  if (body === undefined) throw new Error(`${method} ${path} takes no body.`);
  return body.content['application/json'].schema;
}
