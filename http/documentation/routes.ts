/** The endpoints that serve the documentation. */
import { Type } from 'typebox';
import { RawReply, type RouteDefinition } from '../api/index.ts';
import { defineRoute } from '../services/index.ts';
import { ASSET_NAMES, DOCS_PAGE, PAGE_HEADERS, readAsset } from './assets.ts';
import { documentOf, type ListenerName } from './documents.ts';
import type { JsonObject } from './schema.ts';
import { asyncApiDocument, serversOf } from './streams-document.ts';

const HTML = 'text/html; charset=utf-8';

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

/** GET /docs: the page that shows /openapi.json to a person. */
export const getDocs = defineRoute({
  method: 'GET',
  path: '/docs',
  summary: 'This documentation as a page',
  auth: 'none',
  response: Type.String(),
  contentType: HTML,
  handler: () => new RawReply(200, DOCS_PAGE, HTML, PAGE_HEADERS),
});

export const getDocsFile = defineRoute({
  method: 'GET',
  path: '/docs/{file}',
  summary: 'A file of the documentation page',
  auth: 'none',
  params: Type.Object({ file: Type.Enum([...ASSET_NAMES]) }),
  response: Type.String(),
  contentType: '*/*',
  handler: async ({ params }) => {
    const { bytes, contentType, headers } = await readAsset(params.file);
    return new RawReply(200, bytes, contentType, headers);
  },
});
