/** Calls of the published client about its keys, balances, notifications and rewards. */
import { AssetType, Chain, Side } from '@polymarket/clob-client-v2';
import { type Call, place } from './stage.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CREDENTIALS = { secret: /^[\w-]{43}=$/, passphrase: /^[0-9a-f]{64}$/ };
const L1_CREATE = 'POST /auth/api-key';
const L1_DERIVE = 'GET /auth/derive-api-key';

const keys: readonly Call[] = [
  {
    method: 'createApiKey',
    routes: [L1_CREATE],
    run: async (t, { clientOf, alice }) => {
      const client = clientOf(alice);
      const created = await client.createApiKey(7);
      t.match(created, { key: UUID, ...CREDENTIALS });
      t.strictSame(await client.createApiKey(7), created, 'the same nonce gives the same key');
      t.not(created.key, alice.credentials.key);
    },
  },
  {
    method: 'deriveApiKey',
    routes: [L1_DERIVE],
    run: async (t, { clientOf, alice }) => {
      t.strictSame(await clientOf(alice).deriveApiKey(), alice.credentials);
      t.equal((await clientOf(alice).deriveApiKey(99)).key, undefined, 'never issued');
    },
  },
  {
    method: 'createOrDeriveApiKey',
    routes: [L1_CREATE],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).createOrDeriveApiKey(), alice.credentials),
  },
  {
    method: 'getApiKeys',
    routes: ['GET /auth/api-keys'],
    run: async (t, { clientOf, bob }) =>
      t.strictSame(await clientOf(bob).getApiKeys(), { apiKeys: [bob.credentials.key] }),
  },
  {
    method: 'getClosedOnlyMode',
    routes: ['GET /auth/ban-status/closed-only'],
    run: async (t, { clientOf, alice }) =>
      t.match(await clientOf(alice).getClosedOnlyMode(), { closed_only: false }),
  },
  {
    method: 'deleteApiKey',
    routes: ['DELETE /auth/api-key'],
    besides: [L1_CREATE, 'GET /auth/api-keys'],
    run: async (t, stage) => {
      const { client } = await stage.newTrader('Carol', Chain.POLYGON);
      t.strictSame(await client.deleteApiKey(), { revoked: true });
      t.match(await client.getApiKeys(), { status: 401 }, 'revoked at once');
    },
  },
];

const readOnlyKeys: readonly Call[] = [
  {
    method: 'createReadonlyApiKey',
    routes: ['POST /auth/readonly-api-key'],
    besides: ['GET /data/orders', 'DELETE /cancel-all'],
    run: async (t, { clientOf, alice, recorder }) => {
      const created: unknown = await clientOf(alice).createReadonlyApiKey();
      t.match(created, { apiKey: UUID, ...CREDENTIALS });
      // Safe: matched above; the client's type leaves out secret and passphrase.
      const { apiKey: key, secret, passphrase } = created as Record<string, string>;
      const reader = alice.clientAt(recorder.url, {
        key: key ?? '',
        secret: secret ?? '',
        passphrase: passphrase ?? '',
      });
      t.ok((await reader.getOpenOrders()).length > 0, 'it may read');
      t.match(await reader.cancelAll(), { code: 'read_only_key', status: 403 }, 'nothing else');
    },
  },
  {
    method: 'getReadonlyApiKeys',
    routes: ['GET /auth/readonly-api-keys'],
    run: async (t, { clientOf, alice }) =>
      t.match(await clientOf(alice).getReadonlyApiKeys(), [UUID]),
  },
  {
    method: 'deleteReadonlyApiKey',
    routes: ['DELETE /auth/readonly-api-key'],
    besides: ['GET /auth/readonly-api-keys'],
    run: async (t, { clientOf, alice }) => {
      const client = clientOf(alice);
      const [key = ''] = await client.getReadonlyApiKeys();
      t.match(await client.deleteReadonlyApiKey(key), { deleted: true });
      t.strictSame(await client.getReadonlyApiKeys(), []);
    },
  },
];

