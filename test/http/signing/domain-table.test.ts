import assert from 'node:assert/strict';
import t from 'tap';
import { DomainTable, domainSeparator } from '../../../http/signing/domain-table.ts';
import { MAX_DOMAINS, type SigningDomain } from '../../../http/signing/domains.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { toSigningDomain, vectors } from './fixtures.ts';

function contract(number: number): string {
  return `0x${String(number).padStart(40, '0')}`;
}
function domain(number: number, negRisk: boolean | null = null): SigningDomain {
  return {
    name: 'CTF Exchange',
    version: '2',
    chainId: 31337,
    contract: contract(number),
    negRisk,
    struct: 'order11',
  };
}

for (const vector of vectors.orders) {
  t.test(`the separator of "${vector.label}" is the published one`, async (t) => {
    t.equal(bytesToHex(domainSeparator(toSigningDomain(vector))), vector.domainSeparator);
  });
}

t.test('an order tries the domains for its kind of market first, as listed', async (t) => {
  const table = new DomainTable([
    domain(1, true),
    domain(2, false),
    domain(3, null),
    domain(4, true),
    domain(5, false),
  ]);
  const rows = [
    [false, ['2', '3', '5', '1', '4']],
    [true, ['1', '3', '4', '2', '5']],
  ] as const;
  for (const [negRisk, order] of rows) {
    const { entries, matchingCount } = table.candidates('order11', negRisk);
    t.same(
      entries.map((entry) => entry.domain.contract.replace(/^0x0*/, '')),
      order,
    );
    t.equal(matchingCount, 3);
  }
});

t.test('a struct without domains has no candidates', async (t) => {
  t.same(new DomainTable([domain(1)]).candidates('order12', false).entries, []);
});

t.test('a domain is found by its separator, within its struct', async (t) => {
  const listed = [domain(1), { ...domain(1), struct: 'order12' } as const, domain(2)];
  const table = new DomainTable(listed);
  const separator = bytesToHex(domainSeparator(domain(1)));
  t.equal(table.bySeparator('order11', separator)?.domain, listed[0]);
  t.equal(table.bySeparator('order12', separator)?.domain, listed[1]);
  t.equal(table.bySeparator('order11', `0x${'0'.repeat(64)}`), undefined);
});

t.test(
  'the likely domains are the last ones of the address, then the last ones of all',
  async (t) => {
    const candidates = new DomainTable([1, 2, 3, 4].map((number) => domain(number))).candidates(
      'order11',
      false,
    );
    const [first, second, third, fourth] = candidates.entries;
    assert(first && second && third && fourth, 'four domains');
    t.strictSame(candidates.likely(contract(7)), [first, second], 'the first of the list');
    candidates.noteGood(contract(7), third);
    t.strictSame(candidates.likely(contract(7)), [third, first]);
    t.strictSame(candidates.likely(contract(8)), [third, first], 'the last of any address');
    candidates.noteGood(contract(7), fourth);
    candidates.noteGood(contract(8), second);
    t.strictSame(candidates.likely(contract(7)), [fourth, third]);
    t.strictSame(candidates.likely(contract(8)), [second, fourth]);
    t.strictSame(candidates.likely(contract(9)), [second, fourth]);
  },
);

t.test('duplicate, too many and invalid domains are refused', async (t) => {
  t.throws(() => new DomainTable([domain(1, true), domain(1, false)]), { message: /are the same/ });
  const many = Array.from({ length: MAX_DOMAINS + 1 }, (_, index) => domain(index));
  t.throws(() => new DomainTable(many), {
    message: 'there are 65 signing domains; at most 64 are allowed',
  });
  t.doesNotThrow(() => new DomainTable(many.slice(1)));
  t.throws(() => new DomainTable([{ ...domain(1), contract: '0x12' }]), {
    message: /not a signing domain: .*0x12/,
  });
});
