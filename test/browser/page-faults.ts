/** What goes wrong in a page while a test uses it, as sentences. */
import type { BrowserContext, ConsoleMessage } from 'playwright-core';

const FAULTY_MESSAGES: readonly string[] = ['error', 'warning', 'assert'];
/** A request that failed has a fault of its own, which says more. */
const OF_A_REQUEST = 'Failed to load resource:';
/** The page gave the request up: it has left, or a newer search replaced an older one. */
const GIVEN_UP = 'net::ERR_ABORTED';
const FIRST_FAILURE = 400;
/** Addresses that lead nowhere: their content is in them, or in the page. */
const INSIDE: readonly string[] = ['data:', 'blob:', 'about:'];

/** The origin that serves `url`; a socket has that of its server. */
function originOf(url: string): string {
  return new URL(url.replace(/^ws/, 'http')).origin;
}

function consoleFault(message: ConsoleMessage): string | undefined {
  if (!FAULTY_MESSAGES.includes(message.type())) return undefined;
  if (message.text().startsWith(OF_A_REQUEST)) return undefined;
  const { url, lineNumber } = message.location();
  return `console ${message.type()}: ${message.text()} (${url}:${lineNumber})`;
}

/**
 * Collects the faults of all pages of a context from now on: errors and warnings in the console,
 * among them violations of the content security policy; exceptions that nothing caught; requests
 * that fail or are refused; and requests to an origin that is not in `origins`.
 */
export function watchFaults(context: BrowserContext, origins: readonly string[]): string[] {
  const faults: string[] = [];
  const checkAddress = (what: string, url: string): void => {
    if (INSIDE.includes(new URL(url).protocol) || origins.includes(originOf(url))) return;
    faults.push(`${what} ${url} goes outside: only ${origins.join(', ')} may be asked`);
  };
  context.on('console', (message) => {
    const fault = consoleFault(message);
    if (fault !== undefined) faults.push(fault);
  });
  context.on('weberror', (error) => {
    const cause = error.error();
    faults.push(`uncaught: ${cause.stack ?? cause.message}`);
  });
  context.on('request', (request) => checkAddress(request.method(), request.url()));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'without a reason';
    if (reason === GIVEN_UP) return;
    faults.push(`${request.method()} ${request.url()} failed: ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() < FIRST_FAILURE) return;
    faults.push(`${response.request().method()} ${response.url()} got ${response.status()}`);
  });
  context.on('page', (page) => {
    page.on('websocket', (socket) => checkAddress('a socket to', socket.url()));
    page.on('crash', () => faults.push(`the page ${page.url()} crashed`));
  });
  return faults;
}
