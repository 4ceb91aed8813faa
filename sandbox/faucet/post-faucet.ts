import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { micros } from '../../engine/model/index.ts';
import { isoTime, microsText } from '../../http/codec/index.ts';
import { ApiError } from '../../http/errors/index.ts';
import { conditionIn } from '../../http/format/index.ts';
import { OptionalText, Text, TrueFalse } from '../../http/parameters/index.ts';
import { defineRoute } from '../../http/services/index.ts';
import type { FaucetMode } from '../../http/settings/settings.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { addressIn, marketIn, type Registry, tokensIn } from '../../http/views/index.ts';
import { FAUCET_BOUNDS, giftIn, MOST } from './bounds.ts';
import { type FaucetRequest, give } from './give.ts';

const { keyChars } = FAUCET_BOUNDS;

const Body = Type.Object({
  address: Text('The account that gets it'),
  owner: OptionalText(
    'The owner, where `address` is a proxy wallet or Safe that is not open yet; by default the ' +
      'account opens as the externally owned address itself',
  ),
  amount: OptionalText(
    `Collateral, a decimal up to ${MOST}; with market, complete sets in steps of 0.01; ` +
      'by default, and with `--faucet once` or `daily` at most, `--faucet-amount`',
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

/** Such as 2026-11-29. */
const DAY_CHARS = 10;

interface KeyParts {
  readonly owner: string;
  readonly address: string;
  /** The idempotency key of the request. */
  readonly key: string;
  readonly day: string;
}

/** Which requests are the same gift. */
const KEYS: Readonly<Record<Exclude<FaucetMode, 'off'>, (parts: KeyParts) => string>> = {
  open: ({ address, key }) => `faucet:${address}:${key}`,
  once: ({ owner }) => `faucet-once:${owner}`,
  daily: ({ owner, day }) => `faucet-day:${owner}:${day}`,
};

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
  handler: async ({ body, request: { nowMs }, services }): Promise<Static<typeof Gift>> => {
    const { registry, settings } = services;
    const { faucet, faucetMicros } = settings;
    if (faucet === 'off') throw new ApiError('faucet_closed');
    const { amount, market, key = randomUUID() } = body;
    const address = addressIn('address', body.address);
    const given = body.owner === undefined ? undefined : addressIn('owner', body.owner);
    const most = faucet === 'open' ? undefined : micros(faucetMicros);
    const amountMicros = amount === undefined ? micros(faucetMicros) : giftIn(amount, most);
    const owner = registry.accountOwner(address) ?? given ?? address;
    const amountText = amount ?? microsText(micros(faucetMicros));
    const sets = market === undefined ? undefined : setsIn(market, amountText, registry);
    const { opened, duplicate } = await give(services, {
      ...{ address, owner: given, amountMicros, sets, reason: 'faucet' },
      key: KEYS[faucet]({ owner, address, key, day: isoTime(nowMs).slice(0, DAY_CHARS) }),
    }).catch((failure: unknown) => {
      const isReused = failure instanceof ApiError && failure.code === 'money_key_reused';
      if (!isReused || faucet === 'open') throw failure;
      throw new ApiError('faucet_spent', { field: 'address', limit: faucet, actual: owner });
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
