/** What Data API v2 tells of itself, and of approvals on a chain that does not exist (wire 8.8). */
import { Type } from 'typebox';
import { SECOND_MS } from '../../../engine/model/index.ts';
import { toChecksumAddress } from '../../signing/address.ts';
import contracts from './approval-contracts.json' with { type: 'json' };
import { defineDataRoute, User } from './define-data-route.ts';

function secondText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

const Standard = Type.Enum(['ERC20', 'ERC1155']);

/** The rows are those of the public venue, whose addresses clients look for. */
export const getApprovalsV2 = defineDataRoute({
  path: '/v2/approvals',
  summary: 'Approvals that a wallet gave to contracts: all, because none are needed here',
  query: { user: User },
  anchors: ['user'],
  row: Type.Object({
    address: Type.String(),
    chain_id: Type.Integer(),
    checked_at: Type.String({ description: 'ISO 8601' }),
    contracts: Type.Array(
      Type.Object({
        id: Type.String(),
        feature: Type.String(),
        token: Type.String(),
        spender: Type.String(),
        standard: Standard,
        amount: Type.Optional(Type.String({ description: 'max, which is unlimited; of ERC20' })),
        approved: Type.Boolean(),
      }),
    ),
  }),
  read: ({ user = '' }, { services: { settings }, request: { nowMs } }) => {
    const rows = contracts.map(([id, feature, token, spender, standard]) => ({
      ...{ id, feature, token, spender, standard },
      ...(standard === 'ERC20' ? { amount: 'max' } : {}),
      approved: true,
    }));
    const address = toChecksumAddress(user);
    const head = { address, chain_id: settings.chainIds[0], checked_at: secondText(nowMs) };
    return { json: JSON.stringify({ ...head, contracts: rows }) };
  },
});

/** What the projector makes from the journal, under the public names. */
const MADE = ['activity_feed', 'custody_balances', 'pnl'] as const;

const Lag = Type.Object({
  source: Type.String(),
  block: Type.Integer(),
  behind_max: Type.Integer(),
});

export const getStatusV2 = defineDataRoute({
  path: '/v2/status',
  summary: 'How far the answers are behind what was done',
  query: {},
  row: Type.Object({
    computed_at: Type.String({ description: 'ISO 8601' }),
    age_seconds: Type.Integer({ description: '0: computed for each request' }),
    serving: Type.Object({
      lag_seconds: Type.Integer({ description: 'How long answers have missed a change' }),
      worst: Type.Enum([...MADE]),
      mechanisms: Type.Array(
        Type.Object({
          name: Type.Enum([...MADE]),
          age_seconds: Type.Integer(),
          blocks_behind: Type.Integer({ description: 'Changes that answers do not show yet' }),
        }),
      ),
    }),
    ingestion: Type.Object(
      {
        cursors: Type.Integer({ description: '1' }),
        network: Type.Null(),
        chain_id: Type.Integer(),
        max_synced_block: Type.Integer({ description: 'Number of the last durable change' }),
        min_synced_block: Type.Integer(),
        most_lagged: Lag,
        lagging: Type.Array(Lag),
      },
      { description: 'The journal, which has everything' },
    ),
  }),
  read: (_, { services: { exchange, health, settings }, request: { nowMs } }) => {
    const age_seconds = Math.floor(health.lagMs / SECOND_MS);
    const lag = { age_seconds, blocks_behind: health.lagCommands };
    const block = exchange.durableSeq;
    const journal = { source: 'journal', block, behind_max: 0 };
    return {
      json: JSON.stringify({
        computed_at: secondText(nowMs),
        age_seconds: 0,
        serving: {
          lag_seconds: age_seconds,
          worst: MADE[0],
          mechanisms: MADE.map((name) => ({ name, ...lag })),
        },
        ingestion: {
          cursors: 1,
          network: null,
          chain_id: settings.chainIds[0],
          max_synced_block: block,
          min_synced_block: block,
          most_lagged: journal,
          lagging: [journal],
        },
      }),
    };
  },
});
