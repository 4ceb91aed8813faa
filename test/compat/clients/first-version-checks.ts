/** Every method of the first version of the client, and what it does here. */

import { BuilderConfig } from '@polymarket/builder-signing-sdk';
import { ClobClient, OrderType, Side } from '@polymarket/clob-client';
import { CALLS } from '../calls.ts';
import { SILENT_CALLS } from '../silent-calls.ts';
import type { Stage } from '../stage.ts';
import type { Check } from './checks.ts';
import { asFirst } from './first-version.ts';

type FirstCheck = Check<Stage>;

/** Methods of the second version only. */
const NEWER: readonly string[] = [
  'createExchangeV3OrderFromAmounts',
  'getClobMarketInfo',
  'getFeeExponent',
  'getPreMigrationOrders',
  'getVersion',
];

function farBid(tokenID: string) {
  return { tokenID, side: Side.BUY, price: 0.02, size: 10 };
}

function clientOf({ clientOf, bob }: Stage): ClobClient {
  return asFirst(clientOf(bob));
}

/** A client whose requests carry builder headers too. */
async function builderClient(stage: Stage): Promise<ClobClient> {
  const { host, chainId, signer, creds } = clientOf(stage);
  const localBuilderCreds = await clientOf(stage).createBuilderApiKey();
  const builderConfig = new BuilderConfig({ localBuilderCreds });
  const rest = [undefined, undefined, undefined, undefined, builderConfig] as const;
  return new ClobClient(host, chainId, signer, creds, ...rest);
}

/** The same calls as those of the second version, with arguments in the order of the first. */
const own: readonly FirstCheck[] = [
  {
    name: 'postOrder',
    can: true,
    note: '',
    run: async (t, stage) => {
      const client = clientOf(stage);
      const order = await client.createOrder(farBid(stage.yes));
      t.match(order, { feeRateBps: '0', nonce: '0', taker: /^0x0+$/ }, 'the 12 fields');
      t.match(await client.postOrder(order), { success: true, status: 'live' });
      t.match(await client.postOrder(order), { success: true, duplicate: true });
    },
  },
  {
    name: 'createAndPostOrder',
    can: true,
    note: '',
    run: async (t, stage) => {
      const client = clientOf(stage);
      const expiration = Math.floor(Date.now() / 1000) + 3600;
      const bid = { ...farBid(stage.yes), expiration };
      t.match(await client.createAndPostOrder(bid, {}, OrderType.GTD), { status: 'live' });
      const crossing = { ...farBid(stage.yes), price: 0.9 };
      const refused = await client.createAndPostOrder(crossing, {}, OrderType.GTC, false, true);
      t.match(refused, { error: /order crosses book/, status: 400, code: 'post_only_would_cross' });
    },
  },
];

const BUILDER_NOTE = 'with the keys of a builder, whose headers attribute the orders';

const builder: readonly FirstCheck[] = [
  {
    name: 'getBuilderTrades',
    can: true,
    note: BUILDER_NOTE,
    run: async (t, stage) => {
      const client = await builderClient(stage);
      t.match(await client.getBuilderTrades(), { trades: [], next_cursor: 'LTE=' });
      const market = { tokenID: stage.yes, side: Side.BUY, amount: 5.5 };
      t.match(await client.createAndPostMarketOrder(market), { status: 'matched' });
      const { trades } = await client.getBuilderTrades();
      t.match(trades, [{ tradeType: 'TAKER', assetId: stage.yes, side: 'BUY', size: '10' }]);
      t.equal(trades.length, 1, 'only the trade of the order with builder headers');
      // What was bought is offered again, so that the book is as before.
      const ask = { tokenID: stage.yes, side: Side.SELL, price: 0.55, size: 10 };
      t.match(await asFirst(stage.clientOf(stage.alice)).createAndPostOrder(ask), {
        status: 'live',
      });
    },
  },
  {
    name: 'revokeBuilderApiKey',
    can: true,
    note: BUILDER_NOTE,
    run: async (t, stage) => {
      const client = await builderClient(stage);
      t.strictSame(await client.revokeBuilderApiKey(), { revoked: true });
      t.match(await client.getBuilderTrades(), { status: 401 }, 'revoked at once');
    },
  },
];

