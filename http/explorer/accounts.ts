/** GET /explorer/accounts/{address}: what an account has, and whose it is. */
import { Type } from 'typebox';
import { KEY_PURPOSES, lots } from '../../engine/model/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { halfTicksText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { type MarketTexts, textFinder } from '../format/index.ts';
import { Text } from '../parameters/index.ts';
import { defineRoute, type Services } from '../services/index.ts';
import { addressIn, type Registry } from '../views/index.ts';
import { Cash, halfMicrosCash, shownAs } from './amounts.ts';
import { formatOrderState } from './orders.ts';
import { ExplorerAccount, ExplorerKey, ExplorerPosition } from './schemas.ts';

const CASH = Type.Object({ ...Cash('available'), ...Cash('held') });

type TextsOf = (conditionId: string) => MarketTexts;

/**
 * The answer shows the tokens that the tables have, and how many of them are held by orders at the
 * time of the read of its cash, which is later: a fill between the two may make the parts differ.
 */
async function holdingsOf(
  { exchange }: Pick<Services, 'exchange'>,
  address: string,
  textsOf: TextsOf,
) {
  const explored = await exchange.explorer.ask('exploredAccount', address);
  const held = explored?.positions ?? [];
  const [cash, tokens] = await exchange.read((state) => [
    state.balance(address, ''),
    held.map(({ tokenId }) => state.balance(address, tokenId)),
  ]);
  const positions = held.map((position, index) => {
    const { conditionId, tokenId, outcome, halfTicks } = position;
    const balance = tokens[index] ?? { available: 0, held: 0 };
    const total = lots(balance.available + balance.held);
    const texts = textsOf(conditionId);
    return shownAs(ExplorerPosition, {
      ...{ conditionId, tokenId, outcome, outcomeLabel: texts.outcomes[outcome] },
      ...{ question: texts.question, availableLots: balance.available, heldLots: balance.held },
      price: halfTicksText(halfTicks),
      valueCash: halfMicrosCash(BigInt(total) * BigInt(halfTicks)),
    });
  });
  return {
    opened_seq: explored?.openedSeq ?? null,
    ...shownAs(CASH, { availableMicros: cash?.available ?? 0, heldMicros: cash?.held ?? 0 }),
    positions,
    has_more_positions: explored?.more ?? false,
  };
}

/** The engine bounds the valid keys of an owner. Revoked ones are in its commands. */
function validKeysOf(registry: Registry, owner: string) {
  return KEY_PURPOSES.flatMap((purpose) => [...registry.keysOf(owner, purpose)])
    .filter(({ revokedMs }) => revokedMs === undefined)
    .map((key) => shownAs(ExplorerKey, key));
}

export const getExplorerAccount = defineRoute({
  method: 'GET',
  path: '/explorer/accounts/{address}',
  summary: 'Balances, positions and open orders of any account, its owner and its keys',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ address: Text('An account, or an owner') }),
  response: ExplorerAccount,
  needs: ['exchange', 'registry'],
  handler: async ({ params, services }): Promise<ExplorerAccount> => {
    const { exchange, registry } = services;
    const address = addressIn('address', params.address);
    const owner = registry.accountOwner(address) ?? address;
    const accounts = registry.accountsOf(owner);
    const keys = validKeysOf(registry, owner);
    const isKnown = accounts.length > 0 || keys.length > 0 || registry.standingOf(owner) !== 'good';
    if (!isKnown) throw new ApiError('account_unknown', { field: 'address', actual: address });
    const textsOf = textFinder(exchange.catalog.lookup);
    const limit = READ_BOUNDS.ordersPerPage;
    const holdings = await holdingsOf(services, address, textsOf);
    const page = await exchange.reader.liveOrders({ owner, offset: 0, limit });
    const isAccount = accounts.some((one) => one.address === address);
    const orders = page.records.filter((order) => !isAccount || order.account === address);
    return {
      address,
      owner,
      wallet: accounts.find((one) => one.address === address)?.wallet ?? null,
      standing: registry.standingOf(owner),
      ...holdings,
      open_orders: orders.map((order) =>
        formatOrderState(order, textsOf(order.conditionId).outcomes),
      ),
      has_more_orders: page.more,
      accounts: accounts
        .slice(0, READ_BOUNDS.accountsPerPage)
        .map((one) => ({ address: one.address, wallet: one.wallet })),
      has_more_accounts: accounts.length > READ_BOUNDS.accountsPerPage,
      keys,
    };
  },
});
