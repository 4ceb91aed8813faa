import t from 'tap';
import { bannerText, type DevAccount, type Ready, readyLine } from '../../../cli/serve/banner.ts';

function account(digit: string): DevAccount {
  return {
    address: `0x${digit.repeat(40)}`,
    privateKey: `0x${digit.repeat(64)}`,
    apiKey: `${digit.repeat(8)}-0000-4000-8000-000000000000`,
    secret: `${digit.repeat(43)}=`,
    passphrase: digit.repeat(64),
  };
}

const READY: Ready = {
  node: undefined,
  version: '1.2.3',
  url: 'http://127.0.0.1:8080',
  port: 8080,
  adminUrl: 'http://127.0.0.1:8081',
  adminPort: 8081,
  adminTokenPlace: '/data/admin.token',
  dataDir: '/data',
  fundingText: 'paper: play money',
  crowdText: 'simulated participants trade',
  pid: 7,
  ms: 42,
  devAccounts: [account('a'), account('b')],
  market: { question: 'Will it rain?', tokenId: '9'.repeat(78) },
};

/** The words of a command that spans several lines, joined as a shell does. */
function commandIn(banner: string, start: string): string[] {
  const from = banner.indexOf(start);
  const joined = banner.slice(from).replaceAll('\\\n', ' ').split('\n')[0] ?? '';
  return joined.trim().split(/\s+/);
}

t.test('the banner has everything a developer needs, within 100 columns', async (t) => {
  const banner = bannerText(READY);
  for (const text of ['1.2.3', READY.url, READY.adminUrl, '/data/admin.token', '42 ms', 'paper']) {
    t.ok(banner.includes(text), text);
  }
  for (const one of READY.devAccounts) {
    for (const text of Object.values(one)) t.ok(banner.includes(text), text);
  }
  for (const line of banner.split('\n')) t.ok(line.length <= 100, line);
  t.match(banner, /^Crowd {5}simulated participants trade$/m);
  t.notMatch(bannerText({ ...READY, crowdText: '' }), /Crowd/);
});

t.test('the commands in the banner are complete', async (t) => {
  const { url, market } = READY;
  const id = market?.tokenId ?? '';
  t.same(commandIn(bannerText(READY), 'curl'), [
    ...['curl', '-G', `${url}/book`, '-d', `token_id=${id}`],
  ]);
  const order = ['./outcome-exchange', 'place-order', '--side', 'BUY', '--price', '0.42'];
  t.same(commandIn(bannerText(READY), './outcome-exchange place'), [
    ...[...order, '--size', '10', '--token', id],
  ]);
  const elsewhere = { ...READY, url: 'http://127.0.0.1:9' };
  t.same(commandIn(bannerText(elsewhere), './outcome-exchange place'), [
    ...[...order, '--size', '10', '--url', 'http://127.0.0.1:9', '--token', id],
  ]);
});

t.test('dev accounts, data folder and examples are shown only if they exist', async (t) => {
  const alone = bannerText({ ...READY, devAccounts: [], dataDir: '' });
  t.notMatch(alone, 'Dev accounts');
  t.notMatch(alone, 'place-order');
  t.match(alone, 'curl -G');
  t.match(alone, 'in memory only');
  t.notMatch(bannerText({ ...READY, market: undefined }), 'curl');
  const secure = bannerText({ ...READY, url: 'https://127.0.0.1:8443' });
  t.notMatch(secure, /curl|place-order/, 'no certificate is for this address');
});

t.test('the ready line is one line of JSON with the documented keys', async (t) => {
  const line = readyLine(READY);
  t.notMatch(line, '\n');
  t.same(JSON.parse(line), {
    ready: true,
    url: READY.url,
    port: 8080,
    adminPort: 8081,
    dataDir: '/data',
    pid: 7,
    ms: 42,
    devAccounts: READY.devAccounts,
  });
});

t.test('a node says its name and role; without a public API it names no page of it', async (t) => {
  const node = { name: 'core-a', role: 'core' } as const;
  const core = { ...READY, node, url: '', port: 0, devAccounts: [], market: undefined };
  const banner = bannerText(core);
  t.match(banner, 'Node      core-a, started as core\nOperator  http://127.0.0.1:8081/ui/');
  t.notMatch(banner, /Console|API|undefined/);
  t.match(JSON.parse(readyLine(core)), { url: '', port: 0, node });
  t.notOk('node' in JSON.parse(readyLine(READY)));
});