const builderKeys: readonly Call[] = [
  {
    method: 'createBuilderApiKey',
    routes: ['POST /auth/builder-api-key'],
    run: async (t, { clientOf, alice }) =>
      t.match(await clientOf(alice).createBuilderApiKey(), { key: UUID, ...CREDENTIALS }),
  },
  {
    method: 'getBuilderApiKeys',
    routes: ['GET /auth/builder-api-key'],
    run: async (t, { clientOf, alice }) => {
      const found = await clientOf(alice).getBuilderApiKeys();
      t.match(found, [{ key: UUID, createdAt: /Z$/, revokedAt: null }]);
    },
  },
  {
    method: 'revokeBuilderApiKey',
    routes: ['DELETE /auth/builder-api-key'],
    besides: ['GET /auth/builder-api-key'],
    run: async (t, { clientOf, alice }) => {
      const client = clientOf(alice);
      t.strictSame(await client.revokeBuilderApiKey(), { revoked: true });
      t.match(await client.getBuilderApiKeys(), [{ revokedAt: /Z$/ }]);
    },
  },
];

const balances: readonly Call[] = [
  {
    method: 'getBalanceAllowance',
    routes: ['GET /balance-allowance'],
    run: async (t, { clientOf, alice, yes }) => {
      const client = clientOf(alice);
      const cash = await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL });
      // 10,000 minus 80 for 200 YES, plus 5.5 for the 10 that were sold.
      t.equal(cash.balance, '9925500000');
      t.ok(Object.keys(cash.allowances).length > 0);
      const conditional = { asset_type: AssetType.CONDITIONAL, token_id: yes };
      t.match(await client.getBalanceAllowance(conditional), { balance: '190000000' });
    },
  },
  {
    method: 'updateBalanceAllowance',
    routes: ['GET /balance-allowance/update'],
    run: async (t, { clientOf, alice }) => {
      const asset_type = AssetType.COLLATERAL;
      t.match(await clientOf(alice).updateBalanceAllowance({ asset_type }), { balance: /^\d+$/ });
    },
  },
];

const notifications: readonly Call[] = [
  {
    method: 'getNotifications',
    routes: ['GET /notifications'],
    run: async (t, { clientOf, alice, yes }) => {
      const found = await clientOf(alice).getNotifications();
      const fill = found.find(({ payload }) => payload.matched_size === '10');
      t.match(fill, {
        type: 2,
        owner: alice.credentials.key,
        payload: { asset_id: yes, side: 'SELL', price: '0.55', outcome: 'Yes' },
      });
    },
  },
  {
    method: 'dropNotifications',
    routes: ['DELETE /notifications'],
    besides: ['GET /notifications'],
    run: async (t, { clientOf, alice }) => {
      const client = clientOf(alice);
      // Safe: the client's type leaves out the id, by which notifications are dropped.
      const [first, ...rest] = (await client.getNotifications()) as unknown as { id: number }[];
      t.ok(first, 'there is one');
      await client.dropNotifications({ ids: [String(first?.id)] });
      const left = (await client.getNotifications()) as unknown as { id: number }[]; // as above
      t.strictSame(
        left.map(({ id }) => id),
        rest.map(({ id }) => id),
      );
    },
  },
];

const heartbeat: readonly Call[] = [
  {
    method: 'postHeartbeat',
    routes: ['POST /v1/heartbeats'],
    besides: [L1_CREATE, 'GET /tick-size', 'GET /version', 'GET /neg-risk', 'POST /order'],
    run: async (t, { newTrader, yes }) => {
      const { client } = await newTrader('Dora', Chain.AMOY);
      await place(client, yes, { side: Side.BUY, price: 0.1, size: 5 });
      const first = await client.postHeartbeat();
      t.match(first, { heartbeat_id: UUID });
      t.match(await client.postHeartbeat(first.heartbeat_id), { heartbeat_id: UUID });
      const wrong = await client.postHeartbeat('00000000-0000-4000-8000-000000000009');
      t.match(wrong, { heartbeat_id: UUID, error: 'Invalid Heartbeat ID', status: 400 });
    },
  },
];

const DAY = '2026-06-03';

const rewards: readonly Call[] = [
  {
    method: 'getEarningsForUserForDay',
    routes: ['GET /rewards/user'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getEarningsForUserForDay(DAY), []),
  },
  {
    method: 'getTotalEarningsForUserForDay',
    routes: ['GET /rewards/user/total'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getTotalEarningsForUserForDay(DAY), []),
  },
  {
    method: 'getUserEarningsAndMarketsConfig',
    routes: ['GET /rewards/user/markets'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getUserEarningsAndMarketsConfig(DAY), []),
  },
  {
    method: 'getRewardPercentages',
    routes: ['GET /rewards/user/percentages'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getRewardPercentages(), {}),
  },
];

export const ACCOUNT_CALLS: readonly Call[] = [
  ...keys,
  ...readOnlyKeys,
  ...builderKeys,
  ...balances,
  ...notifications,
  ...heartbeat,
  ...rewards,
];
