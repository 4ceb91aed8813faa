// Markets and accounts in the states in which strict clients read answers. Markets: one that the
// operator made, an imported one, one of a neg-risk event, a resolved one, and imported ones that
// do not trade here. Accounts: one that does nothing, and one that trades in each market.
import {
  type Answer,
  NEG_RISK_DOMAIN,
  type OrderWishes,
  type TestExchange,
  type Trader,
} from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { authOf } from '../../http/streams/user/user-fixture.ts';

/** What a question may name, by placeholder. */
export type Names = Readonly<Record<string, string>>;

const condition = (number: number): string => `0x${`${number}`.repeat(21)}0`;

function importedMarket(number: number, changes: object): object {
  return {
    id: `${number}`,
    slug: `market-${number}`,
    question: `Question ${number}?`,
    conditionId: condition(number),
    clobTokenIds: `["${number}1", "${number}2"]`,
    outcomes: '["Yes", "No"]',
    ...changes,
  };
}

const TRADABLE = { active: true, enableOrderBook: true, acceptingOrders: true, closed: false };

/** As the public catalog shows a market that has ended. */
const ENDED = {
  ...{ active: true, enableOrderBook: true, acceptingOrders: false, closed: true },
  ...{ umaResolutionStatus: 'resolved', umaResolutionStatuses: '["proposed","resolved"]' },
  ...{ outcomePrices: '["1", "0"]', closedTime: '2026-05-01 10:00:00+00', umaBond: '500' },
  ...{ volume: '12.5', volumeNum: 12.5, sportsMarketType: 'moneyline', gameId: '7' },
};

/** Imported records: the least that they can have, one that trades, and one that has ended. */
const RECORDS: Readonly<Record<string, readonly unknown[]>> = {
  events: [
    { id: '900', slug: 'least', title: 'Least', markets: [importedMarket(900, {})] },
    {
      ...{ id: '901', slug: 'brought', title: 'Brought', volume: 7, liquidity: 3 },
      tags: [
        { id: '901', slug: 'brought-tag', label: 'Brought' },
        { id: '902', slug: 'other-tag', label: 'Other' },
      ],
      series: [{ id: '901', slug: 'brought-series', title: 'Brought' }],
      markets: [importedMarket(901, TRADABLE)],
    },
    {
      ...{ id: '903', slug: 'ended', title: 'Ended', closed: true },
      markets: [importedMarket(903, ENDED)],
    },
  ],
  creators: [{ id: '900' }],
  teams: [{ id: 900, name: 'Least' }],
  sports: [{ id: 900, sport: 'least' }],
  marketTypes: ['moneyline'],
};

function importedNames(number: number, slug: string, title: string): Names {
  const event = { event: `${number}`, eventSlug: slug, title };
  return { ...event, id: `${number}`, slug: `market-${number}`, known: condition(number) };
}

/** Names of a market that trades here. */
interface Traded extends Names {
  readonly condition: string;
  readonly token: string;
  readonly other: string;
  readonly event: string;
}

export type MarketState = 'native' | 'imported' | 'negRisk' | 'resolved' | 'least' | 'ended';
export type AccountState = 'empty' | 'full';

export interface Scene {
  readonly exchange: TestExchange;
  readonly traders: Readonly<Record<AccountState, Trader>>;
  /** The counterpart of the full account. */
  readonly bob: Trader;
  readonly markets: Readonly<Record<MarketState, Names>>;
  readonly traded: Readonly<Record<'native' | 'imported' | 'negRisk' | 'resolved', Traded>>;
}

/** Throws for an answer that is not 200. */
export async function done(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  if (given.status !== 200) throw new Error(`${given.status} ${given.text}`);
  return given;
}

async function makeEvent(
  { operator, send }: TestExchange,
  slug: string,
  more: object,
): Promise<Traded> {
  const title = slug.replace(/^./, (letter) => letter.toUpperCase());
  const markets = [{ slug, question: `${title}?` }];
  const made = await done(operator('POST', '/events', { slug, title, markets, ...more }));
  const { event_id: event, markets: all } = JSON.parse(made.text);
  const [{ condition_id: known, token_ids: tokens }] = all;
  const [token, other] = tokens;
  const { id } = JSON.parse((await done(send('GET', `/markets/slug/${slug}`))).text);
  const market = { id, slug, known, condition: known, token, other };
  return { event, eventSlug: slug, title, ...market };
}

async function importMarket({ running, operator }: TestExchange): Promise<Traded> {
  for (const [kind, records] of Object.entries(RECORDS)) {
    const text = Buffer.from(JSON.stringify(records));
    // Safe: the names are kinds.
    const page = { source: 'https://states.example', kind: kind as 'teams', text, mark: '' };
    await running.services.exchange.catalog.write.putPage(page);
  }
  const known = condition(901);
  await done(operator('POST', `/markets/${known}/open`, {}));
  const names = importedNames(901, 'brought', 'Brought');
  const words = { tag: 'brought-tag', tagId: '901', series: 'brought-series', seriesId: '901' };
  const tokens = { token: '9011', other: '9012' };
  return { ...names, ...words, ...tokens, event: '901', condition: known };
}