const keysAndCaches: readonly FirstCheck[] = [
  {
    name: 'validateReadonlyApiKey',
    can: true,
    note: '',
    run: async (t, stage) => {
      const client = clientOf(stage);
      const { apiKey } = await client.createReadonlyApiKey();
      const valid: unknown = await client.validateReadonlyApiKey(stage.bob.address, apiKey);
      t.strictSame(valid, { valid: true });
      t.match(await client.deleteReadonlyApiKey(apiKey), { deleted: true });
      const gone: unknown = await client.validateReadonlyApiKey(stage.bob.address, apiKey);
      t.strictSame(gone, { valid: false });
    },
  },
  {
    name: 'clearTickSizeCache',
    can: true,
    note: '',
    run: async (t, stage) => {
      const client = clientOf(stage);
      await client.getTickSize(stage.yes);
      client.clearTickSizeCache(stage.yes);
      t.strictSame(client.tickSizes, {});
    },
  },
];

const RFQ_NOTE = 'requests for quotes are not served (404 `rfq_disabled`)';
const QUOTE = { requestId: '00000000-0000-4000-8000-000000000001', quoteId: 'q', expiration: 0 };

/** Each method of `client.rfq`, called as its types say. */
const RFQ_CALLS: Readonly<Record<string, (client: ClobClient, yes: string) => Promise<unknown>>> = {
  createRfqRequest: ({ rfq }, yes) => rfq.createRfqRequest(farBid(yes)),
  cancelRfqRequest: ({ rfq }) => rfq.cancelRfqRequest(QUOTE),
  getRfqRequests: ({ rfq }) => rfq.getRfqRequests(),
  createRfqQuote: ({ rfq }, yes) => rfq.createRfqQuote({ ...farBid(yes), ...QUOTE }),
  getRfqRequesterQuotes: ({ rfq }) => rfq.getRfqRequesterQuotes(),
  getRfqQuoterQuotes: ({ rfq }) => rfq.getRfqQuoterQuotes(),
  getRfqBestQuote: ({ rfq }) => rfq.getRfqBestQuote(QUOTE),
  cancelRfqQuote: ({ rfq }) => rfq.cancelRfqQuote(QUOTE),
  acceptRfqQuote: ({ rfq }) => rfq.acceptRfqQuote(QUOTE),
  approveRfqOrder: ({ rfq }) => rfq.approveRfqOrder(QUOTE),
};

const quotes: readonly FirstCheck[] = [
  {
    name: 'rfq.rfqConfig',
    can: true,
    note: '',
    run: async (t, stage) => t.match(await clientOf(stage).rfq.rfqConfig(), { enabled: false }),
  },
  ...Object.entries(RFQ_CALLS).map(
    ([name, call]): FirstCheck => ({
      name: `rfq.${name}`,
      can: false,
      note: RFQ_NOTE,
      run: async (t, stage) => {
        // Two of the methods throw the exchange's refusal, and the others return it.
        const told = await call(clientOf(stage), stage.yes).catch(String);
        t.match(JSON.stringify(told), /requests for quotes are disabled/);
      },
    }),
  ),
];

const OWN_NAMES: readonly string[] = [...own, ...builder].map(({ name }) => name);

/** The calls of the second version come first: they expect the accounts as the stage has them. */
export const FIRST_VERSION_CHECKS: readonly FirstCheck[] = [
  ...[...SILENT_CALLS, ...CALLS]
    .filter(({ method }) => !NEWER.includes(method) && !OWN_NAMES.includes(method))
    .map(({ method, run }) => ({ name: method, can: true, note: '', run })),
  ...keysAndCaches,
  ...own,
  ...builder,
  ...quotes,
];
