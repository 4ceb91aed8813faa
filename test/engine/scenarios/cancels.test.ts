import t from 'tap';
import { lots, stateHash, ticks } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';
import { DrawnBook } from './drawn-book.ts';
import { placeOrder } from './language.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** Placed row by row from the top: ann, bob, ann2, ann-safe, ann3. */
const MIXED = `
      bid              | price | ask
                       | 5500  | ann 10
                       | 5300  | bob 20 NO
      ann2 5           | 5100  |
      ann-safe 7 NO    | 5000  |
      ann3 9 NO        | 4900  |`;

const CANCELS: readonly Scenario[] = [
  {
    name: 'cancelling one order reports its level',
    before: MIXED,
    when: ['ann cancels ann2'],
    happens: ['ann2 canceled, filled 0 for 0', 'bid 5100: 0'],
    after: `
      bid           | price | ask
                    | 5500  | ann 10
                    | 5300  | bob 20 NO
      ann-safe 7 NO | 5000  |
      ann3 9 NO     | 4900  |`,
    moved: [],
  },
  {
    name: 'several orders are cancelled in order of acceptance, not in the order of the ids',
    before: MIXED,
    when: ['ann cancels ann3 ann-safe ann'],
    happens: [
      'ann canceled, filled 0 for 0',
      'ask 5500: 0',
      'ann-safe canceled, filled 0 for 0',
      'bid 5000: 0',
      'ann3 canceled, filled 0 for 0',
      'bid 4900: 0',
    ],
    after: `
      bid    | price | ask
             | 5300  | bob 20 NO
      ann2 5 | 5100  |`,
  },
  {
    name: 'ids that are repeated, unknown, of another owner or no longer live are ignored',
    before: MIXED,
    when: ['ann cancels bob nobody ann2 ann2', 'ann cancels ann2 bob', 'bob cancels ann'],
    happens: ['ann2 canceled, filled 0 for 0', 'bid 5100: 0'],
    after: `
      bid           | price | ask
                    | 5500  | ann 10
                    | 5300  | bob 20 NO
      ann-safe 7 NO | 5000  |
      ann3 9 NO     | 4900  |`,
  },
  {
    name: 'cancelling all covers every account and market of an owner',
    before: MIXED,
    when: ['ann4 buys 3 YES2 at 2000', 'ann cancels all'],
    happens: [
      'ann4 accepted',
      'bid 2000: 3',
      'ann canceled, filled 0 for 0',
      'ask 5500: 0',
      'ann2 canceled, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe canceled, filled 0 for 0',
      'bid 5000: 0',
      'ann3 canceled, filled 0 for 0',
      'bid 4900: 0',
      'ann4 canceled, filled 0 for 0',
      'bid 2000: 0',
    ],
    after: `
      bid | price | ask
          | 5300  | bob 20 NO`,
  },
  {
    name: 'cancelling in one market leaves orders in another',
    before: MIXED,
    when: [
      'ann4 buys 3 YES2 at 2000',
      'ann5 buys 4 NO2 at 2000',
      'ann cancels all in the second market',
    ],
    happens: [
      'ann4 accepted',
      'bid 2000: 3',
      'ann5 accepted',
      'ask 8000: 4',
      'ann4 canceled, filled 0 for 0',
      'bid 2000: 0',
      'ann5 canceled, filled 0 for 0',
      'ask 8000: 0',
    ],
    after: MIXED,
  },
  {
    name: 'cancelling one token covers both sides of the book',
    before: MIXED,
    when: ['ann4 buys 3 NO at 4000', 'ann cancels all NO'],
    happens: [
      'ann4 accepted',
      'ask 6000: 3',
      'ann-safe canceled, filled 0 for 0',
      'bid 5000: 0',
      'ann3 canceled, filled 0 for 0',
      'bid 4900: 0',
      'ann4 canceled, filled 0 for 0',
      'ask 6000: 0',
    ],
    after: `
      bid    | price | ask
             | 5500  | ann 10
             | 5300  | bob 20 NO
      ann2 5 | 5100  |`,
  },
  {
    name: 'a token of another market than the named one matches no order',
    before: MIXED,
    when: ['ann cancels all YES in the second market', 'zoe cancels all'],
    happens: [],
    after: MIXED,
  },
  {
    name: 'cancelling in the middle of a queue leaves the others in order',
    before: `
      bid | price | ask
          | 5500  | bob 1, cat 2, dan 3, eve 4`,
    when: ['cat cancels cat', 'dan cancels dan', 'cat2 sells 5 YES at 5500', 'bob cancels bob'],
    happens: [
      'cat canceled, filled 0 for 0',
      'ask 5500: 8',
      'dan canceled, filled 0 for 0',
      'ask 5500: 5',
      'cat2 accepted',
      'ask 5500: 10',
      'bob canceled, filled 0 for 0',
      'ask 5500: 9',
    ],
    after: `
      bid | price | ask
          | 5500  | eve 4, cat2 5`,
  },
];

