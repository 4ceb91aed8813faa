// GET /v1/accounting/snapshot over a real socket: an archive that others can read, whose tables add
// up and agree with the account.
import { crc32 } from 'node:zlib';
import t from 'tap';
import { zipOf } from '../../../../http/codec/zip.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);

/** The files of an archive, read by its directory, as programs that unpack do. */
function filesIn(archive: Buffer): Readonly<Record<string, string>> {
  const end = archive.length - 22;
  t.equal(archive.readUInt32LE(end), 0x0605_4b50);
  let at = archive.readUInt32LE(end + 16);
  t.equal(at + archive.readUInt32LE(end + 12), end);
  const files: Record<string, string> = {};
  for (let count = archive.readUInt16LE(end + 8); count > 0; count -= 1) {
    t.equal(archive.readUInt32LE(at), 0x0201_4b50);
    const [size, length] = [archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28)];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    t.equal(archive.readUInt32LE(local), 0x0403_4b50);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(begin, begin + size);
    t.equal(crc32(content), archive.readUInt32LE(at + 16), name);
    files[name] = content.toString();
    at += 46 + length;
  }
  return files;
}

t.test('an archive has its files', async (t) => {
  for (const files of [{}, { a: '' }, { 'ä.csv': 'ö\n'.repeat(99), b: 'x' }]) {
    t.same(filesIn(zipOf(files)), files);
  }
});

t.test('the snapshot has positions and equity, with six decimals', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const ask = async (user: string) => {
    const path = `/data-api/v1/accounting/snapshot?user=${user}`;
    const answer = await fetch(`${exchange.running.url}${path}`);
    t.match([answer.status, answer.headers.get('content-type')], [200, 'application/zip']);
    return filesIn(Buffer.from(await answer.arrayBuffer()));
  };
  const head = 'conditionId,asset,size,curPrice,valuationTime\n';
  const cashHead = 'cashBalance,positionsValue,equity,valuationTime\n';
  const time = `${new Date(exchange.clock.ms).toISOString().slice(0, 19)}Z`;
  const before = Number((await ask(alice.address))['equity.csv']?.split('\n')[1]?.split(',')[0]);
  const body = { market: conditionId, amount: '20', key: 'split' };
  t.equal((await alice.signed('POST', '/sets/split', body)).status, 200);
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 1_000 });
  // It trades 10 of 15, and the rest holds 2 of its cash.
  t.equal((await alice.place({ tokenId: yes, priceTicks: 4_000, lots: 1_500 })).status, 200);
  const cash = before - 20 - 4;
  const files = await ask(alice.address.toUpperCase().replace('0X', '0x'));
  t.same(Object.keys(files), ['positions.csv', 'equity.csv']);
  t.equal(
    files['positions.csv'],
    `${head}${conditionId},${yes},30.000000,0.400000,${time}\n` +
      `${conditionId},${no},20.000000,0.600000,${time}\n`,
  );
  const equity = [cash, 24, cash + 24].map((amount) => amount.toFixed(6)).join();
  t.equal(files['equity.csv'], `${cashHead}${equity},${time}\n`);
  t.same(await ask(`0x${'12'.repeat(20)}`), {
    'positions.csv': head,
    'equity.csv': `${cashHead}0.000000,0.000000,0.000000,${time}\n`,
  });
});

t.test('what is no account is refused', async (t) => {
  const { send } = share();
  for (const [query, code] of [
    ['', 'missing_field'],
    ['?user=me', 'invalid_parameter'],
    [`?user=0x${'12'.repeat(20)}&min_seq=999999999`, 'invalid_parameter'],
  ] as const) {
    const { status, body } = await send('GET', `/v1/accounting/snapshot${query}`);
    t.match({ status, code: body.code }, { status: 400, code }, query);
  }
});
