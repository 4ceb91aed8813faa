import { Type } from 'typebox';
import { RawReply, type RouteDefinition } from '../api/index.ts';
import { defineRoute } from '../services/index.ts';
import { documentOf, type Listener } from './documents.ts';

const Document = Type.Object({
  openapi: Type.String({ description: 'Version of the format' }),
  info: Type.Object({
    title: Type.String(),
    version: Type.String(),
    description: Type.String(),
  }),
  servers: Type.Array(Type.Unknown()),
  tags: Type.Array(Type.Unknown()),
  paths: Type.Record(Type.String(), Type.Unknown()),
  components: Type.Record(Type.String(), Type.Unknown()),
});

/**
 * GET /openapi.json: the description of a listener's routes, this one among them, made when it is
 * first asked for and kept. `routes` gives the table that this route is a row of.
 */
export function openApiRoute(listener: Listener, routes: () => readonly RouteDefinition[]) {
  let bytes: Buffer | undefined;
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document, OpenAPI 3.1',
    auth: listener === 'public' ? 'none' : 'operator',
    response: Document,
    handler: () => {
      bytes ??= Buffer.from(JSON.stringify(documentOf(listener, routes())));
      return new RawReply(200, bytes);
    },
  });
}
