/** Opens a page at the address that it is given, and waits for an answer. */
import { openBrowser } from './browser.ts';

const [url = ''] = process.argv.slice(2);
const scope = { teardown: () => {} };
const browser = await openBrowser(scope);
await browser.openPage(scope, { url });