/** Makes the accounts and the markets, before any trade. */
export async function makeScene(exchange: TestExchange): Promise<Scene> {
  const [full, bob, empty] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
  ];
  const choices = ['choice', 'other-choice', 'third-choice'];
  const traded = {
    native: await makeEvent(exchange, 'bare', {}),
    imported: await importMarket(exchange),
    negRisk: await makeEvent(exchange, 'choice', {
      ...{ negRisk: true, open: true, tags: [{ slug: 'chosen', label: 'Chosen' }] },
      markets: choices.map((slug) => ({ slug, question: `${slug}?` })),
    }),
    resolved: await makeEvent(exchange, 'over', { endDate: '2026-06-02T00:00:00Z' }),
  };
  const markets = {
    ...traded,
    least: importedNames(900, 'least', 'Least'),
    ended: importedNames(903, 'ended', 'Ended'),
  };
  return { exchange, traders: { empty, full }, bob, markets, traded };
}

/** The code of the builder that the full account's orders name. */
export function builderOf({ address }: Trader): string {
  return `0x${'0'.repeat(24)}${address.slice(2)}`;
}

/** Checks an answer about the market of a trade. */
type Check = (route: string, answer: Answer) => void;

/**
 * The full account buys, splits, sells, merges, places and cancels orders in a market; it keeps
 * tokens of the first outcome, and an order, whose id is returned.
 */
export async function trade(
  { traders: { full }, bob }: Scene,
  { condition: market, token, other }: Traded,
  { check, isNegRisk }: { readonly check: Check; readonly isNegRisk: boolean },
): Promise<string> {
  const own = isNegRisk ? { domain: NEG_RISK_DOMAIN } : {};
  const builder = builderOf(bob);
  const order = (wishes: OrderWishes) => full.order({ ...own, changes: { builder }, ...wishes });
  await done(bob.place({ tokenId: other, priceTicks: 6_000, lots: 1_000, ...own }));
  const buy = order({ tokenId: token, priceTicks: 4_000, lots: 1_500 });
  check('POST /order', await full.signed('POST', '/order', buy));
  for (const [kind, amount] of Object.entries({ split: '20', merge: '5' })) {
    await done(full.signed('POST', `/sets/${kind}`, { market, amount, key: `${kind}-${market}` }));
  }
  // In a neg-risk market some tokens are kept, to be converted later.
  const sold = { tokenId: other, priceTicks: 5_500, lots: isNegRisk ? 1_000 : 1_500 };
  await done(bob.place({ ...sold, ...own }));
  const sale = order({ ...sold, side: 'SELL' });
  await done(full.signed('POST', '/order', sale));
  const tokens = [token, token, token, token, other];
  const rest = tokens.map((tokenId, place) =>
    order({ tokenId, priceTicks: 3_000 + 100 * place, lots: 500 }),
  );
  const placed = await full.signed('POST', '/orders', rest);
  check('POST /orders', placed);
  const [first, second, third]: { orderID: string }[] = JSON.parse(placed.text);
  check('DELETE /order', await full.cancel(first?.orderID));
  const known = [second?.orderID, `0x${'1'.repeat(64)}`];
  check('DELETE /orders', await full.signed('DELETE', '/orders', known));
  const all = { market, asset_id: other };
  check('DELETE /cancel-market-orders', await full.signed('DELETE', '/cancel-market-orders', all));
  // The rest of the first order and the last of the others are filled.
  await done(bob.place({ tokenId: other, priceTicks: 6_700, lots: 1_000, ...own }));
  return third?.orderID ?? '';
}

/** Comments on an event; another account's reaction is added and removed. Returns the comment. */
export async function talk({ traders: { full }, bob }: Scene, event: string): Promise<string> {
  const parent = { parent_entity_type: 'Event', parent_entity_id: Number(event) };
  const said = await done(full.signed('POST', '/comments', { body: 'Clouds.', ...parent }));
  const { id } = JSON.parse(said.text);
  const reactions = `/comments/${id}/reactions`;
  await done(bob.signed('POST', reactions, { reaction_type: 'HEART' }));
  await done(bob.signed('DELETE', `${reactions}?reaction_type=HEART`));
  return `${id}`;
}

/** Listens as the SDK does: to books, to the account's orders, and to comments. */
export async function listen({ running, plain }: TestExchange, trader: Trader) {
  const all = { custom_feature_enabled: true };
  const asked = {
    market: { type: 'market', assets_ids: plain.tokenIds, ...all },
    user: { type: 'user', markets: [], auth: authOf(trader), ...all },
    live: { action: 'subscribe', subscriptions: [{ topic: 'comments', type: '*' }] },
  };
  const clients = new Map<string, StreamClient>();
  for (const [channel, request] of Object.entries(asked)) {
    const client = await StreamClient.open(running.url, `/ws/${channel}`);
    client.send(request);
    await client.settled();
    clients.set(channel, client);
  }
  return {
    follow: async (assets_ids: readonly string[]): Promise<void> => {
      clients.get('market')?.send({ operation: 'subscribe', assets_ids, ...all });
      await clients.get('market')?.settled();
    },
    /** All messages by channel and name. */
    heard: async () => {
      const messages: (readonly [name: string, message: object])[] = [];
      for (const [channel, client] of clients) {
        await client.settled();
        for (const message of client.messages) {
          messages.push([`${channel}.${message.event_type ?? message.type}`, message]);
        }
        client.close();
      }
      return messages;
    },
  };
}
