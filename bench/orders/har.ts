/**
 * Prints a HAR file of signed orders of the dev accounts, which load tools such as autocannon send
 * (bench/README.md). Its arguments are the file with the line of `npm start -- --json`, and a
 * number of orders. They are good for five minutes, and a second time answered as repeated.
 */
import { readFileSync } from 'node:fs';
import { Orders } from '../harness/orders.ts';
import { printError } from '../harness/print.ts';

const [file, count = '1000'] = process.argv.slice(2);
if (file === undefined || !/^\d{1,6}$/.test(count)) {
  printError('usage: node bench/orders/har.ts FILE_OF_THE_READY_LINE [COUNT_OF_ORDERS]');
  process.exit(2);
}
const { url, devAccounts } = JSON.parse(readFileSync(file, 'utf8'));
// Safe: the caller names the form of the answer.
const get = async <Reply>(path: string) => (await (await fetch(url + path)).json()) as Reply;
const orders = await Orders.of({ devAccounts, get });
const entries = orders.make(Number(count)).map(({ method, path, headers, body: text }) => ({
  request: {
    method,
    url: url + path,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    postData: { mimeType: 'application/json', text },
  },
}));
process.stdout.write(JSON.stringify({ log: { version: '1.2', entries } }));
