/** Whether the exchange accepts requests, whether its process is alive, and whether it is ready. */
import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { Failure } from '../../errors/index.ts';
import { HealthReport, NOT_RECOVERED, type Report } from '../../metrics/health.ts';
import { defineRoute } from '../../services/index.ts';

/** A browser asks for pages first, and a program for any type or for JSON. */
const ASKS_FOR_PAGE = /(^|,)\s*text\/html\b/;

/**
 * GET / and GET /ok: the JSON string "OK" while requests are handled (wire 1.2). They name the
 * exchange, so that a node of a cluster without a core refuses them.
 */
export const getOk = defineRoute({
  method: 'GET',
  path: '/ok',
  summary: 'Whether the exchange accepts requests',
  auth: 'none',
  response: Type.Literal('OK'),
  needs: ['exchange'],
  handler: () => 'OK',
});

const DataOk = Type.Object(
  { data: Type.Literal('OK') },
  { description: 'Under the prefix of the data host' },
);

/** Answers like GET /ok, in the form of the surface; a browser is sent to the console. */
export const getRoot = defineRoute({
  method: 'GET',
  path: '/',
  summary: 'Whether the exchange accepts requests; a browser is sent to the console',
  auth: 'none',
  response: Type.Union([Type.Literal('OK'), DataOk]),
  readsHeaders: ['accept'],
  needs: ['exchange'],
  handler: ({ request: { headers, surface } }) => {
    if (surface === 'data' || surface === 'data-api') return { data: 'OK' } as const;
    return ASKS_FOR_PAGE.test(headers.accept ?? '')
      ? new RawReply(303, '"OK"', 'application/json', [['location', 'ui/']])
      : 'OK';
  },
});

const PLAIN = 'text/plain; charset=utf-8';

/** GET /status, which clients of the catalog ask under /gamma: OK as plain text. */
export const getStatus = defineRoute({
  method: 'GET',
  path: '/status',
  summary: 'Whether the catalog answers',
  auth: 'none',
  response: Type.Literal('OK'),
  contentType: PLAIN,
  needs: ['exchange'],
  handler: () => new RawReply(200, 'OK', PLAIN),
});

const ALIVE = { alive: true } as const;

/**
 * GET /healthz: the process answers. This is so also while it starts, stops or is overloaded,
 * because a restart would not help then.
 */
export const getHealthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  summary: 'Whether the process is alive',
  auth: 'none',
  response: Type.Object({ alive: Type.Literal(true) }),
  whenStarting: () => ALIVE,
  handler: () => ALIVE,
});

function replyOf(report: Report): RawReply {
  return new RawReply(report.ready ? 200 : 503, JSON.stringify(report));
}

/** GET /readyz: 200 when every part works, else 503 with the same body. */
export const getReadyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  summary: 'Whether every part of the exchange is ready',
  auth: 'none',
  response: HealthReport,
  failure: Type.Union([HealthReport, Failure]),
  whenStarting: () => replyOf(NOT_RECOVERED),
  needs: ['health'],
  handler: ({ request, services }) => replyOf(services.health.report(request.isStopping)),
});
