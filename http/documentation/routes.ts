/** The endpoints that serve the documentation. */
import { Type } from 'typebox';
import { RawReply, type RouteDefinition } from '../api/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { defineRoute } from '../services/index.ts';
import { PAGE_HEADERS, readAsset } from './assets.ts';
import { documentOf, type ListenerName } from './documents.ts';
import type { JsonObject } from './schema.ts';
import { LLMS_FILE, siteFile } from './site.ts';
import { asyncApiDocument, serversOf } from './streams-document.ts';

const TEXT = 'text/plain; charset=utf-8';
const LONGEST_NAME = 128;

const FormatVersion = Type.String({ description: 'Version of the format' });
const Info = Type.Object({
  title: Type.String(),
  version: Type.String(),
  description: Type.String(),
});
const Any = Type.Record(Type.String(), Type.Unknown());

/** A handler that answers with a document, which it makes at the first request and keeps. */
function documentHandler(make: () => object): () => RawReply {
  let bytes: Buffer | undefined;
  return () => {
    bytes ??= Buffer.from(JSON.stringify(make()));
    return new RawReply(200, bytes);
  };
}

/**
 * GET /openapi.json: the routes of a listener, this one included. `routes` returns the table that
 * this route is a row of.
 */
export function openApiRoute(listener: ListenerName, routes: () => readonly RouteDefinition[]) {
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document, OpenAPI 3.1',
    auth: listener === 'public' ? 'none' : 'operator',
    response: Type.Object({
      openapi: FormatVersion,
      info: Info,
      servers: Type.Array(Type.Unknown()),
      tags: Type.Array(Type.Unknown()),
      paths: Any,
      components: Any,
    }),
    handler: documentHandler(() => documentOf(listener, routes())),
  });
}

let streamsDocument: JsonObject | undefined;

function streams(): JsonObject {
  streamsDocument ??= asyncApiDocument();
  return streamsDocument;
}

/** GET /asyncapi.json: the streams, with the address at which the client asked. */
export const getAsyncApi = defineRoute({
  method: 'GET',
  path: '/asyncapi.json',
  summary: 'The streams, AsyncAPI 3.0',
  auth: 'none',
  response: Type.Object({
    asyncapi: FormatVersion,
    info: Info,
    servers: Any,
    defaultContentType: Type.String(),
    channels: Any,
    operations: Any,
    components: Any,
  }),
  readsHost: true,
  needs: ['settings'],
  handler: ({ request, services: { settings } }) =>
    new RawReply(200, JSON.stringify({ ...streams(), servers: serversOf(request.host, settings) })),
});

/** GET /docs: the documents, whose addresses are beside each other. */
export const getDocs = defineRoute({
  method: 'GET',
  path: '/docs',
  summary: 'The address of the documentation',
  auth: 'none',
  response: Type.Unknown(),
  status: 308,
  handler: () =>
    new RawReply(308, '"docs/README.html"', 'application/json', [['location', 'docs/README.html']]),
});

/** GET /docs/{file}: pages of documents, routes and streams, and what they load. */
export const getDocsFile = defineRoute({
  method: 'GET',
  path: '/docs/{file}',
  summary: 'A page or file of the documentation',
  auth: 'none',
  params: Type.Object({ file: Type.String({ maxLength: LONGEST_NAME }) }),
  response: Type.String(),
  contentType: '*/*',
  handler: async ({ params: { file } }) => {
    const asset = await readAsset(file);
    if (asset !== undefined)
      return new RawReply(200, asset.bytes, asset.contentType, asset.headers);
    return siteReply(file);
  },
});

async function siteReply(name: string): Promise<RawReply> {
  const file = await siteFile(name);
  if (file !== undefined) return new RawReply(200, file.body, file.contentType, PAGE_HEADERS);
  throw new ApiError('id_not_found', { field: 'file', actual: echo(name) });
}

/** GET /llms.txt: the documents for language models. */
export const getLlmsText = defineRoute({
  method: 'GET',
  path: `/${LLMS_FILE}`,
  summary: 'The documents for language models, in the form of llmstxt.org',
  auth: 'none',
  response: Type.String(),
  contentType: TEXT,
  handler: () => siteReply(LLMS_FILE),
});
