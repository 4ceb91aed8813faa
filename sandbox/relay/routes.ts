/** The relayer's routes, as the SDK of 2026 and the older relayer clients call them. */
import { type Static, Type } from 'typebox';
import { ApiError, echo } from '../../http/errors/index.ts';
import { OptionalText, OrNull, Text } from '../../http/parameters/index.ts';
import { definerOf, type Services } from '../../http/services/index.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { addressIn } from '../../http/views/index.ts';
import { RELAY_BOUNDS } from './bounds.ts';
import type { Relay, RelayTransaction } from './relay.ts';
import { carryOut } from './submit.ts';
import { callCount, RelaySubmission } from './transactions.ts';

/** The services of the relayer's routes. */
export interface RelayServices extends Services {
  readonly relay: Relay;
}

export const defineRelayRoute = definerOf<RelayServices>();

/** The relayer's own address, which signs nothing here. */
const RELAYER = '0x0000000000000000000000000000000000000001';

const Wallet = Type.Object({ address: Text('A wallet'), type: OptionalText('Ignored') });
const Owner = Type.Object({ address: Text("A wallet's owner"), type: OptionalText('Ignored') });

/** GET /deployed: whether a wallet is an open account. */
const deployed = defineRelayRoute({
  method: 'GET',
  path: '/deployed',
  summary: 'Whether a wallet is an open account of this exchange',
  auth: 'none',
  sandbox: true,
  query: Wallet,
  response: Type.Object({ deployed: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ query, services: { registry } }) => ({
    deployed: registry.accountOwner(addressIn('address', query.address)) !== undefined,
  }),
});

const Params = Type.Object({
  address: Text("The relayer's address"),
  nonce: Text('What the next batch of the owner must have'),
});

function paramsAt<const Path extends string>(path: Path) {
  return defineRelayRoute({
    method: 'GET',
    path,
    summary: 'What an owner needs to sign the next transaction',
    auth: 'none',
    sandbox: true,
    query: Owner,
    response: Params,
    needs: ['relay'],
    handler: ({ query, services: { relay } }): Static<typeof Params> => ({
      address: RELAYER,
      nonce: `${relay.nonceOf(addressIn('address', query.address))}`,
    }),
  });
}

const nonce = defineRelayRoute({
  method: 'GET',
  path: '/nonce',
  summary: "The nonce of an owner's next transaction",
  auth: 'none',
  sandbox: true,
  query: Owner,
  response: Type.Object({ nonce: Params.properties.nonce }),
  needs: ['relay'],
  handler: ({ query, services: { relay } }) => ({
    nonce: `${relay.nonceOf(addressIn('address', query.address))}`,
  }),
});

const State = Type.Enum(['STATE_CONFIRMED', 'STATE_FAILED']);
const Submitted = Type.Object({
  transactionID: Text('Its id'),
  transactionHash: Text('0x and 64 hex digits'),
  state: State,
});

/**
 * POST /submit: opens a wallet, or carries out its calls. The owner's signature is the proof, so no
 * key is needed; builder headers that come must be good.
 */
const submit = defineRelayRoute({
  method: 'POST',
  path: '/submit',
  summary: 'Open a wallet, or carry out calls that its owner signed',
  auth: 'may_builder',
  sandbox: true,
  givesWay: true,
  body: RelaySubmission,
  // Safe: it passed the schema.
  weight: (body) => callCount(body as RelaySubmission),
  response: Submitted,
  needs: ['exchange', 'intake', 'registry', 'settings', 'relay', 'clock'],
  handler: async ({ body, request, services }): Promise<Static<typeof Submitted>> => {
    const { relay, clock } = services;
    const outcome = await carryOut({ ...services, wallMs: request.wallMs }, body);
    const { id, hash, state } = relay.keep(outcome, clock.now());
    return { transactionID: id, transactionHash: hash, state };
  },
});

