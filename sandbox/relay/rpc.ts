/**
 * POST /rpc: the JSON-RPC of a chain, as far as clients ask it about wallets and tokens and send it
 * the calls that the relayer carries out. There is no chain: balances are those of open accounts,
 * without what live orders hold, because that is what a transaction can move. Approvals are
 * unlimited.
 */
import { type Static, Type } from 'typebox';
import { MICRO_TOKENS_PER_LOT } from '../../engine/model/index.ts';
import { ANY_BODY } from '../../http/api/index.ts';
import { echo, sentenceOf, toApiError } from '../../http/errors/index.ts';
import { parseAddress } from '../../http/signing/address.ts';
import { bytesToHex, hexToBytes } from '../../http/signing/hash.ts';
import { recoverAddress } from '../../http/signing/recover.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { parseWrappedSignature, typedDataSignHash } from '../../http/signing/wrapped-signature.ts';
import type { AppliedState } from '../../persistence/index.ts';
import { addressOf, addressWord, arrayOf, bySelector, callOf, uintOf, uintWord } from './abi.ts';
import { RELAY_BOUNDS } from './bounds.ts';
import { defineRelayRoute, type RelayServices } from './routes.ts';
import { carryOutRaw, type Parts as SubmitParts } from './submit.ts';

type Parts = SubmitParts & Pick<RelayServices, 'clock'>;

/** A failure of one request; the codes are those of JSON-RPC, and 3 is a call that reverts. */
class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const REVERTED = 3;

function misses(what: string, value: unknown): RpcFault {
  return new RpcFault(INVALID_PARAMS, `${what}, not ${JSON.stringify(echo(value))}`);
}

/** A call of a contract that reads: the state, the contract, and the words. */
interface View {
  readonly parts: Parts;
  readonly state: AppliedState;
  readonly to: string;
  readonly words: readonly string[];
}

function balanceOf({ state }: View, account: string, tokenId: string): number {
  const available = state.balance(account, tokenId)?.available ?? 0;
  return tokenId === '' ? available : available * MICRO_TOKENS_PER_LOT;
}

/** The account of a word. */
function accountAt(words: readonly string[], index: number): string {
  const account = addressOf(words[index]);
  if (account !== undefined) return account;
  throw misses(`argument ${index} must be an address`, words[index]);
}

function balances(view: View): string {
  const [accounts = [], ids = []] = [arrayOf(view.words, 0), arrayOf(view.words, 1)];
  const most = RELAY_BOUNDS.rpcBalances;
  if (accounts.length !== ids.length || ids.length > most) {
    const asked = `${accounts.length} and ${ids.length}`;
    throw misses(`balanceOfBatch takes two lists of one length, up to ${most}`, asked);
  }
  const found = ids.map((id, index) =>
    uintWord(balanceOf(view, accountAt(accounts, index), `${uintOf(id)}`)),
  );
  return [uintWord(32), uintWord(found.length), ...found].join('');
}

const GOOD_SIGNATURE = '1626ba7e'.padEnd(64, '0');
const WRONG_SIGNATURE = 'ffffffff'.padEnd(64, '0');

/** ERC-1271: whether the owner of a wallet signed a hash, or an order wrapped for the wallet. */
function signatureCheck({ parts: { registry, settings }, to, words }: View): string {
  const owner = registry.accountOwner(to);
  const [hash = '', place = '', length = '0', ...rest] = words;
  const bytes = Number(uintOf(length));
  const signature = hexToBytes(rest.join('').slice(0, 2 * bytes)) ?? new Uint8Array();
  if (owner === undefined || uintOf(place || '0') !== 64n) return WRONG_SIGNATURE;
  const digest = Buffer.from(hash, 'hex');
  if (recoverAddress(digest, signature) === owner) return GOOD_SIGNATURE;
  const wrapped = parseWrappedSignature(bytesToHex(signature));
  if (wrapped === undefined) return WRONG_SIGNATURE;
  const separator = hexToBytes(wrapped.separator) ?? new Uint8Array();
  const contents = hexToBytes(wrapped.contentsHash) ?? new Uint8Array();
  // Before the recovery, which costs most.
  if (!digest.equals(typedDataDigest(separator, contents))) return WRONG_SIGNATURE;
  const isOwners = settings.chainIds.some((chainId) => {
    const nested = typedDataDigest(separator, typedDataSignHash(contents, chainId, to));
    return recoverAddress(nested, wrapped.inner) === owner;
  });
  return isOwners ? GOOD_SIGNATURE : WRONG_SIGNATURE;
}

