import { Type } from 'typebox';
import { ApiError, echo } from '../../http/errors/index.ts';
import { Text, TrueFalse } from '../../http/parameters/index.ts';
import { CROWD_MODES } from '../../http/settings/crowd.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { CHARACTERS, CROWD_MARKETS, ROLES } from '../crowd/index.ts';
import { defineSandboxRoute } from './services.ts';

const Mode = Type.Enum([...CROWD_MODES], {
  description:
    'off: it does nothing; still: it puts quotes on the book once; live: it trades, while ' +
    'somebody watches',
});
const WAYS = ['open', 'paused', 'over'] as const;
const VALUE_DECIMALS = 4;

/**
 * POST /crowd: switches the crowd off or on, in one market or in all. Off cancels its orders there,
 * so that a program trades alone. It holds until the exchange stops.
 */
export const postCrowd = defineSandboxRoute({
  method: 'POST',
  path: '/crowd',
  summary: 'Switch the crowd off or on',
  auth: 'operator',
  sandbox: true,
  body: Type.Object(
    {
      mode: Mode,
      market: Type.Optional(
        Type.String({ description: 'Condition id; without it, all markets, also later ones' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    mode: Mode,
    market: Text('"" for all markets'),
    canceled: Type.Integer({ description: 'Orders of the crowd that this cancelled' }),
  }),
  needs: ['crowd', 'registry'],
  handler: async ({ body: { mode, market }, services: { crowd, registry } }) => {
    const conditionId =
      market === undefined ? '' : registry.market(market.toLowerCase())?.conditionId;
    if (conditionId === undefined) {
      throw new ApiError('market_not_found', { field: 'market', actual: echo(market) });
    }
    const canceled = await crowd.setMode(conditionId, mode);
    return { mode, market: conditionId, canceled };
  },
});

/** Who is in the crowd, and what it does. */
export const CrowdReport = Type.Object({
  mode: Mode,
  seed: Type.Integer(),
  orders_per_second: Type.Integer({ description: 'Its pace: orders and requests to cancel' }),
  watched: TrueFalse('Whether somebody watched or traded in the last minute'),
  accounts: Type.Array(
    Type.Object({
      address: Type.String(),
      name: Text('The name that its profile shows'),
      role: Type.Enum([...ROLES]),
    }),
  ),
  counts: Type.Object({
    orders: Type.Integer({ description: 'Orders accepted since the start' }),
    cancels: Type.Integer({ description: 'Orders cancelled since the start' }),
    merges: Type.Integer({ description: 'Times that complete sets were turned into cash' }),
    deposits: Type.Integer({ description: 'Times that an account got new play money' }),
    refusals: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Refused orders and moves by the code of the error; no_signing_domain if --domains has ' +
        'none for a kind of market',
    }),
  }),
  markets: Type.Array(
    Type.Object({
      market: Text('Condition id'),
      mode: Mode,
      state: Type.Enum([...WAYS], { description: 'paused: orders are not accepted now' }),
      character: Type.Enum([...CHARACTERS]),
      value: Text('The fair value of YES; "" before the crowd has acted in the market'),
      orders: Type.Integer({ description: 'Quotes of the maker, when it last looked' }),
    }),
    { maxItems: CROWD_MARKETS },
  ),
});

/** GET /crowd: who is in the crowd, and what it does in each market. */
export const getCrowd = defineSandboxRoute({
  method: 'GET',
  path: '/crowd',
  summary: 'The accounts of the crowd and what it does',
  auth: 'operator',
  sandbox: true,
  response: CrowdReport,
  needs: ['crowd', 'settings'],
  handler: ({ services: { crowd, settings } }) => ({
    mode: crowd.mode,
    seed: settings.crowdSeed,
    orders_per_second: settings.crowdPace,
    watched: crowd.isWatched,
    accounts: crowd.participants.map(({ wallet, name, role }) => ({
      address: toChecksumAddress(wallet.address),
      name,
      role,
    })),
    counts: { ...crowd.counts, refusals: Object.fromEntries(crowd.refusals) },
    markets: crowd.markets.map((market) => ({
      market: market.conditionId,
      mode: market.mode,
      state: stateOf(market),
      character: market.nature.character,
      value: market.isFilled ? (market.fair?.toFixed(VALUE_DECIMALS) ?? '') : '',
      orders: market.quotes?.size ?? 0,
    })),
  }),
});

function stateOf(market: {
  readonly acceptsOrders: boolean;
  readonly isOver: boolean;
}): (typeof WAYS)[number] {
  if (market.isOver) return 'over';
  return market.acceptsOrders ? 'open' : 'paused';
}
