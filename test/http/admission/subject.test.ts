import t from 'tap';
import { isLoopback, networkOf, subjectOf } from '../../../http/admission/subject.ts';

t.test('a network is an IPv4 address or the first 64 bits of an IPv6 address', async (t) => {
  const rows: readonly (readonly [address: string, network: string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002'],
    ['2001:0db8:0001:0002:0003:0004:0005:0006', '2001:0db8:0001:0002'],
    ['2001:0DB8:000A:0002:0003:0004:0005:0006', '2001:0db8:000a:0002'],
    ['2001:DB8::1', '2001:0db8:0000:0000'],
    ['2001:db8::', '2001:0db8:0000:0000'],
    ['::1', '0000:0000:0000:0000'],
    ['::', '0000:0000:0000:0000'],
    ['1::2:3:4:5:6', '0001:0000:0000:0002'],
    ['::2:3:4:5:6:7:8', '0000:0002:0003:0004'],
    ['64:ff9b::203.0.113.7', '0064:ff9b:0000:0000'],
    ['1:2:3:4:5:6:203.0.113.7', '0001:0002:0003:0004'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000'],
    ['', ''],
  ];
  for (const [address, network] of rows) t.equal(networkOf(address), network, address);
});

t.test('only addresses of this machine are loopback', async (t) => {
  const own = ['127.0.0.1', '127.255.0.3', '::1', '0000:0000:0000:0000:0000:0000:0000:0001'];
  for (const address of own) t.equal(isLoopback(address), true, address);
  for (const address of ['', '12.7.0.0', '128.0.0.1', '10.127.0.1', '::2', '::', '2001:db8::1']) {
    t.equal(isLoopback(address), false, address);
  }
});

t.test('a proved key counts against its owner, all else against the address', async (t) => {
  const address = '2001:db8::1';
  t.equal(subjectOf({ address, apiKey: 'key', owner: '0xa' }), '0xa');
  t.equal(subjectOf({ address, apiKey: '', owner: '0xa' }), '2001:0db8:0000:0000');
  t.equal(subjectOf({ address, apiKey: '', owner: '' }), '2001:0db8:0000:0000');
});
