import t from 'tap';
import { shareTestExchange } from '../exchange-fixture.ts';

const CODE = `0x${'ab'.repeat(32)}`;
const ZERO = `0x${'0'.repeat(64)}`;

const share = await shareTestExchange(t);

t.test('the builder that an order names is journaled with it, unless it is zero', async (t) => {
  const { running, trader, plain } = share();
  const { exchange } = running.services;
  const submitted = t.capture(exchange, 'submit', exchange.submit);
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const rows: readonly (readonly [builder: string | undefined, expected: string])[] = [
    [CODE, CODE],
    [`0x${'AB'.repeat(32)}`, CODE],
    [ZERO, ''],
    [undefined, ''],
  ];
  for (const [builder, expected] of rows) {
    const changes = builder === undefined ? {} : { builder };
    const answer = await alice.place({ tokenId, changes });
    const what = builder ?? 'none';
    t.match(answer.body, { success: true }, what);
    const [command] = submitted().find(({ args }) => args[0].kind === 'place_order')?.args ?? [];
    t.match(command, { kind: 'place_order' });
    t.strictSame(command && 'builder' in command ? command.builder : '', expected, what);
    t.equal((await exchange.reader.order(answer.body.orderID))?.builder, expected, what);
  }
  const refused = await alice.place({ tokenId, changes: { builder: '0xab' } });
  t.equal(refused.status, 400);
  t.match(refused.body, { code: 'invalid_order_payload', field: 'order.builder' });
});
