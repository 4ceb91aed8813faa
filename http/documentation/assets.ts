/**
 * The files of Swagger UI, from the installed package, and the page around them. The page loads
 * nothing from other servers, and its headers forbid it.
 *
 * Invariant: only the files of one fixed list are read; a name in a request is looked up there and
 * never joined to a path. No other file of http/ opens files.
 * Bound: each file is read at its first request and kept, two megabytes in all.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
// Safe: the package documents this module as a function that returns its folder.
const folderOfPackage = require('swagger-ui-dist/absolute-path.js') as () => string;

const CONTENT_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'start.js': 'text/javascript; charset=utf-8',
} as const;

export type AssetName = keyof typeof CONTENT_TYPES;

/** What /docs/{file} serves. */
// Safe: they are the keys of that table.
export const ASSET_NAMES = Object.keys(CONTENT_TYPES) as readonly AssetName[];

export interface Asset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

// All addresses are relative to the page, so it works behind a path prefix.
export const DOCS_PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>outcome-exchange: API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// The badge of the validator would send the document's address to another server.
const START_SCRIPT = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
`;

const loaded = new Map<AssetName, Promise<Uint8Array>>();

function load(name: AssetName): Promise<Uint8Array> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const bytes =
    name === 'start.js'
      ? Promise.resolve(Buffer.from(START_SCRIPT))
      : readFile(join(folderOfPackage(), name));
  loaded.set(name, bytes);
  // A failure is not kept, because a lack of file handles is temporary.
  bytes.catch(() => loaded.delete(name));
  return bytes;
}

/** Rejects if the package lacks the file. */
export async function readAsset(name: AssetName): Promise<Asset> {
  return {
    bytes: await load(name),
    contentType: CONTENT_TYPES[name],
  };
}

/**
 * Headers of the page and its files. Scripts, pictures and requests must be of this origin; Swagger
 * UI also writes style attributes and loads icons from data URLs.
 */
export const DOCS_HEADERS: readonly (readonly [name: string, value: string])[] = [
  [
    'content-security-policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  ],
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'public, max-age=3600'],
];
