/**
 * The files of Swagger UI, from the package that is installed, and our page around them. Nothing of
 * it comes from outside, and the browser is told to load nothing else.
 *
 * Invariant: only the files of one fixed list are ever read: a name is looked up, never joined to a
 * path. This is the one file of http that opens files. They are a package's, and no data of the
 * exchange; each is read once, when it is first asked for.
 * Bound: two megabytes, kept.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
// Safe: the package documents this module as a function that gives its folder.
const folderOfPackage = require('swagger-ui-dist/absolute-path.js') as () => string;

const CONTENT_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'start.js': 'text/javascript; charset=utf-8',
} as const;

export type AssetName = keyof typeof CONTENT_TYPES;

/** What /docs/{file} serves. */
export const ASSET_NAMES: readonly AssetName[] = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'start.js',
];

export interface Asset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

// Every address is relative to that of the page, so that all of it works behind a path prefix.
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

// A validator's badge would send the document's address to somebody else's server.
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
  // Of a failure nothing is kept: it may have been a lack of file handles.
  bytes.catch(() => loaded.delete(name));
  return bytes;
}

/** One file with its content type; rejects when the package lacks it. */
export async function readAsset(name: AssetName): Promise<Asset> {
  return {
    bytes: await load(name),
    contentType: CONTENT_TYPES[name],
  };
}

/**
 * Sent with the page and its files: scripts, pictures and requests are of this origin alone. The
 * library writes style attributes and draws its icons from data addresses.
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
