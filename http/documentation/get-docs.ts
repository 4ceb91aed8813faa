import { Type } from 'typebox';
import { RawReply } from '../api/index.ts';
import { defineRoute } from '../services/index.ts';
import { ASSET_NAMES, DOCS_HEADERS, DOCS_PAGE, readAsset } from './assets.ts';

const HTML = 'text/html; charset=utf-8';

/** GET /docs: the page that shows /openapi.json to a person. */
export const getDocs = defineRoute({
  method: 'GET',
  path: '/docs',
  summary: 'This documentation as a page',
  auth: 'none',
  response: Type.String(),
  contentType: HTML,
  handler: () => new RawReply(200, DOCS_PAGE, HTML, DOCS_HEADERS),
});

/** GET /docs/{file}: what the page is made of, by one fixed list of names. */
export const getDocsFile = defineRoute({
  method: 'GET',
  path: '/docs/{file}',
  summary: 'A file of that page',
  auth: 'none',
  params: Type.Object({ file: Type.Enum([...ASSET_NAMES]) }),
  response: Type.String(),
  contentType: '*/*',
  handler: async ({ params }) => {
    const { bytes, contentType } = await readAsset(params.file);
    return new RawReply(200, bytes, contentType, DOCS_HEADERS);
  },
});
