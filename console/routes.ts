/** The endpoints that serve the console. Its pages need no token: they contain no secret. */
import { Type } from 'typebox';
import { RawReply } from '../http/api/index.ts';
import { ApiError, echo } from '../http/errors/index.ts';
import { defineRoute, type PlotPart } from '../http/services/index.ts';
import { factsRoute } from './facts.ts';
import { consoleFile } from './files.ts';

const HTML = 'text/html; charset=utf-8';

async function fileReply(name: string, accepted: string): Promise<RawReply> {
  const reply = await consoleFile(name, accepted);
  if (reply !== undefined) return reply;
  throw new ApiError('id_not_found', { field: 'file', actual: echo(name) });
}

/** GET /ui: the address of the page has a slash at its end, because its files are beside it. */
const getConsoleAddress = defineRoute({
  method: 'GET',
  path: '/ui',
  summary: 'The address of the console',
  auth: 'none',
  response: Type.Unknown(),
  status: 308,
  handler: () => new RawReply(308, '"ui/"', 'application/json', [['location', 'ui/']]),
});

/** GET /ui/: `page` is the file of the listener's page. */
function getConsolePage(page: string) {
  return defineRoute({
    method: 'GET',
    path: '/ui/',
    summary: 'The console, for browsers',
    auth: 'none',
    response: Type.String(),
    contentType: HTML,
    readsHeaders: ['accept-encoding'],
    handler: ({ request }) => fileReply(page, request.headers['accept-encoding'] ?? ''),
  });
}

/** GET /ui/{file}: the scripts and styles of the pages. */
const getConsoleFile = defineRoute({
  method: 'GET',
  path: '/ui/{file}',
  summary: 'A file of the console',
  auth: 'none',
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  response: Type.String(),
  contentType: '*/*',
  readsHeaders: ['accept-encoding'],
  handler: ({ params, request }) =>
    fileReply(params.file, request.headers['accept-encoding'] ?? ''),
});

export const CONSOLE: PlotPart = {
  routes: [getConsoleAddress, getConsolePage('index.html'), factsRoute('public'), getConsoleFile],
  operatorRoutes: [
    getConsoleAddress,
    getConsolePage('operator.html'),
    factsRoute('operator'),
    getConsoleFile,
  ],
};
