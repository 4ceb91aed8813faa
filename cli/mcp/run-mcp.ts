/** The command `mcp`: finds or starts an exchange, and serves its tools to an agent. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import { allRoutes } from '../../venue/index.ts';
import { DEV_KEYS } from '../options/dev-keys.ts';
import { MCP_OPTIONS, type McpValues } from '../options/mcp-options.ts';
import { readNamedText } from '../parser/named-files.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import {
  FROM_DEFAULT,
  type ResolvedOptions,
  resolveOptions,
  type Sources,
} from '../parser/resolve-options.ts';
import { type ServeContext, serve } from '../serve/index.ts';
import { callTool, type ToolContext } from './calls.ts';
import type { CalledExchange } from './exchange.ts';
import { toolsOf } from './tools.ts';

const LOOPBACK = '127.0.0.1';
const HTTP_PATH = '/mcp';
const HTTP_BODY_BYTES = 65_536;
const HTTP_SOCKETS = 64;
const TOKEN_BYTES = 32;

type Place = Omit<CalledExchange, 'wallet' | 'chainId'>;

/** Starts an exchange in this process, on free ports of this machine. */
async function startExchange(context: ServeContext): Promise<Place> {
  const adminToken = randomBytes(TOKEN_BYTES).toString('hex');
  const flags = { memory: 'true', json: 'true', port: '0', 'admin-port': '0', 'log-level': 'warn' };
  const sources = {
    flags: new Map(Object.entries(flags).map(([name, text]) => [`--${name}`, text])),
    environment: { ADMIN_TOKEN: adminToken },
  };
  const ready = Promise.withResolvers<string>();
  await serve(sources, { ...context, print: ready.resolve });
  const { url, adminPort } = JSON.parse(await ready.promise);
  return { url, adminUrl: `http://${LOOPBACK}:${adminPort}`, adminToken };
}

/** The operator's token; undefined without the file that is looked for by default. */
function tokenOf(
  { values, origins }: ResolvedOptions<typeof MCP_OPTIONS>,
  { readText }: ServeContext,
): string | undefined {
  const { adminToken, adminTokenFile } = values;
  if (adminToken !== undefined) return adminToken;
  try {
    return readNamedText(MCP_OPTIONS.adminTokenFile.flag, adminTokenFile, readText).trim();
  } catch (error) {
    if (origins.adminTokenFile !== FROM_DEFAULT) throw error;
    return undefined;
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

async function openContext(
  resolved: ResolvedOptions<typeof MCP_OPTIONS>,
  sources: Sources,
  context: ServeContext,
): Promise<ToolContext> {
  const { memory, account, privateKey, chain, url, adminUrl } = resolved.values;
  if (resolved.origins.account !== FROM_DEFAULT && privateKey !== undefined) {
    throw new UsageError(['give --account or --key, not both']);
  }
  const place = memory
    ? await startExchange(context)
    : {
        url: withoutSlash(url),
        adminUrl: withoutSlash(adminUrl),
        adminToken: tokenOf(resolved, context),
      };
  // The option has a bound: the number of dev accounts.
  const exchange = { ...place, wallet: walletOf(privateKey ?? DEV_KEYS[account]!), chainId: chain };
  const routes = await allRoutes();
  const operator = exchange.adminToken === undefined ? [] : routes.operator;
  return { exchange, tools: toolsOf({ ...routes, operator }), sources, readText: context.readText };
}

/** A server of the protocol. Its tools keep nothing between calls. */
function makeServer(version: string, context: ToolContext): Server {
  const { exchange, tools } = context;
  const instructions =
    `A prediction-market exchange at ${exchange.url}. You act for the account ` +
    `${exchange.wallet.address}. A token pays 1 if its outcome comes true. Prices are between 0 ` +
    'and 1, sizes are in tokens. Find a market, read its book, preview an order, then place it. ' +
    `Documents for you: ${exchange.url}/llms.txt; pages for people: ${exchange.url}/ui/.`;
  const server = new Server(
    { name: 'outcome-exchange', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, properties, required, isReading, ...tool }) => ({
      name,
      description,
      inputSchema: { type: 'object', properties, required: [...required] },
      annotations: {
        readOnlyHint: isReading,
        destructiveHint: tool.confirmedAfter !== undefined,
      },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(params.name, params.arguments ?? {}, context),
  );
  return server;
}

/** Standard output belongs to the protocol. Ends the process when the client closes the input. */
async function serveStdio(version: string, context: ToolContext): Promise<void> {
  const ended = once(process.stdin, 'end');
  await makeServer(version, context).connect(new StdioServerTransport());
  await ended;
  // An exchange of this process stops as it does after a signal.
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
}

/**
 * Serves the protocol's stateless form, with one answer to each request. As its specification
 * demands, requests of pages of other origins are refused, and those to other host names.
 */
async function serveHttp(
  port: number,
  version: string,
  context: ToolContext,
  print: ServeContext['print'],
) {
  const listener = createServer(async (request, response) => {
    if (request.url !== HTTP_PATH) {
      response.writeHead(404).end();
      return;
    }
    const server = makeServer(version, context);
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      enableDnsRebindingProtection: true,
      allowedHosts: names,
      allowedOrigins: names.map((name) => `http://${name}`),
      maxRequestBodySize: HTTP_BODY_BYTES,
    });
    response.once('close', () => server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  listener.maxConnections = HTTP_SOCKETS;
  listener.listen(port, LOOPBACK);
  await once(listener, 'listening');
  const address = listener.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : port;
  const names = [LOOPBACK, 'localhost'].map((name) => `${name}:${chosen}`);
  print(`Model Context Protocol at http://${LOOPBACK}:${chosen}${HTTP_PATH}`);
}

/** The command. Throws `UsageError`. */
export async function runMcp(sources: Sources, context: ServeContext): Promise<void> {
  const resolved = resolveOptions(MCP_OPTIONS, sources);
  const { http }: McpValues = resolved.values;
  const tools = await openContext(resolved, sources, context);
  if (http === undefined) await serveStdio(context.version, tools);
  else await serveHttp(http, context.version, tools, context.print);
}
