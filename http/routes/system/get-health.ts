import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET / and GET /ok: the JSON string "OK" while requests are handled (wire 1.2). */
function healthAt(path: string) {
  return defineRoute({
    method: 'GET',
    path,
    summary: 'Whether the exchange takes requests',
    auth: 'none',
    params: NO_PARAMETERS,
    query: NO_PARAMETERS,
    body: NO_BODY,
    response: Type.Literal('OK'),
    handler: () => 'OK',
  });
}

export const getRoot = healthAt('/');
export const getOk = healthAt('/ok');
