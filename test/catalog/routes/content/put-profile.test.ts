import t from 'tap';
import { Compile } from 'typebox/compile';
import { putProfile } from '../../../../catalog/routes/content/put-profile.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { pseudonymOf } from '../../../../persistence/index.ts';
import { ask, say, shareSpeakers } from './content-fixture.ts';

const isProfile = Compile(putProfile.response);

const speak = await shareSpeakers(t);

t.test(
  'a profile holds what its owner wrote and a pseudonym derived from the address',
  async (t) => {
    const speakers = await speak();
    const { exchange, ada } = speakers;
    const put = (body: object) => ask(ada, 'PUT', '/profile', body);
    const address = toChecksumAddress(ada.address);
    const said = {
      name: 'Ada',
      bio: 'Weather.\nAnd more.',
      profile_image: 'https://img.example/a.png',
    };
    const { status, body } = await put(said);
    t.equal(status, 200);
    t.ok(isProfile.Check(body), 'as documented');
    t.match(body, {
      name: 'Ada',
      bio: 'Weather.\nAnd more.',
      profileImage: 'https://img.example/a.png',
      pseudonym: pseudonymOf(address),
      proxyWallet: address,
      displayUsernamePublic: true,
    });
    const read = async () =>
      JSON.parse((await exchange.send('GET', `/public-profile?address=${address}`)).text);
    t.same(await read(), body, 'it can be read');
    await put({ bio: '', display_username_public: false });
    t.match(await read(), { name: 'Ada', bio: '', displayUsernamePublic: false }, 'the rest stays');
    t.match((await say(speakers, ada)).body, {
      profile: { name: 'Ada', displayUsernamePublic: false, baseAddress: address },
    });
  },
);

t.test('names and picture addresses are validated and normalised', async (t) => {
  const { ada } = await speak();
  const rows: readonly (readonly [body: object, expected: object])[] = [
    [{ name: 'a\nb' }, { field: 'name', limit: 'a text without control characters' }],
    [{ name: 'x'.repeat(65) }, { field: 'name', limit: '0..64 characters', actual: 65 }],
    [{ bio: 'x'.repeat(501) }, { field: 'bio', limit: '0..500 characters' }],
    [{ profile_image: 'javascript:alert(1)' }, { field: 'profile_image' }],
    [{ profile_image: '//elsewhere.example/a.png' }, { field: 'profile_image' }],
    [{ profile_image: 'https://a.example/"><script>' }, { field: 'profile_image' }],
    [{ profile_image: 'https://user:word@a.example/' }, { field: 'profile_image' }],
    [{ display_username_public: 'yes' }, { field: 'display_username_public' }],
  ];
  for (const [body, expected] of rows) {
    const told = await ask(ada, 'PUT', '/profile', body);
    t.match(told, { status: 400, body: { code: 'invalid_payload', ...expected } });
  }
  const told = await ask(ada, 'PUT', '/profile', { profile_image: '/images/ada.svg' });
  t.match(told, { status: 200, body: { profileImage: '/images/ada.svg' } });
});

t.test('pseudonyms are two words, whatever the case of the address', async (t) => {
  const addresses = Array.from({ length: 500 }, (_, index) => `0x${`${index}`.padStart(40, 'a')}`);
  const names = new Set(addresses.map(pseudonymOf));
  for (const name of names) t.match(name, /^[A-Z][a-z]+-[A-Z][a-z]+$/);
  t.ok(names.size > 450, 'few have the same');
  t.equal(pseudonymOf(`0x${'aB'.repeat(20)}`), pseudonymOf(`0x${'Ab'.repeat(20)}`));
});
