import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { type Micros, micros } from '../../engine/model/index.ts';
import { microsText } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { conditionIn } from '../../http/format/index.ts';
import { OptionalText, Text, TrueFalse } from '../../http/parameters/index.ts';
import { defineRoute } from '../../http/services/index.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { addressIn, amountIn, marketIn, type Registry, tokensIn } from '../../http/views/index.ts';
import { FAUCET_BOUNDS } from './bounds.ts';
import { type FaucetRequest, give } from './give.ts';

const { requestMicros, keyChars } = FAUCET_BOUNDS;
const MOST = microsText(micros(requestMicros));

const DEFAULT_AMOUNT = '1000';

const Body = Type.Object({
  address: Text('The account that gets it'),
  owner: OptionalText(
    'The owner, where `address` is a proxy wallet or Safe that is not open yet; by default the ' +
      'account opens as the externally owned address itself',
  ),
  amount: OptionalText(
    `Collateral, a decimal up to ${MOST}; with market, complete sets in steps of 0.01; ` +
      `by default ${DEFAULT_AMOUNT}`,
  ),
  market: OptionalText('Condition id: complete sets of its tokens are given in place of cash'),
  key: Type.Optional(
    Type.String({
      pattern: `^[\\x21-\\x7e]{1,${keyChars}}$`,
      description: `Idempotency key of this address, 1 to ${keyChars} printable characters`,
    }),
  ),
});
const Gift = Type.Object({
  address: Text('The account, EIP-55'),
  amount: Text('What it got'),
  market: Type.Optional(Text('The market of the sets')),
  key: Text('The key of the request, or a new one'),
  opened: TrueFalse('Whether the account was opened for it'),
  duplicate: TrueFalse('Whether the request was done before and was not repeated'),
  balance: Text('Collateral of the account afterwards, available and held'),
  available: Text('Collateral that is free for new orders'),
});

/** Throws `amount_out_of_bounds`. */
function giftIn(amount: string): Micros {
  const amountMicros = amountIn('amount', amount);
  if (amountMicros <= requestMicros) return amountMicros;
  const limit = `0.000001..${MOST}`;
  throw new ApiError('amount_out_of_bounds', { field: 'amount', limit, actual: echo(amount) });
}

/** Throws `market_unknown`, `amount_off_grid` and `amount_out_of_bounds`. */
function setsIn(market: string, amount: string, registry: Registry): FaucetRequest['sets'] {
  const entry = marketIn(registry, conditionIn(registry, market));
  return { market: entry, lots: tokensIn('amount', amount) };
}

/**
 * POST /faucet: gives play money to any account (wire 1.12), which is opened if need be. Durable
 * when it is answered.
 */
export const postFaucet = defineRoute({
  method: 'POST',
  path: '/faucet',
  summary: 'Play money, or complete sets, for any account of the sandbox',
  auth: 'none',
  sandbox: true,
  givesWay: true,
  body: Body,
  response: Gift,
  needs: ['exchange', 'registry', 'settings'],
  handler: async ({ body, services }): Promise<Static<typeof Gift>> => {
    const { owner, amount = DEFAULT_AMOUNT, market, key = randomUUID() } = body;
    const address = addressIn('address', body.address);
    const amountMicros = giftIn(amount);
    const sets = market === undefined ? undefined : setsIn(market, amount, services.registry);
    const { opened, duplicate } = await give(services, {
      address,
      owner: owner === undefined ? undefined : addressIn('owner', owner),
      amountMicros,
      sets,
      key,
    });
    const { available, held } = await services.exchange.balance(address, '');
    return {
      address: toChecksumAddress(address),
      amount: microsText(amountMicros),
      ...(sets === undefined ? {} : { market: sets.market.conditionId }),
      key,
      opened,
      duplicate,
      balance: microsText(micros(available + held)),
      available: microsText(micros(available)),
    };
  },
});
