import t from 'tap';
import { Compile } from 'typebox/compile';
import { lots, ticks } from '../../../engine/index.ts';
import { formatResolution, Notification } from '../../../http/format/notification.ts';
import { CONDITION, CREATED_MS, NO_TOKEN, YES_TOKEN } from '../durable-commands.ts';
import { catalogMarket, LABELS, TAKER_KEY } from './records.ts';

const isNotification = Compile(Notification);

t.test('a resolution shows the winner and all payouts', async (t) => {
  const tokenIds = [YES_TOKEN, NO_TOKEN] as const;
  const rows: [
    payout: number,
    outcome: 0 | 1,
    price: string,
    payoutText: string,
    amount: string,
  ][] = [
    [10_000, 0, '1', '1', '12.5'],
    [0, 1, '1', '0', '4'],
    [5_000, 0, '0.5', '0.5', '8.25'],
    [3_700, 0, '0.37', '0.37', '7.145'],
    [1, 0, '0.0001', '0.0001', '4.00085'],
  ];
  for (const [payout, outcome, price, payoutText, amount] of rows) {
    const told = formatResolution(
      {
        id: 7,
        kind: 'resolution',
        timeMs: CREATED_MS,
        conditionId: CONDITION,
        payoutTicks: ticks(payout),
        yesLots: lots(1_250),
        noLots: lots(400),
      },
      catalogMarket(),
      { apiKey: TAKER_KEY, tokenIds, market: undefined },
    );
    t.ok(isNotification.Check(told), `${payoutText}: as documented`);
    t.strictSame(
      told,
      {
        id: 7,
        type: 4,
        owner: TAKER_KEY,
        timestamp: Math.floor(CREATED_MS / 1_000),
        payload: {
          asset_id: tokenIds[outcome],
          condition_id: CONDITION,
          eventSlug: 'rain-oslo',
          icon: '',
          image: '',
          market: CONDITION,
          market_slug: 'rain-oslo-jun-1',
          matched_size: '0',
          order_id: '',
          original_size: '0',
          outcome: LABELS[outcome],
          outcome_index: outcome,
          owner: TAKER_KEY,
          price,
          question: 'Will it rain in Oslo on 1 June?',
          remaining_size: '0',
          seriesSlug: '',
          side: 'SELL',
          trade_id: '',
          transaction_hash: `0x${'0'.repeat(64)}`,
          type: 'GTC',
          reason: '',
          payout: payoutText,
          yes_size: '12.5',
          no_size: '4',
          amount,
        },
      },
      payoutText,
    );
  }
});
