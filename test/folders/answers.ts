/** What an exchange on a recorded folder answers to everybody. */
import { strict as assert } from 'node:assert';

/** The file of the answers in a recorded folder. */
export const ANSWERS = 'answers.json';

/** By path. */
export type Answers = Readonly<Record<string, unknown>>;

interface Listed {
  readonly markets: readonly {
    readonly condition_id: string;
    readonly tokens: readonly { readonly token_id: string }[];
  }[];
  readonly trades: readonly { readonly proxyWallet: string }[];
}

async function read(url: string) {
  const answer = await fetch(url);
  const text = await answer.text();
  assert.ok(answer.ok, `${url}: ${text}`);
  return JSON.parse(text);
}

/** Books and holders of all markets, and trades, positions and activity of who traded. */
export async function readAnswers(url: string): Promise<Answers> {
  const { markets, trades }: Listed = {
    markets: (await read(`${url}/simplified-markets`)).data,
    trades: await read(`${url}/trades?limit=100`),
  };
  const wallets = [...new Set(trades.map(({ proxyWallet }) => proxyWallet))];
  const paths = [
    '/simplified-markets',
    '/trades?limit=100',
    '/events?limit=10',
    ...markets.flatMap(({ condition_id: market, tokens }) => [
      `/holders?market=${market}`,
      ...tokens.map(({ token_id: token }) => `/book?token_id=${token}`),
    ]),
    ...wallets.flatMap((user) => [`/positions?user=${user}`, `/activity?user=${user}`]),
  ];
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = await read(url + path);
  return answers;
}
