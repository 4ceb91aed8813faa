import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { Failure } from '../../errors/index.ts';
import { HealthReport, NOT_RECOVERED, type Report } from '../../metrics/index.ts';
import { defineRoute } from '../../services/index.ts';

function replyOf(report: Report): RawReply {
  return new RawReply(report.ready ? 200 : 503, JSON.stringify(report));
}

/** GET /readyz: 200 when every part does its work, else 503, with the same body. */
export const getReadyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  summary: 'Whether every part of the exchange is ready',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: HealthReport,
  failure: Type.Union([HealthReport, Failure]),
  whenStarting: () => replyOf(NOT_RECOVERED),
  needs: ['health'],
  handler: ({ request, services }) => replyOf(services.health.report(request.isStopping)),
});
