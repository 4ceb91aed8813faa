import { Type } from 'typebox';
import { ORDER_OPTIONS, ORDER_TERMS } from '../cli/options/order-options.ts';
import { resolveOptions } from '../cli/parser/resolve-options.ts';
import { orderFaults, requestOf, signedOrder } from '../cli/place-order/index.ts';
import { issueCredentials, usableNonce } from '../http/auth/issue.ts';
import { ApiError, echo } from '../http/errors/index.ts';
import { Text } from '../http/parameters/index.ts';
import { defineRoute } from '../http/services/index.ts';
import { orderDomain } from '../http/signing/order-struct.ts';
import { walletOf } from '../http/signing/wrapped-signature.ts';

/** The options of `sign-order` that a request may have, as fields of these names. */
const NAMES = [...ORDER_TERMS, 'account'] as const;

const Body = Type.Object(
  Object.fromEntries(
    NAMES.map((name) => {
      const { meaning, kind } = ORDER_OPTIONS[name];
      const description = `${meaning}; ${kind.must}`;
      const anyText = Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description });
      return [name, Type.Optional(anyText)];
    }),
  ),
  { additionalProperties: false },
);

function refusal(field: string, limit: string, actual: unknown): ApiError {
  return actual === undefined
    ? new ApiError('missing_field', { field, limit })
    : new ApiError('invalid_payload', { field, limit, actual: echo(actual) });
}

/** The options that a body sets. Throws `missing_field` and `invalid_payload`. */
function optionsIn(fields: Readonly<Record<string, unknown>>) {
  const given = NAMES.flatMap((name) => {
    const value = fields[name];
    if (value === undefined) return [];
    const { flag, kind } = ORDER_OPTIONS[name];
    if (kind.parse(`${value}`) === undefined) throw refusal(name, kind.must, value);
    return [[flag, `${value}`] as const];
  });
  const resolved = resolveOptions(ORDER_OPTIONS, { flags: new Map(given), environment: {} });
  const [fault] = orderFaults(resolved);
  if (fault === undefined) return resolved.values;
  throw refusal(fault.name, fault.must, fields[fault.name]);
}

/**
 * POST /sign-order: signs an order as a dev account, whose key is public anyway, so that a program
 * in any language can trade without code for EIP-712. It places nothing.
 */
export const postSignOrder = defineRoute({
  method: 'POST',
  path: '/sign-order',
  summary: 'Sign an order as a dev account: the request that places it',
  auth: 'none',
  sandbox: true,
  givesWay: true,
  body: Body,
  response: Type.Object({
    orderId: Text('What the order will be known by'),
    method: Type.Literal('POST'),
    path: Type.Literal('/order'),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'They authenticate the request (wire 2.4) for five minutes',
    }),
    body: Text('The body, to be sent as it is: a header signs its bytes'),
  }),
  needs: ['exchange', 'registry', 'settings', 'keyRing'],
  handler: async ({ body, request: { nowMs }, services }) => {
    const { registry, settings } = services;
    const values = optionsIn(body);
    const { account, token = '' } = values;
    const privateKey = settings.devKeys[account];
    if (privateKey === undefined) {
      const limit = `one of the ${settings.devKeys.length} dev accounts, counted from 0`;
      throw new ApiError('invalid_payload', { field: 'account', limit, actual: account });
    }
    const market = registry.token(token)?.market;
    if (market === undefined) {
      throw new ApiError('token_unknown', { field: 'token', actual: echo(token) });
    }
    const domain = orderDomain(settings.domains, market);
    if (domain === undefined) {
      throw refusal('token', 'of a kind of market for which --domains has a domain', token);
    }
    const wallet = walletOf(privateKey);
    const nonce = usableNonce(registry, wallet.address);
    const key = await issueCredentials(services, wallet.address, nonce);
    return signedOrder(requestOf(values, nowMs), { wallet, domain, nowMs }, key);
  },
});
