/** The built script of /docs is what its sources build to, and signs as they do. */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { buildDocs } from '../../../.ci/console.mjs';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import { RequestSigner } from '../../../console/browser/docs/request-signer.ts';

const FOLDER = new URL('../../../http/documentation/built/', import.meta.url);

t.test('the committed files are those of `npm run console`', async (t) => {
  const built = await buildDocs();
  t.strictSame([...built.keys()].sort(), readdirSync(FOLDER).sort());
  for (const [name, bytes] of built) {
    const committed = readFileSync(new URL(name, FOLDER));
    t.ok(committed.equals(bytes), `${name} is out of date: run npm run console`);
  }
});

t.test('the built script signs, and loads nothing else', async (t) => {
  const { href } = new URL('signing.js', FOLDER);
  // Safe: it is built from that room.
  const built = (await import(href)) as { RequestSigner: typeof RequestSigner };
  const [key = ''] = DEV_KEYS;
  const document = {
    paths: { '/auth/api-key': { post: { security: [{ walletSignature: [] }] } } },
  };
  const facts = { chainIds: [137], domains: [], devAccounts: [] };
  const request = { url: '/auth/api-key', method: 'POST' };
  const [expected, actual] = await Promise.all(
    [RequestSigner, built.RequestSigner].map((Signer) =>
      new Signer({ document, facts, base: 'http://127.0.0.1' }).sign(request, key),
    ),
  );
  t.match(actual?.headers, { SERVICE_SIGNATURE: /^0x[0-9a-f]{130}$/ });
  t.equal(actual?.headers?.SERVICE_ADDRESS, expected?.headers?.SERVICE_ADDRESS);
  t.notMatch(readFileSync(new URL('signing.js', FOLDER), 'utf8'), /\bimport\b[^.]*from|\bimport\(/);
});
