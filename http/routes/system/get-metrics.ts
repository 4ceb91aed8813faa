import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** GET /metrics: all metrics, in the text format of Prometheus. */
export const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  auth: 'operator',
  response: Type.String(),
  contentType: CONTENT_TYPE,
  needs: ['exposition'],
  handler: async ({ services }) =>
    new RawReply(200, await services.exposition.text(), CONTENT_TYPE),
});
