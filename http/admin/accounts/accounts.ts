import { type Static, Type } from 'typebox';
import { micros, STANDINGS, type Standing, WALLET_KINDS } from '../../../engine/model/index.ts';
import type { BalanceView } from '../../../persistence/index.ts';
import { paperOf } from '../../auth/issue.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { microsText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OrNull, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { type AccountEntry, addressIn, type Registry } from '../../views/index.ts';
import { actionRoute } from '../shared/action-route.ts';

export const WalletKindSchema = Type.Enum([...WALLET_KINDS]);

/** POST /accounts: binds an address to its owner permanently. */
export const postAccounts = actionRoute({
  path: '/accounts',
  summary: 'Open an account',
  body: {
    address: Text("The account: the owner's address or a wallet's"),
    owner: Text('The externally owned address that signs'),
    wallet: WalletKindSchema,
  },
  response: { address: Type.String(), owner: Type.String() },
  needs: ['settings'],
  commandOf: ({ body, services }) => ({
    kind: 'open_account',
    address: addressIn('address', body.address),
    owner: addressIn('owner', body.owner),
    wallet: body.wallet,
    paperMicros: paperOf(services.settings),
    byOperator: true,
  }),
  answerOf: ({ address, owner }) => ({ address, owner }),
});

function Cash(description: string) {
  return Text(`Collateral: ${description}`);
}

const Account = Type.Object({
  address: Type.String(),
  owner: Type.String(),
  wallet: WalletKindSchema,
  balance: Cash('available and held'),
  available: Cash('not held by orders'),
  held: Cash('held by live orders'),
});

function formatAccount(
  { address, owner, wallet }: AccountEntry,
  cash: BalanceView,
): Static<typeof Account> {
  const [available, held] = [micros(cash.available), micros(cash.held)];
  return {
    address,
    owner,
    wallet,
    balance: microsText(micros(available + held)),
    available: microsText(available),
    held: microsText(held),
  };
}

interface AccountSearch {
  readonly search?: string;
  readonly standing?: Standing;
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of the accounts that fit, and where the next page begins: also behind the last one that
 * was looked at, so that a rare one is found in several short requests.
 */
function findAccounts(
  registry: Pick<Registry, 'accounts' | 'standingOf'>,
  { search = '', standing, offset, limit }: AccountSearch,
): { readonly found: readonly AccountEntry[]; readonly next_offset: number | null } {
  const { accounts } = registry;
  const beginning = search.toLowerCase();
  const fits = ({ address, owner }: AccountEntry): boolean =>
    (address.startsWith(beginning) || owner.startsWith(beginning)) &&
    (standing === undefined || registry.standingOf(owner) === standing);
  const last = Math.min(accounts.length, offset + READ_BOUNDS.searchedAccounts);
  const found: AccountEntry[] = [];
  let next = offset;
  for (; next < last && found.length < limit; next += 1) {
    const account = accounts[next];
    if (account !== undefined && fits(account)) found.push(account);
  }
  return { found, next_offset: next < accounts.length ? next : null };
}

/**
 * GET /accounts: all accounts, or those that fit, in the order in which they were opened. The
 * answer waits until the cash that it shows is durable.
 */
export const getAccounts = defineRoute({
  method: 'GET',
  path: '/accounts',
  summary: 'All accounts with their owners, standings and cash',
  auth: 'operator',
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{0,40}$',
        description: 'How the address of the account or that of its owner begins',
      }),
    ),
    standing: Type.Optional(Type.Enum([...STANDINGS], { description: 'That of the owner' })),
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.accountsPerPage, default: 100 }),
  }),
  response: Type.Object({
    data: Type.Array(Type.Object({ ...Account.properties, standing: Type.Enum([...STANDINGS]) })),
    next_offset: OrNull(
      Type.Integer(),
      '`offset` of the next page; null for none. A page of a search may be short, or empty',
    ),
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ query, services: { exchange, registry } }) => {
    const { found: accounts, next_offset } = findAccounts(registry, query);
    const cash = await exchange.read((state) =>
      accounts.map(({ address }) => state.balance(address, '')),
    );
    const data = accounts.map((account, index) => ({
      // Safe: there is one balance for each account.
      ...formatAccount(account, cash[index] as BalanceView),
      standing: registry.standingOf(account.owner),
    }));
    return { data, next_offset };
  },
});

/**
 * GET /accounts/{address}: the owner and the cash of an account, also of the account that collects
 * fees. The answer waits until the cash that it shows is durable.
 */
export const getAccount = defineRoute({
  method: 'GET',
  path: '/accounts/{address}',
  summary: 'The owner and the cash of an account',
  auth: 'operator',
  params: Type.Object({ address: Type.String() }),
  response: Account,
  needs: ['exchange', 'registry'],
  handler: async ({ params, services: { exchange, registry } }) => {
    const address = addressIn('address', params.address);
    const owner = registry.accountOwner(address) ?? '';
    const account = registry.accountsOf(owner).find((one) => one.address === address);
    if (account === undefined) {
      throw new ApiError('account_unknown', { field: 'address', actual: address });
    }
    return formatAccount(account, await exchange.balance(address, ''));
  },
});
