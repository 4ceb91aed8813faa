import t from 'tap';
import { siteOf } from '../../../http/api/site.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';

const share = await shareTestExchange(t);

t.test('the pictures of the built-in catalog are served, and nothing else', async (t) => {
  const { running } = share();
  const found = await fetch(`${running.url}/images/weather.svg`);
  t.equal(found.status, 200);
  t.equal(found.headers.get('content-type'), 'image/svg+xml');
  t.match(found.headers.get('content-security-policy'), /default-src 'none'.*sandbox/);
  t.match(await found.text(), /^<svg /);
  for (const file of ['weather', 'weather.png', '..%2findex.ts', '__proto__', 'weather.svg%00']) {
    const { status } = await fetch(`${running.url}/images/${file}`);
    t.ok(status === 404 || status === 400, `${file}: ${status}`);
  }
});

t.test('a page of another origin gets whole URLs of pictures, everybody else paths', async (t) => {
  const { running, plain, send } = share();
  const own = running.url;
  const paths = [
    '/gamma/events?limit=3',
    `/gamma/markets?condition_ids=${plain.conditionId}`,
    '/gamma/markets/keyset?limit=2',
    `/markets/${plain.conditionId}`,
    '/clob/markets',
    '/public-search?q=will',
  ];
  for (const path of paths) {
    const before = (await send('GET', path)).text;
    t.match(before, /:"\/images\/\w+\.svg"/, path);
    const same = await send('GET', path, { headers: { origin: own } });
    t.equal(same.text, before, `${path}: a page of this exchange`);
    // Anybody could once say that the exchange has TLS, and so break the pictures of a page.
    const headers = { origin: 'https://app.example', 'x-forwarded-proto': 'https' };
    const other = await send('GET', path, { headers });
    t.equal(other.headers.get('vary'), 'Origin', `${path}: no cache mixes them up`);
    t.equal(other.text, before.replaceAll(':"/images/', `:"${own}/images/`), path);
  }
});

t.test(
  'the address of pictures is the host that was asked, with TLS where it is used',
  async (t) => {
    const page = 'https://app.example';
    const rows: readonly (readonly [headers: object, isSecure: boolean, base: string])[] = [
      [{ host: 'x.example', origin: page }, false, 'http://x.example'],
      [{ host: 'x.example:8080', origin: page }, true, 'https://x.example:8080'],
      [{ host: '[::1]:8080', origin: page }, false, 'http://[::1]:8080'],
      [{ host: 'x.example', origin: 'null' }, false, 'http://x.example'],
      [{ host: 'app.example', origin: page }, false, ''],
      [{ host: 'x.example' }, false, ''],
      [{ host: 'x.example/"<', origin: page }, false, ''],
      [{ host: '', origin: page }, false, ''],
    ];
    for (const [headers, isSecure, pictureBase] of rows) {
      const known = new Map<string, string>(Object.entries(headers));
      t.match(
        siteOf(
          (name) => known.get(name) ?? '',
          () => isSecure,
        ),
        { pictureBase },
        pictureBase,
      );
    }
  },
);
