/** Methods of the published client that send no request. */
import { Side } from '@polymarket/clob-client-v2';
import type { Call } from './stage.ts';

export const SILENT_CALLS: readonly Call[] = [
  {
    method: 'getOrderBookHash',
    routes: [],
    run: async (t, { clientOf, alice }) => {
      const book = {
        market: '0xaabbcc',
        asset_id: '100',
        timestamp: '123456789',
        hash: '',
        bids: [
          { price: '0.3', size: '100' },
          { price: '0.4', size: '100' },
        ],
        asks: [
          { price: '0.6', size: '100' },
          { price: '0.7', size: '100' },
        ],
        min_order_size: '100',
        tick_size: '0.01',
        neg_risk: false,
        last_trade_price: '0.5',
      };
      const hash = await clientOf(alice).getOrderBookHash(book);
      t.equal(hash, '0458ea5755c9f73d64a14636fa5c36ed460ec394', 'wire 6.3');
    },
  },
  {
    method: 'createExchangeV3OrderFromAmounts',
    routes: [],
    run: async (t, { clientOf, alice, yes }) => {
      const amounts = { tokenID: yes, makerAmount: '5000000', takerAmount: '10000000' };
      const order = await clientOf(alice).createExchangeV3OrderFromAmounts({
        ...amounts,
        side: Side.BUY,
      });
      t.match(order, { makerAmount: '5000000', signature: /^0x[0-9a-f]{130}$/ });
    },
  },
];
