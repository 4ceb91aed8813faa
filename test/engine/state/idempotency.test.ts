import t from 'tap';
import { type Command, lots, micros, ticks } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';

const ANN = `0x${'a1'.repeat(20)}`;
const CONDITION = `0x${'c1'.repeat(32)}`;
const TERMS = {
  kind: 'create_market',
  conditionId: CONDITION,
  tokenIds: ['1', '2'],
  tickTicks: 100,
  minimumLots: 1,
  minimumBudgetMicros: 1,
  negRisk: false,
  eventId: '',
  selfTrade: 'cancel_maker',
} as unknown as Command; // its numbers are whole and need no brand here

for (const [name, make] of ENGINES) {
  t.test(
    `some keys are reserved for the operator, and redemptions do not count: ${name}`,
    async (t) => {
      const engine = make({ idempotencyKeys: 5, holderIdempotencyKeys: 3 });
      const paper = { wallet: 'eoa', paperMicros: micros(1_000_000) } as const;
      const split = (owner: string, key: string): Command => ({
        kind: 'split',
        account: ANN,
        owner,
        conditionId: CONDITION,
        lots: lots(1),
        key,
      });
      const deposit: Command = { kind: 'deposit', account: ANN, amountMicros: micros(1), key: 'd' };
      const market = { conditionId: CONDITION, redeemAll: false };
      const payoutTicks = ticks(10_000);
      const resolved: Command = { kind: 'resolve_market', ...market, payoutTicks };
      const redeemed: Command = {
        kind: 'redeem',
        account: ANN,
        owner: ANN,
        conditionId: CONDITION,
        key: 'r',
      };
      const full = { kind: 'rejected', code: 'too_many_money_keys', field: 'key' };
      const rows: [command: Command, expected: object][] = [
        [TERMS, { kind: 'market_created' }],
        [{ kind: 'open_account', address: ANN, owner: ANN, ...paper }, { kind: 'account_opened' }],
        [split(ANN, 'a'), { kind: 'sets_moved' }],
        [split('', 'a'), { kind: 'sets_moved' }],
        [split(ANN, 'b'), { kind: 'sets_moved' }],
        [split(ANN, 'c'), { ...full, limit: 3, actual: 3 }],
        [split(ANN, 'b'), { kind: 'known' }],
        [deposit, { kind: 'cash_moved' }],
        [split('', 'b'), { kind: 'sets_moved' }],
        [split('', 'c'), { ...full, limit: 5, actual: 5 }],
        [
          { ...deposit, key: 'e' },
          { ...full, limit: 5, actual: 5 },
        ],
        [deposit, { kind: 'known' }],
        [resolved, { kind: 'market_resolved' }],
        [redeemed, { kind: 'redeemed', yesLots: 4, amountMicros: 40_000 }],
        [redeemed, { kind: 'known', yesLots: 4, amountMicros: 40_000 }],
        [
          { ...redeemed, key: 'f' },
          { kind: 'rejected', code: 'nothing_to_redeem' },
        ],
        [
          { ...deposit, key: 'e' },
          { ...full, limit: 5, actual: 5 },
        ],
      ];
      for (const [index, [command, expected]] of rows.entries()) {
        t.match(engine.apply(index + 1, index, command), [expected], `step ${index}`);
      }
      engine.validate();
    },
  );
}
