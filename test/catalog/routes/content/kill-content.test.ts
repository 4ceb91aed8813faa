// A process that stores comments is killed again and again. Each comment that it acknowledged is
// stored afterwards, exactly once.
import t from 'tap';
import { type ExchangeProcess, startExchangeProcess } from '../../../exchange-process.ts';
import { sendTo, Trader } from '../../../http/exchange-fixture.ts';
import { makeSigner } from '../../../http/signing/fixtures.ts';
import { times } from '../../../long-set.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const ROUNDS = times(1, 3);
const LINES = 4;
const ANSWERS_A_ROUND = 30;
const EVENT_ID = 11;

const clock = {
  get ms() {
    return Date.now();
  },
};

function commentOf(body: string) {
  return {
    body,
    parent_entity_type: 'Event',
    parent_entity_id: EVENT_ID,
    key: body.replaceAll(' ', '-'),
  };
}

/** Posts comments until the process dies. Returns the answers by text. */
async function speakUntilKilled(exchange: ExchangeProcess, round: number) {
  const answered = new Map<string, string>();
  const line = async (number: number): Promise<void> => {
    const signer = makeSigner(number + 1);
    const trader = new Trader({ url: exchange.url, clock, signer, prefix: 'POLY' });
    await trader.login();
    for (let count = 0; ; count += 1) {
      const body = `round ${round}, line ${number}, comment ${count}`;
      const { status, text } = await trader.signed('POST', '/comments', commentOf(body));
      if (status !== 200) throw new Error(text);
      answered.set(body, `${JSON.parse(text).id}`);
      if (answered.size === ANSWERS_A_ROUND) exchange.killHard();
    }
  };
  await Promise.allSettled(Array.from({ length: LINES }, (_, number) => line(number)));
  await exchange.killHard();
  return answered;
}

t.test('acknowledged comments survive kill -9, and a retry creates no second one', async (t) => {
  const folder = temporaryFolder(t);
  const all = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const answered = await speakUntilKilled(await startExchangeProcess(folder), round);
    t.ok(answered.size >= ANSWERS_A_ROUND, `${answered.size} were answered`);
    for (const [body, id] of answered) all.set(body, id);
  }
  const exchange = await startExchangeProcess(folder);
  t.teardown(() => exchange.killHard());
  const stored = new Map<string, string>();
  for (let offset = 0; ; offset += 100) {
    const page = `/comments?parent_entity_type=Event&parent_entity_id=${EVENT_ID}&limit=100`;
    const { text } = await sendTo(exchange.url, 'GET', `${page}&offset=${offset}`);
    const comments: readonly { readonly id: string; readonly body: string }[] = JSON.parse(text);
    for (const { id, body } of comments) {
      t.notOk(stored.has(body), `${body} is stored once`);
      stored.set(body, id);
    }
    if (comments.length < 100) break;
  }
  for (const [body, id] of all) t.equal(stored.get(body), id, body);
  const [last = ''] = [...all.keys()].slice(-1);
  const number = Number(/line (\d+)/.exec(last)?.[1]);
  const signer = makeSigner(number + 1);
  const trader = new Trader({ url: exchange.url, clock, signer, prefix: 'POLY' });
  await trader.login();
  const again = await trader.signed('POST', '/comments', commentOf(last));
  t.match(JSON.parse(again.text), { id: all.get(last), duplicate: true });
});
