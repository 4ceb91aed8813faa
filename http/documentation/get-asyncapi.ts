import { Type } from 'typebox';
import { RawReply } from '../api/index.ts';
import { defineRoute } from '../services/index.ts';
import { asyncApiDocument } from './streams-document.ts';

const Document = Type.Object({
  asyncapi: Type.String({ description: 'Version of the format' }),
  info: Type.Object({
    title: Type.String(),
    version: Type.String(),
    description: Type.String(),
  }),
  servers: Type.Record(Type.String(), Type.Unknown()),
  defaultContentType: Type.String(),
  channels: Type.Record(Type.String(), Type.Unknown()),
  operations: Type.Record(Type.String(), Type.Unknown()),
  components: Type.Record(Type.String(), Type.Unknown()),
});

let bytes: Buffer | undefined;

/** GET /asyncapi.json: the description of the streams, made when it is first asked for and kept. */
export const getAsyncApi = defineRoute({
  method: 'GET',
  path: '/asyncapi.json',
  summary: 'The streams, AsyncAPI 3.0',
  auth: 'none',
  response: Document,
  handler: () => {
    bytes ??= Buffer.from(JSON.stringify(asyncApiDocument()));
    return new RawReply(200, bytes);
  },
});
