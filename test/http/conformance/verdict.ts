// Whether an answer is one that the document allows.

import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import { ERRORS, type ErrorEntry } from '../../../http/errors/errors.ts';
import { dataCodeOf } from '../../../http/errors/failure.ts';
import { asObject, type Operation } from '../documentation/read-document.ts';
import { compileSchema, type SchemaCheck } from '../documentation/undeclared.ts';
import type { PlainAnswer } from '../keep-alive-client.ts';

interface DocumentedAnswer {
  readonly contentType: string;
  readonly check: SchemaCheck;
}

const JSON_TYPE = 'application/json';

function documented(response: Json | undefined): DocumentedAnswer {
  const [[contentType, media] = ['', {}]] = Object.entries(asObject(asObject(response).content));
  const { schema } = asObject(media);
  return { contentType, check: compileSchema(asObject(schema)) };
}

const table = new Map<string, ErrorEntry>(Object.entries(ERRORS));

/** The code of a failure must be in the table of errors, with its status. */
function codeFaults(body: Json, status: number): readonly string[] {
  const code = isJsonObject(body) ? String(body.code) : '';
  if (isJsonObject(body) && body.trace_id !== undefined) {
    return code === dataCodeOf(status) ? [] : [`code ${code} is not that of status ${status}`];
  }
  const entry = table.get(code);
  if (entry === undefined) return [`code ${code} is not in the table`];
  return entry.status === status ? [] : [`${code} has status ${entry.status}, not ${status}`];
}

/** Every fault of an answer; none for one that is as documented. */
export type Judge = (answer: PlainAnswer) => readonly string[];

export function judgeOf({ content }: Operation): Judge {
  const responses: JsonObject = asObject(content.responses);
  const answers = new Map(
    Object.entries(responses).map(([status, response]) => [status, documented(response)]),
  );
  return ({ status, contentType, text }) => {
    const own = answers.get(String(status));
    if (status >= 500 && own === undefined) return [`status ${status}`];
    const answer = own ?? answers.get('default');
    if (answer === undefined || (status < 400 && own === undefined)) {
      return [`status ${status} is not documented`];
    }
    if (answer.contentType !== JSON_TYPE) {
      const fits = answer.contentType === '*/*' || answer.contentType === contentType;
      return fits ? [] : [`content type ${contentType} is not ${answer.contentType}`];
    }
    if (contentType !== JSON_TYPE) return [`content type ${contentType}`];
    const body = parse(text);
    if (body === undefined) return ['the body is no JSON'];
    return [...answer.check(body), ...(status >= 400 ? codeFaults(body, status) : [])];
  };
}

function parse(text: string): Json | undefined {
  try {
    // Safe: what JSON.parse gives is JSON.
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON: the one fault that no schema can report.
    return undefined;
  }
}
