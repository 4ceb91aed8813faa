/** The accounting snapshot of an account, an archive as on the public venue (wire 8.7). */
import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { zipOf } from '../../codec/index.ts';
import { MIN_SEQ, refuseLaterSeq, userIn } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { explainTooWide } from './define-analytics-route.ts';
import { UserParameter } from './parameters.ts';

const CONTENT_TYPE = 'application/zip';

export const getAccountingSnapshot = defineRoute({
  method: 'GET',
  path: '/v1/accounting/snapshot',
  summary: 'What an account is worth now: a ZIP archive of positions.csv and equity.csv',
  auth: 'none',
  query: Type.Object({ user: UserParameter, ...MIN_SEQ }),
  response: Type.String(),
  contentType: CONTENT_TYPE,
  needs: ['exchange'],
  handler: async ({ query: { user, min_seq }, request: { nowMs }, services: { exchange } }) => {
    const question = { user: userIn(user), nowMs };
    refuseLaterSeq(min_seq, exchange.appliedSeq);
    const { json, seq } = await exchange.analytics
      .ask('accounting', question)
      .catch(explainTooWide);
    // Safe: `accountingText` writes these members.
    const tables = JSON.parse(Buffer.from(json).toString()) as {
      readonly positions: string;
      readonly equity: string;
    };
    const archive = zipOf({ 'positions.csv': tables.positions, 'equity.csv': tables.equity });
    return new RawReply(200, archive, CONTENT_TYPE, [['x-seq', `${seq}`]]);
  },
});