const UNLIMITED = uintWord(2n ** 256n - 1n);

const VIEWS: ReadonlyMap<string, (view: View) => string> = bySelector({
  'BEACON()': ({ parts: { settings }, to }: View) => {
    const found = settings.wallets.find(({ factory, beacon }) => factory === to && beacon !== null);
    return addressWord(found?.beacon ?? '0x');
  },
  'decimals()': () => uintWord(6),
  'allowance(address,address)': () => UNLIMITED,
  'isApprovedForAll(address,address)': () => uintWord(1),
  'balanceOf(address)': (view: View) => uintWord(balanceOf(view, accountAt(view.words, 0), '')),
  'balanceOf(address,uint256)': (view: View) => {
    const id = uintOf(view.words[1] ?? '0');
    return uintWord(balanceOf(view, accountAt(view.words, 0), `${id}`));
  },
  'balanceOfBatch(address[],uint256[])': balances,
  'isValidSignature(bytes32,bytes)': signatureCheck,
});

function addressParam(value: unknown, name: string): string {
  const parsed = typeof value === 'string' ? parseAddress(value) : undefined;
  if (parsed?.ok) return parsed.address;
  throw misses(`${name} must be an address`, value);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Safe: any object has texts as its keys.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function ethCall(parts: Parts, [params]: readonly unknown[]): Promise<string> {
  const { to, data, input = data } = recordOf(params);
  const contract = addressParam(to, 'params[0].to');
  const call = typeof input === 'string' ? callOf(input) : undefined;
  const view = call && VIEWS.get(call.selector);
  if (call === undefined) throw misses('params[0].data must be a call', input);
  if (view === undefined) {
    const message = `execution reverted: the sandbox has no function ${call.selector}`;
    throw new RpcFault(REVERTED, message);
  }
  return parts.exchange.read(
    (state) => `0x${view({ parts, state, to: contract, words: call.words })}`,
  );
}

/** Code that no one can run: the opcode INVALID. */
const SOME_CODE = '0xfe';

/** Wallets and exchanges have code; owners and all other addresses have none. */
function codeAt({ registry, settings }: Parts, [address]: readonly unknown[]): string {
  const asked = addressParam(address, 'params[0]');
  const owner = registry.accountOwner(asked);
  const isContract = settings.domains.some(({ contract }) => contract === asked);
  return isContract || (owner !== undefined && owner !== asked) ? SOME_CODE : '0x';
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

const BLOCK_MS = 2_000;

const NO_HASH = `0x${'0'.repeat(64)}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;

function blockNumber({ clock }: Parts): string {
  return quantity(Math.floor(clock.now() / BLOCK_MS));
}

/** The newest block, which answers a request for any block: clients read its fee, which is zero. */
function newestBlock(parts: Parts): object {
  const timestamp = quantity(Math.floor(parts.clock.now() / 1_000));
  const number = blockNumber(parts);
  return { number, hash: NO_HASH, timestamp, baseFeePerGas: '0x0', transactions: [] };
}

async function sendRaw(parts: Parts, [text]: readonly unknown[]): Promise<string> {
  return parts.relay.keep(await carryOutRaw(parts, text), parts.clock.now()).hash;
}

function receiptOf(parts: Parts, [hash]: readonly unknown[]): object | null {
  const found = typeof hash === 'string' ? parts.relay.withHash(hash) : undefined;
  if (found === undefined || found.hash !== hash) return null;
  const { from, to, fault } = found;
  return {
    ...{ transactionHash: hash, transactionIndex: '0x0', type: '0x2', from, to },
    ...{ blockHash: NO_HASH, blockNumber: blockNumber(parts), contractAddress: null, logs: [] },
    ...{ logsBloom: NO_BLOOM, cumulativeGasUsed: '0x0', gasUsed: '0x0', effectiveGasPrice: '0x0' },
    status: fault === undefined ? '0x1' : '0x0',
  };
}

function nextNonce({ relay }: Parts, [address]: readonly unknown[]): string {
  return `0x${relay.nonceOf(addressParam(address, 'params[0]')).toString(16)}`;
}

const SEND = 'eth_sendRawTransaction';

type Result = string | object | null;
type Method = (parts: Parts, params: readonly unknown[]) => Result | Promise<Result>;
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['eth_chainId', ({ settings }) => quantity(settings.chainIds[0] ?? 0)],
  ['eth_blockNumber', blockNumber],
  ['eth_getBlockByNumber', newestBlock],
  ['eth_getTransactionCount', nextNonce],
  [SEND, sendRaw],
  ['eth_getTransactionReceipt', receiptOf],
  ['eth_maxPriorityFeePerGas', () => '0x0'],
  ['eth_gasPrice', () => '0x0'],
  ['eth_call', ethCall],
  ['eth_getCode', codeAt],
  // Nothing costs gas; clients sign the number.
  ['eth_estimateGas', () => quantity(100_000)],
]);

const Id = Type.Any({ description: 'That of the request; null where it has none' });
const Reply = Type.Object({
  jsonrpc: Type.String(),
  id: Id,
  result: Type.Optional(Type.Any({ description: '0x and hex digits; a block or a receipt' })),
  error: Type.Optional(
    Type.Object({ code: Type.Integer(), message: Type.String() }, { description: 'Why it failed' }),
  ),
});
type Reply = Static<typeof Reply>;

async function answer(parts: Parts, request: unknown, isListed: boolean): Promise<Reply> {
  const { jsonrpc, id: given, method, params = [] } = recordOf(request);
  const id = typeof given === 'string' || typeof given === 'number' ? given : null;
  const head = { jsonrpc: '2.0', id };
  try {
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !Array.isArray(params)) {
      const message = 'a request has jsonrpc "2.0", a method and a list of params';
      throw new RpcFault(INVALID_REQUEST, message);
    }
    if (isListed && method === SEND) {
      // So that the limits of requests bound the moves, too.
      throw new RpcFault(INVALID_REQUEST, `${SEND} must be sent alone, not in a list`);
    }
    const found = METHODS.get(method);
    if (found !== undefined) return { ...head, result: await found(parts, params) };
    const known = [...METHODS.keys()].join(', ');
    const message = `the sandbox has no method ${echo(method)}; it has ${known}`;
    throw new RpcFault(UNKNOWN_METHOD, message);
  } catch (failure) {
    if (failure instanceof RpcFault) {
      return { ...head, error: { code: failure.code, message: failure.message } };
    }
    const refusal = toApiError(failure);
    if (refusal === undefined) throw failure;
    const message = `${sentenceOf(refusal, 'polymarket')} (${refusal.code})`;
    return { ...head, error: { code: REVERTED, message } };
  }
}

const Request = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Id,
  method: Type.Enum([...METHODS.keys()]),
  params: Type.Array(Type.Any()),
});

export const postRpc = defineRelayRoute({
  method: 'POST',
  path: '/rpc',
  summary: 'The JSON-RPC of a chain: balances, wallets, transactions; one request or a list',
  auth: 'none',
  sandbox: true,
  body: ANY_BODY,
  documentedBody: Type.Union([
    Request,
    Type.Array(Request, { minItems: 1, maxItems: RELAY_BOUNDS.rpcRequests }),
  ]),
  response: Type.Union([Reply, Type.Array(Reply)]),
  sharedSchemas: { RpcRequest: Request },
  needs: ['exchange', 'intake', 'registry', 'settings', 'relay', 'clock'],
  handler: async ({ body, request, services }): Promise<Reply | readonly Reply[]> => {
    const parts = { ...services, wallMs: request.wallMs };
    if (!Array.isArray(body)) return answer(parts, body, false);
    const most = RELAY_BOUNDS.rpcRequests;
    if (body.length > 0 && body.length <= most) {
      return Promise.all(body.map((one) => answer(parts, one, true)));
    }
    const message = `a list has 1 to ${most} requests, not ${body.length}`;
    return { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } };
  },
});
