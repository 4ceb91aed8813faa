/** The recipes: each program survives what the commands of its section make happen. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Example } from './example-process.ts';
import { shareTestExchange, type TestExchange } from './http/exchange-fixture.ts';
import { newTrader, type Trader } from './published-client.ts';
import { programPath, RECIPES_FILE, sectionOf } from './recipe-page.ts';
import { makeFault, readFault, removeFault, sendOperator } from './sandbox/fault-fixture.ts';

const PAGE = readFileSync(RECIPES_FILE, 'utf8');
const share = await shareTestExchange(t, { now: Date.now });

/** A market of its own, a trader who offers in it, and the account of a program. */
async function setScene() {
  const exchange = share();
  const { plain, running } = exchange;
  const key = generatePrivateKey();
  return {
    exchange,
    key,
    address: privateKeyToAccount(key).address.toLowerCase(),
    maker: await newTrader('maker', running.url, Chain.POLYGON),
    yes: plain.tokenIds[0],
    no: plain.tokenIds[1],
    environment: {
      HOST: running.url,
      TOKEN_ID: plain.tokenIds[0],
      PRIVATE_KEY: key,
      FIRST_WAIT_MS: '20',
    },
  };
}

/** An offer of YES: a bid for NO at the complement. */
async function offer(maker: Trader, noToken: string, price: number, size: number) {
  const order = { tokenID: noToken, side: Side.BUY, price: Number((1 - price).toFixed(2)), size };
  const { success } = await maker.client.createAndPostOrder(order);
  assert.equal(success, true);
}

/** A command of the page: a request to the operator's listener. */
interface Command {
  readonly path: string;
  readonly body: string;
}

/** The commands in the section of a program, in order. */
function commandsOf(name: string): readonly Command[] {
  const commands = sectionOf(PAGE, name).matchAll(
    /^operator http:\/\/127\.0\.0\.1:8081(\/\w+) -d '(.*)'$/gm,
  );
  return [...commands].map(([, path = '', body = '']) => ({ path, body }));
}

/** Carries out a command; returns the id of the fault that it makes. */
async function carryOut(
  exchange: TestExchange,
  command: Command | undefined,
  address = '',
): Promise<string> {
  assert.ok(command !== undefined, 'the page has the command');
  const value = JSON.parse(command.body.replace(`'$ADDRESS'`, address));
  const { status, text } = await sendOperator(exchange, 'POST', command.path, value);
  assert.equal(status, 200, text);
  return JSON.parse(text).id;
}

async function sizeOf({ send }: TestExchange, address: string): Promise<number> {
  const positions: { readonly size: number }[] = JSON.parse(
    (await send('GET', `/positions?user=${address}`)).text,
  );
  return positions.reduce((sum, { size }) => sum + size, 0);
}

t.test('an order whose answer is lost three times buys once', async (t) => {
  const { exchange, maker, no, address, environment } = await setScene();
  await offer(maker, no, 0.5, 100);
  const id = await carryOut(exchange, commandsOf('lost-answer.ts')[0]);
  const program = new Example(t, programPath('lost-answer.ts'), environment);
  t.equal(await program.end(), 0, program.output);
  t.equal(program.output.match(/sending the same order again/g)?.length, 3, program.output);
  t.match(program.output, /0x[0-9a-f]{64} is matched$/);
  t.equal(await sizeOf(exchange, address), 10);
  t.match(await readFault(exchange, id), { fired: 3, hits: [{ owner: address }] });
  await removeFault(exchange, id);
});

t.test('who signs a new order after each lost answer buys four times', async (t) => {
  const { exchange, maker, yes, no } = await setScene();
  await offer(maker, no, 0.5, 100);
  const id = await carryOut(exchange, commandsOf('lost-answer.ts')[0]);
  const naive = await newTrader('naive', exchange.running.url, Chain.POLYGON);
  const order = { tokenID: yes, side: Side.BUY, price: 0.6, size: 10 };
  for (let isAnswered = false; !isAnswered; ) {
    const { success } = await naive.client.createAndPostOrder(order, {}, OrderType.GTC);
    isAnswered = success === true;
  }
  t.equal(await sizeOf(exchange, naive.address.toLowerCase()), 40);
  await removeFault(exchange, id);
});

t.test('a program leaves a silent socket and is sent what it missed', async (t) => {
  const { exchange, maker, no, environment } = await setScene();
  await offer(maker, no, 0.66, 20);
  const program = new Example(t, programPath('silent-socket.ts'), {
    ...environment,
    SILENCE_MS: '400',
    RECONNECT_MS: '20',
  });
  await program.prints(/^book \d+: best ask 0\.66$/);
  const id = await carryOut(exchange, commandsOf('silent-socket.ts')[0]);
  await offer(maker, no, 0.61, 20);
  await program.prints('silent; connecting again');
  await program.prints(/^price_change \d+: best ask 0\.61$/);
  await removeFault(exchange, id);
  let price = 0.7;
  for (const [kind, reason] of [
    ['closed_socket', 'closed'],
    ['sequence_gap', 'a message is missing'],
  ] as const) {
    const fault = await makeFault(exchange, { kind, match: { path: '/ws/market' } });
    let isPrinted = false;
    const printed = program.prints(`${reason}; connecting again`).finally(() => {
      isPrinted = true;
    });
    // The program may be connecting just when a message is to be left out.
    for (; !isPrinted; price = price < 0.95 ? price + 0.01 : 0.7) {
      await offer(maker, no, price, 20);
    }
    await printed;
    await removeFault(exchange, fault);
  }
});

t.test('a program quotes and trades through a restart of the venue', async (t) => {
  const { exchange, maker, no, address, environment } = await setScene();
  await offer(maker, no, 0.5, 100);
  const [restart, moveToPostOnly, moveToEnd] = commandsOf('restart.ts');
  const id = await carryOut(exchange, restart);
  const program = new Example(t, programPath('restart.ts'), environment);
  await program.prints('10 at 0.3: the venue restarts, waiting');
  await carryOut(exchange, moveToPostOnly);
  await program.prints('10 at 0.3: live');
  await program.prints('10 at 0.6: post-only mode, waiting');
  t.equal(await sizeOf(exchange, address), 0);
  await carryOut(exchange, moveToEnd);
  await program.prints('10 at 0.6: matched');
  t.equal(await program.end(), 0);
  t.equal(await sizeOf(exchange, address), 10);
  await removeFault(exchange, id);
});

t.test('a program takes a fill back when its trade has failed', async (t) => {
  const { exchange, maker, yes, no, address, key, environment } = await setScene();
  const program = new Example(t, programPath('ghost-fill.ts'), environment);
  await program.prints('listening');
  const own = await newTrader('own', exchange.running.url, Chain.POLYGON, key);
  const buy = async (): Promise<void> => {
    await offer(maker, no, 0.5, 10);
    await own.client.createAndPostOrder({ tokenID: yes, side: Side.BUY, price: 0.5, size: 10 });
  };
  await buy();
  await program.prints('MATCHED: 0 sure, 10 pending');
  await program.prints('CONFIRMED: 10 sure, 0 pending');
  const id = await carryOut(exchange, commandsOf('ghost-fill.ts')[0], address);
  await buy();
  await program.prints('MATCHED: 10 sure, 10 pending');
  await sendOperator(exchange, 'POST', '/time', { seconds: 5 });
  await program.prints('RETRYING: 10 sure, 10 pending');
  await program.prints('FAILED: 10 sure, 0 pending');
  await program.prints('the balance says 20');
  await removeFault(exchange, id);
  await program.prints('CONFIRMED: 20 sure, 0 pending');
});
