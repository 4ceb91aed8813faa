import t from 'tap';
import { shareTestExchange } from '../exchange-fixture.ts';

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
