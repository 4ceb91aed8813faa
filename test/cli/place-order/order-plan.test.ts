import t from 'tap';
import { ORDER_OPTIONS } from '../../../cli/options/order-options.ts';
import { UsageError } from '../../../cli/parser/parse-arguments.ts';
import { resolveOptions } from '../../../cli/parser/resolve-options.ts';
import { type OrderPlan, planOrder } from '../../../cli/place-order/order-plan.ts';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';

const NOW_MS = 1_780_449_126_930;
const KEY = `0x${'0'.repeat(63)}1`;
const ADDRESS_OF_KEY = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const FIRST_DEV = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SECOND_DEV = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

function plan(line: string, environment: Record<string, string> = {}): OrderPlan {
  const words = line === '' ? [] : line.split(' ');
  const flags = new Map(
    words.map((word) => {
      const [flag = '', text = 'true'] = word.split('=');
      return [flag, text];
    }),
  );
  const resolved = resolveOptions(ORDER_OPTIONS, { flags, environment });
  return planOrder(resolved, () => '[]', NOW_MS);
}

function faultsOf(line: string, environment?: Record<string, string>): readonly string[] {
  try {
    plan(line, environment);
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
}

const BUY = '--token=1 --side=BUY --price=0.42';
const SELL = '--token=1 --side=SELL --price=0.42';

t.test(
  'a plan has the order, the wallet that signs it and the address to send it to',
  async (t) => {
    const { request, wallet, chainId, domains, url } = plan(`${BUY} --size=10`);
    t.same(request, {
      tokenId: '1',
      side: 'BUY',
      type: 'GTC',
      priceTicks: 4_200,
      lots: 1_000,
      budgetMicros: 0,
      expirationSeconds: 0,
      postOnly: false,
    });
    t.equal(wallet.address, FIRST_DEV);
    t.equal(chainId, 137);
    t.equal(domains, DEFAULT_DOMAINS);
    t.equal(url, 'http://127.0.0.1:8080');
  },
);

const CHANGES: readonly (readonly [line: string, request: object])[] = [
  [`${BUY} --size=10 --type=GTD`, { expirationSeconds: 1_780_452_726 }],
  [`${BUY} --size=10 --type=GTD --expires-in=90`, { expirationSeconds: 1_780_449_216 }],
  [`${BUY} --size=10 --post-only`, { postOnly: true }],
  [`${BUY} --amount=2.5 --type=FOK`, { lots: 0, budgetMicros: 2_500_000 }],
  [`${BUY} --size=10 --type=FAK`, { lots: 0, budgetMicros: 4_200_000 }],
  [`${SELL} --size=0.01 --type=FAK`, { lots: 1, budgetMicros: 0 }],
];

t.test('a FOK or FAK BUY has a budget, every other order a size', async (t) => {
  for (const [line, request] of CHANGES) t.match(plan(line).request, request, line);
});

t.test('options choose another account, key, chain or exchange', async (t) => {
  const line = `${BUY} --size=10`;
  t.equal(plan(`${line} --account=1`).wallet.address, SECOND_DEV);
  t.equal(plan(`${line} --key=${KEY}`).wallet.address, ADDRESS_OF_KEY);
  t.equal(plan(line, { PRIVATE_KEY: KEY }).wallet.address, ADDRESS_OF_KEY);
  t.equal(plan(`${line} --chain=80002`).chainId, 80_002);
  t.equal(plan(line, { EXCHANGE_URL: 'https://a.example/' }).url, 'https://a.example');
});

const WRONG: readonly (readonly [line: string, ...faults: RegExp[]])[] = [
  [
    '--size=10',
    /--token is missing; it must be a token id/,
    /--side is missing; it must be one of BUY, SELL/,
    /--price is missing; it must be a decimal from 0.0001 to 0.9999/,
  ],
  [BUY, /--size is missing/],
  [`${BUY} --size=1 --amount=1 --type=FOK`, /--amount must be absent beside a size/],
  [`${BUY} --amount=1`, /--amount must be absent unless the order is a BUY of type FOK or FAK/],
  [`${SELL} --amount=1 --type=FOK`, /--amount must be absent unless the order is a BUY/],
  [`${BUY} --size=1 --type=FOK --post-only`, /--post-only must be absent in an order of type FOK/],
  [`${BUY} --size=1 --expires-in=5`, /--expires-in must be absent unless the type is GTD/],
  [`${BUY} --size=1 --account=1 --key=${KEY}`, /--key must be absent beside an account/],
  [`${BUY} --size=0.001`, /--size is "0.001"; it must be a decimal from 0.01/],
  [`${BUY} --size=1 --url=ftp://a`, /--url is "ftp:\/\/a"; it must be an HTTP or HTTPS URL/],
  [`${BUY} --size=1 --key=0x12`, /--key is not valid; it must be a private key/],
];

t.test('wrong options are refused before anything is sent', async (t) => {
  for (const [line, ...faults] of WRONG) {
    const found = faultsOf(line);
    t.equal(found.length, faults.length, `${line}: ${found.join('; ')}`);
    t.match(found, faults, line);
  }
});

t.test('domains from a file are checked like those of the exchange', async (t) => {
  t.match(faultsOf(`${BUY} --size=1 --domains=a.json`), [/a.json: there are 0 signing domains/]);
});