const SWITCHES: readonly Scenario[] = [
  {
    name: 'a tripped switch cancels the orders of all accounts and markets of its owner',
    before: MIXED,
    when: ['ann arms 1', 'ann4 buys 3 YES2 at 2000 until 900', '[800] ann trips 1'],
    happens: [
      'ann armed 1',
      'ann4 accepted',
      'bid 2000: 3',
      'ann switch_tripped, filled 0 for 0',
      'ask 5500: 0',
      'ann2 switch_tripped, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe switch_tripped, filled 0 for 0',
      'bid 5000: 0',
      'ann3 switch_tripped, filled 0 for 0',
      'bid 4900: 0',
      'ann4 switch_tripped, filled 0 for 0',
      'bid 2000: 0',
      'ann tripped 1',
    ],
    after: `
      bid | price | ask
          | 5300  | bob 20 NO`,
    moved: [],
  },
  {
    name: 'orders that are due when a switch trips expire instead, and fills stay',
    before: `
      bid   | price | ask
            | 5500  | ann 10
      bob 9 | 5000  |`,
    when: [
      'ann arms 1',
      'cat buys 4 YES at 5500',
      'ann2 buys 3 YES at 2000 until 900',
      '[900] ann trips 1',
    ],
    happens: [
      'ann armed 1',
      'cat accepted',
      'transfer 4: cat BUY YES 5500, ann SELL YES 5500 (0)',
      'ask 5500: 6',
      'cat matched, filled 4 for 22000',
      'ann2 accepted',
      'bid 2000: 3',
      'ann2 expired, filled 0 for 0',
      'bid 2000: 0',
      'ann switch_tripped, filled 4 for 22000',
      'ask 5500: 0',
      'ann tripped 1',
    ],
    after: `
      bid   | price | ask
      bob 9 | 5000  |`,
  },
  {
    name: 'a switch trips once, with the id that was armed last, and can be rearmed',
    before: `
      bid   | price | ask
      ann 9 | 5000  |`,
    when: [
      'ann trips 1',
      'ann arms 1',
      'ann arms 1',
      'ann arms 2',
      'ann trips 1',
      'bob trips 2',
      'ann trips 2',
      'ann trips 2',
      'ann arms 2',
      'ann trips 2',
    ],
    happens: [
      'known trip_switch',
      'ann armed 1',
      'known arm_switch',
      'ann armed 2',
      'known trip_switch',
      'known trip_switch',
      'ann switch_tripped, filled 0 for 0',
      'bid 5000: 0',
      'ann tripped 2',
      'known trip_switch',
      'ann armed 2',
      'ann tripped 2',
    ],
    after: '',
  },
  {
    name: 'cancelling all orders leaves a switch armed',
    before: `
      bid   | price | ask
      ann 9 | 5000  |`,
    when: ['ann arms 1', 'ann cancels all', 'ann arms 1', 'ann trips 1'],
    happens: [
      'ann armed 1',
      'ann canceled, filled 0 for 0',
      'bid 5000: 0',
      'known arm_switch',
      'ann tripped 1',
    ],
    after: '',
  },
];

