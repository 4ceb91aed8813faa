/**
 * docs/clients.md: for each public client, the settings that point it at an exchange. Its code
 * blocks are files of docs/examples/clients, which client-settings.test.ts runs.
 */
import { readFileSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };

const versions = packageJson.devDependencies;

const EXAMPLES = new URL('../../../docs/examples/clients/', import.meta.url);

interface ClientSettings {
  readonly title: string;
  /** A file of docs/examples/clients. */
  readonly example: string;
  readonly settings: string;
}

const SECOND_VERSION = `
Set \`host\` and \`chain\`. Keep \`throwOnError: true\`: without it this client returns a refusal as
a value (\`{ error, status }\`), and a program that does not check it continues as if the order were
placed.`;

const FIRST_VERSION = `
This is the first version of the same client. Its host is the first argument. It returns refusals
as values too: check \`success\` in each answer.`;

const CCXT = `
Its exchange \`ccxt.prediction.polymarket\` has one address for each surface, in \`urls.api\`. Give
it \`privateKey\`, the \`walletAddress\` of that key and the signature type 0, which is a plain
wallet.`;

const SOCKETS = `
Any WebSocket client works. This example uses the one that Node 22 has.
[subscribers.md](subscribers.md) says how to notice lost messages, and
[examples/bot.ts](examples/bot.ts) does it on both sockets.`;

const UNIFIED = `
The official SDK. \`forkEnvironmentConfig\` takes one address for each surface. \`wallet\` is the
address of the key: without it the SDK trades for a wallet contract of the key.`;

/** Clients whose code was run. */
export const RUN_CLIENTS: readonly ClientSettings[] = [
  {
    title: `\`@polymarket/client\` ${versions['@polymarket/client']}`,
    example: 'unified.ts',
    settings: UNIFIED,
  },
  {
    title: `\`@polymarket/clob-client-v2\` ${versions['@polymarket/clob-client-v2']}`,
    example: 'order-book-v2.ts',
    settings: SECOND_VERSION,
  },
  {
    title: `\`@polymarket/clob-client\` ${versions['@polymarket/clob-client']}`,
    example: 'order-book-v1.ts',
    settings: FIRST_VERSION,
  },
  {
    title: `\`@polymarket/real-time-data-client\` ${versions['@polymarket/real-time-data-client']}`,
    example: 'live-data.ts',
    settings: '\nIts `host` is the address of `/ws/live`, path included.',
  },
  { title: `\`ccxt\` ${versions.ccxt}`, example: 'ccxt.ts', settings: CCXT },
  { title: 'Sockets without a client', example: 'sockets.ts', settings: SOCKETS },
];

interface UntriedClient {
  readonly name: string;
  readonly settings: string;
  /** The public source that says so. */
  readonly source: string;
}

/** Clients in other languages, which the tests do not run. */
const UNTRIED_CLIENTS: readonly UntriedClient[] = [
  {
    name: '`py-clob-client` (Python)',
    settings:
      '`ClobClient(HOST, chain_id=137, key=PRIVATE_KEY)`, then ' +
      '`set_api_creds(create_or_derive_api_creds())`',
    source: '`py_clob_client/client.py` of Polymarket/py-clob-client',
  },
  {
    name: '`py-clob-client-v2` (Python)',
    settings: '`ClobClient(host=HOST, chain_id=137, key=PRIVATE_KEY, creds=creds)`',
    source: '`examples/e2e.py` of Polymarket/py-clob-client-v2',
  },
  {
    name: '`polymarket-client` (Python)',
    settings: '[python.md](python.md#your-client): it has no public way to name other addresses',
    source: '`src/polymarket/clients/secure.py` and `environments.py` of Polymarket/py-sdk',
  },
  {
    name: '`polymarket-client-sdk` (Rust)',
    settings:
      '`clob::Client::new(HOST, Config::default())`; for sockets ' +
      '`clob::ws::Client::new("ws://127.0.0.1:8080", Config::default())`, which adds ' +
      '`/ws/market` and `/ws/user` itself',
    source: '`README.md` and `src/clob/ws/client.rs` of Polymarket/rs-clob-client',
  },
  {
    name: '`nautilus_trader` (Python)',
    settings:
      '`base_url_http` and `base_url_ws` of `PolymarketDataClientConfig` and ' +
      '`PolymarketExecClientConfig`',
    source: '`nautilus_trader/adapters/polymarket/config.py` of nautechsystems/nautilus_trader',
  },
];

/** The project's folder as the page sees it. */
const PROJECT = '../';

const DIALECTS = `${PROJECT}http/wire/0-ground-rules.md#014-dialects`;
/** General settings and their values. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['host', '`http://127.0.0.1:8080`, the same for the order book, the catalog and analytics'],
  ['an address for the catalog or for analytics', 'the host with `/gamma`, or with `/data-api`'],
  ['sockets', '`ws://127.0.0.1:8080/ws/market`, `/ws/user` and `/ws/live`'],
  ['chain', '137 or 80002'],
  [
    'contracts',
    'none: the clients know the contracts of the public venues, and the exchange accepts those',
  ],
  ['signature type', '0, unless the orders are those of a wallet contract'],
  ['dialect', `none: the headers of the client choose it ([wire 0.14](${DIALECTS}))`],
];

const HEAD = `# Settings for each client

This page has the settings that point a public client at an exchange on this machine. Each code
block is a file of [examples/clients](examples/clients), and the tests run that very file against a
real exchange.
\`npm run documents\` writes this page. What each client can do here, method by method, is in
 [COMPATIBILITY.md](${PROJECT}COMPATIBILITY.md).

The examples read \`PRIVATE_KEY\` and \`TOKEN_ID\` from the environment: a key of a dev account and
a token that \`npm start\` printed. In this repository, where the first command installs the
clients:

\`\`\`sh
npm install --no-save
PRIVATE_KEY=0x... TOKEN_ID=... node_modules/.bin/node docs/examples/clients/order-book-v2.ts
\`\`\`

| setting | value |
| --- | --- |
${SETTINGS.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`;

const UNTRIED = `## Without a client

In Python, [python.md](python.md): an exchange in each test, and settings of the public clients in
one call. In any other language, [sandbox.md](sandbox.md#signing-without-a-client): signed orders
for curl.

## Not run here

The tests have no Rust and no registry of Python packages. These settings are taken from the public
sources named beside them and **were not run**. Requests that some of these clients had sent are
part of the tests, byte for byte.

| client | settings | source |
| --- | --- | --- |`;

export function exampleUrl(example: string): URL {
  return new URL(example, EXAMPLES);
}

function clientText({ title, example, settings }: ClientSettings): string {
  const code = readFileSync(exampleUrl(example), 'utf8').trimEnd();
  const link = `[examples/clients/${example}](examples/clients/${example})`;
  return `## ${title}\n${settings}\n\n${link}:\n\n\`\`\`ts\n${code}\n\`\`\``;
}

/** The whole page. */
export function clientsText(): string {
  const rows = UNTRIED_CLIENTS.map(
    ({ name, settings, source }) => `| ${name} | ${settings} | ${source} |`,
  );
  const untried = [UNTRIED, ...rows].join('\n');
  return `${[HEAD, ...RUN_CLIENTS.map(clientText), untried].join('\n\n')}\n`;
}
