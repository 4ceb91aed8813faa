import t from 'tap';
import {
  createAddressReader,
  isAddressRange,
  plainAddress,
} from '../../../http/socket/client-address.ts';

t.test('an address has one spelling, in whatever form it arrives', async (t) => {
  const rows = [
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1'],
    ['2001:db8::1', '2001:db8::1'],
  ] as const;
  for (const [text, plain] of rows) t.equal(plainAddress(text), plain, text);
});

t.test('the header is used only from trusted proxies, from its right end', async (t) => {
  const rows = [
    ['no proxy is trusted', [], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
    ['the peer is no proxy', ['10.0.0.0/8'], '9.9.9.9', '1.2.3.4', '9.9.9.9'],
    ['one proxy', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['what the client put in front', ['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['two proxies', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['only proxies', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['no header', ['10.0.0.1'], '10.0.0.1', '', '10.0.0.1'],
    ['no address', ['10.0.0.1'], '10.0.0.1', 'unknown', '0.0.0.0'],
    ['no address on loopback', ['127.0.0.1'], '127.0.0.1', '203.000.113.005', '0.0.0.0'],
    ['IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['IPv4 over IPv6', ['127.0.0.1'], '::ffff:127.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['a mapped entry', ['::ffff:10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['a port', ['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4:5678', '1.2.3.4'],
    ['IPv6 with a port', ['10.0.0.1'], '10.0.0.1', '[2001:db8::7]:5678', '2001:db8::7'],
    ['an end that is empty', ['10.0.0.1'], '10.0.0.1', '1.2.3.4,', '10.0.0.1'],
    ['all of a version', ['0.0.0.0/0'], '10.0.0.1', '6.6.6.6, 1.2.3.4', '6.6.6.6'],
  ] as const;
  for (const [what, trusted, peer, header, address] of rows) {
    t.equal(createAddressReader(trusted).addressOf(peer, header), address, what);
  }
});

t.test('a peer is a proxy if its address is a trusted one, in whatever form', async (t) => {
  const { isProxy } = createAddressReader(['10.0.0.0/8', '::1']);
  t.same(['10.1.2.3', '::ffff:10.1.2.3', '::1'].map(isProxy), [true, true, true]);
  t.same(['9.9.9.9', '::2', ''].map(isProxy), [false, false, false]);
  t.notOk(createAddressReader([]).isProxy('127.0.0.1'));
});

t.test('an entry is an address or a range, and trusts no more than it says', async (t) => {
  const good = ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '2001:db8::1/128'];
  for (const entry of good) t.ok(isAddressRange(entry), entry);
  const bad = [
    ...['', 'proxy.example', '10.0.0', '10.0.0.256', '10.0.0.1:80', 'fe80::1%eth0', '[::1]'],
    ...['10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/9', '10.0.0.0/x', 'fd00::/129'],
    ...['::ffff:10.0.0.0/104', ' 10.0.0.1'],
  ];
  for (const entry of bad) {
    t.notOk(isAddressRange(entry), entry);
    t.throws(() => createAddressReader([entry]), {
      message: `"${entry}" is not an address or a range of addresses`,
    });
  }
});