/** As older clients read it. */
const Listed = Type.Object({
  transactionID: Text('Its id'),
  transactionHash: Text('0x and 64 hex digits'),
  from: Text('The owner'),
  to: Text('The contract that the client named'),
  proxyAddress: Text('The wallet'),
  data: Text('Always empty'),
  nonce: Text('That of the request'),
  value: Text('Always empty'),
  signature: Text('That of the request'),
  state: State,
  type: Text('That of the request'),
  owner: Text('The owner'),
  metadata: Text('As it was sent'),
  errorMsg: OrNull(Type.String(), 'Why it failed'),
  createdAt: Text('ISO time'),
  updatedAt: Text('The same'),
});

function listed(one: RelayTransaction): Static<typeof Listed> {
  const { id, hash, state, fault = null, type, signature, metadata, time } = one;
  const [from, to, wallet] = [one.from, one.to, one.wallet].map(toChecksumAddress);
  return {
    ...{ transactionID: id, transactionHash: hash, from: from ?? '', to: to ?? '' },
    ...{
      proxyAddress: wallet ?? '',
      data: '',
      nonce: one.nonce,
      value: '',
      signature,
      state,
      type,
    },
    ...{ owner: from ?? '', metadata, errorMsg: fault, createdAt: time, updatedAt: time },
  };
}

/** Throws `transaction_unknown`. */
function transactionIn(relay: Relay, id: string): RelayTransaction {
  const found = relay.transaction(id);
  if (found !== undefined) return found;
  throw new ApiError('transaction_unknown', { field: 'id', actual: echo(id) });
}

const transaction = defineRelayRoute({
  method: 'GET',
  path: '/transaction',
  summary: 'A transaction of the relayer, in a list of one',
  auth: 'none',
  sandbox: true,
  query: Type.Object({ id: Text('Its id') }),
  response: Type.Array(Listed),
  sharedSchemas: { RelayTransaction: Listed },
  needs: ['relay'],
  handler: ({ query, services: { relay } }) => [listed(transactionIn(relay, query.id))],
});

const KEY_ADDRESS = 'relayer_api_key_address';

const transactions = defineRelayRoute({
  method: 'GET',
  path: '/transactions',
  summary: 'The last transactions of an owner: of the builder key, or of RELAYER_API_KEY_ADDRESS',
  auth: 'may_builder',
  sandbox: true,
  readsHeaders: [KEY_ADDRESS],
  response: Type.Array(Listed, { maxItems: RELAY_BOUNDS.transactionsPerList }),
  sharedSchemas: { RelayTransaction: Listed },
  needs: ['relay'],
  handler: ({ caller, request, services: { relay } }) => {
    const named = request.headers[KEY_ADDRESS] ?? '';
    const owner = caller?.owner ?? addressIn('RELAYER_API_KEY_ADDRESS', named);
    return relay.transactionsOf(owner).map(listed);
  },
});

/** GET /v1/account/transactions/{id}: what the SDK polls until its state is final. */
const accountTransaction = defineRelayRoute({
  method: 'GET',
  path: '/v1/account/transactions/{id}',
  summary: 'A transaction of the relayer',
  auth: 'none',
  sandbox: true,
  params: Type.Object({ id: Text('Its id') }),
  response: Type.Object({
    transaction_id: Text('Its id'),
    transaction_hash: Text('0x and 64 hex digits'),
    state: State,
    error_msg: OrNull(Type.String(), 'Why it failed'),
    type: Text('That of the request'),
    created_at: Text('ISO time'),
    updated_at: Text('The same'),
  }),
  needs: ['relay'],
  handler: ({ params, services: { relay } }) => {
    const { id, hash, state, fault = null, type, time } = transactionIn(relay, params.id);
    return {
      ...{ transaction_id: id, transaction_hash: hash, state, error_msg: fault, type },
      ...{ created_at: time, updated_at: time },
    };
  },
});

export const RELAY_ROUTES = [
  deployed,
  nonce,
  paramsAt('/relay-payload'),
  paramsAt('/v1/account/transactions/params'),
  submit,
  transaction,
  transactions,
  accountTransaction,
] as const;
