import { Type } from 'typebox';
import { RawReply } from '../../http/api/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { defineRoute } from '../../http/services/index.ts';
import { builtinImage } from '../../persistence/index.ts';

const SVG = 'image/svg+xml';
/** Pictures change only with a release, and scripts in them never run. */
const HEADERS = [
  ['cache-control', 'public, max-age=86400'],
  ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ['x-content-type-options', 'nosniff'],
] as const;

/** GET /images/{file}: a picture from the closed list of the built-in catalog. */
export const getImage = defineRoute({
  method: 'GET',
  path: '/images/{file}',
  summary: 'A picture of the built-in catalog',
  auth: 'none',
  params: Type.Object({ file: Type.String({ maxLength: 64, description: 'such as weather.svg' }) }),
  response: Type.String(),
  contentType: SVG,
  handler: ({ params: { file } }) => {
    const bytes = builtinImage(file);
    if (bytes !== undefined) return new RawReply(200, bytes, SVG, HEADERS);
    throw new ApiError('id_not_found', { field: 'file', actual: echo(file) });
  },
});