const AGAIN: readonly Scenario[] = [
  {
    name: 'an order sent again while it rests, after it filled or was canceled, is a duplicate',
    before: '',
    when: [
      'bob buys 5 YES at 5000',
      'bob buys 5 YES at 5000',
      'zoe sells 5 YES at 5000',
      'bob buys 5 YES at 5000',
      'zoe sells 5 YES at 5000',
      'cat buys 5 YES at 4000',
      'cat cancels cat',
      'cat buys 5 YES at 4000',
    ],
    happens: [
      'bob accepted',
      'bid 5000: 5',
      'bob duplicate',
      'zoe accepted',
      'transfer 5: zoe SELL YES 5000, bob BUY YES 5000 (0)',
      'bob matched, filled 5 for 25000',
      'bid 5000: 0',
      'zoe matched, filled 5 for 25000',
      'bob duplicate',
      'zoe duplicate',
      'cat accepted',
      'bid 4000: 5',
      'cat canceled, filled 0 for 0',
      'bid 4000: 0',
      'cat duplicate',
    ],
    after: '',
  },
  {
    name: 'the id of a live or closed order is refused with other terms',
    before: '',
    when: [
      'bob buys 5 YES at 5000 until 900',
      'bob buys 5 YES at 5000',
      'bob buys 5 YES at 5000 until 901 post-only',
      'bob buys 5 YES at 5000 until 901',
      'bob cancels bob',
      'bob buys 5 YES at 5000 until 901',
    ],
    happens: [
      'bob accepted',
      'bid 5000: 5',
      'rejected order_id_reused: field type, limit GTD, actual GTC',
      'rejected order_id_reused: field postOnly, limit false, actual true',
      'rejected order_id_reused: field expiresAtMs, limit 900, actual 901',
      'bob canceled, filled 0 for 0',
      'bid 5000: 0',
      'rejected order_id_reused: field expiresAtMs, limit 900, actual 901',
    ],
    after: '',
  },
  {
    name: 'a refused order can be sent again and is checked again',
    before: '',
    when: [
      'zoe buys YES for 10000 at 5000 FAK',
      'bob sells 1 YES at 5000',
      'zoe buys YES for 10000 at 5000 FAK',
    ],
    happens: [
      'rejected nothing_to_match: field priceTicks, actual 5000',
      'bob accepted',
      'ask 5000: 1',
      'zoe accepted',
      'transfer 1: zoe BUY YES 5000, bob SELL YES 5000 (0)',
      'bob matched, filled 1 for 5000',
      'ask 5000: 0',
      'zoe remainder_released, filled 1 for 5000',
    ],
    after: '',
  },
];

t.test('cancels', (t) => {
  runScenarios(t, CANCELS);
  t.end();
});
t.test("a dead man's switch", (t) => {
  runScenarios(t, SWITCHES);
  t.end();
});
t.test('an order that is sent again', (t) => {
  runScenarios(t, AGAIN);
  t.end();
});

t.test('an order is refused if its id was checked before a forgotten order was accepted', (t) => {
  for (const [name, make] of ENGINES) {
    const book = new DrawnBook(make, { bounds: { recentOrders: 2 } });
    const size = { lots: lots(5), priceTicks: ticks(5_000) };
    book.apply(placeOrder('bob', size));
    const bobSeq = book.seq;
    book.say('bob cancels bob');
    for (const label of ['cat', 'dan']) {
      const again = book.apply(placeOrder('bob', { ...size, idCheckedSeq: 0 }));
      t.match(again, [{ kind: 'order_duplicate', acceptedSeq: bobSeq }], `${name}: remembered`);
      book.apply(placeOrder(label, size));
      book.say(`${label} cancels ${label}`);
    }
    t.equal(book.engine.state().forgottenSeq, bobSeq, `${name}: bob is forgotten`);
    const hash = stateHash(book.engine.state());
    const stale = book.apply(placeOrder('bob', { ...size, idCheckedSeq: bobSeq - 1 }));
    const details = { field: 'idCheckedSeq', limit: bobSeq, actual: bobSeq - 1 };
    t.strictSame(stale, [{ kind: 'rejected', code: 'order_id_unchecked', ...details }], name);
    t.equal(stateHash(book.engine.state()), hash, `${name}: nothing changed`);
    const fresh = book.apply(placeOrder('eve', { ...size, idCheckedSeq: bobSeq }));
    t.match(fresh, [{ kind: 'order_accepted' }, {}], `${name}: a later check suffices`);
  }
  t.end();
});

t.test('the engine keeps the highest accepted seq of all forgotten orders', (t) => {
  for (const [name, make] of ENGINES) {
    const book = new DrawnBook(make, { bounds: { recentOrders: 1 } });
    const before = book.engine.state().forgottenSeq;
    book.say('bob buys 5 YES at 4000');
    const bobSeq = book.seq;
    book.say('cat buys 5 YES at 4100');
    const catSeq = book.seq;
    book.say('cat cancels cat');
    t.ok(book.engine.state().forgottenSeq > before, `${name}: setup is being forgotten`);
    book.say('bob cancels bob');
    t.equal(book.engine.state().forgottenSeq, catSeq, `${name}: cat was forgotten first`);
    book.say('dan buys 5 YES at 4100');
    book.say('dan cancels dan');
    t.equal(book.engine.state().forgottenSeq, catSeq, `${name}: bob's ${bobSeq} does not lower it`);
  }
  t.end();
});
