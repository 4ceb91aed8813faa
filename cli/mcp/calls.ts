/** Calls of tools: what each sends to the exchange, and how it is answered. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ORDER_OPTIONS } from '../options/order-options.ts';
import type { ReadText } from '../parser/named-files.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import { resolveOptions, type Sources } from '../parser/resolve-options.ts';
import { type Call, planOrder, signPlanned } from '../place-order/index.ts';
import { answerTexts } from './answer.ts';
import { answered, type CalledExchange, callAs, exchangeClock } from './exchange.ts';
import { argumentFault, type ExchangeRoute, ORDER_TOOLS, type Tool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly exchange: CalledExchange;
  readonly tools: readonly Tool[];
  /** The options that this program was started with: whose orders it signs, and how. */
  readonly sources: Sources;
  readonly readText: ReadText;
}

/** The request of a route with arguments that the tool knows. */
function requestFor(route: ExchangeRoute, given: Arguments): Call {
  const { method, path, places } = route;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, place] of places) {
    const value = given[name];
    if (value === undefined) continue;
    if (place === 'query') query.set(name, Array.isArray(value) ? value.join(',') : `${value}`);
    if (place === 'body') body[name] = value;
  }
  const hasBody = [...places.values()].includes('body');
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${given[name]}`)),
    ...(query.size === 0 ? {} : { query: `?${query}` }),
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  };
}

function sendTo(route: ExchangeRoute, given: Arguments, { exchange }: ToolContext) {
  const { address } = exchange.wallet;
  const call = requestFor(route, { user: address, address, by: 'agent', ...given });
  return { call, answer: () => callAs(route.auth, exchange, call) };
}

/** Signs an order of these arguments, and sends it to be placed or explained. */
async function sendOrder(
  name: keyof typeof ORDER_TOOLS,
  given: Arguments,
  { exchange, sources, readText }: ToolContext,
): Promise<unknown> {
  const rows = Object.entries(ORDER_OPTIONS);
  const flags = new Map(
    [...sources.flags].filter(([flag]) => rows.some(([, row]) => row.flag === flag)),
  );
  flags.set(ORDER_OPTIONS.url.flag, exchange.url);
  for (const [option, row] of rows) {
    if (given[option] !== undefined) flags.set(row.flag, `${given[option]}`);
  }
  const now = await exchangeClock(exchange);
  try {
    const resolved = resolveOptions(ORDER_OPTIONS, { ...sources, flags });
    const plan = planOrder(resolved, readText, now());
    return answered(exchange.url, await signPlanned(plan, now, ORDER_TOOLS[name].path));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // An agent knows the options by the names of its arguments.
    const faults = rows.reduce(
      (text, [option, { flag }]) => text.replaceAll(new RegExp(`${flag}\\b`, 'g'), option),
      error.faults.join('; '),
    );
    throw new Error(faults);
  }
}

function isOrderTool(name: string): name is keyof typeof ORDER_TOOLS {
  return Object.hasOwn(ORDER_TOOLS, name);
}

async function answerOf(tool: Tool, given: Arguments, context: ToolContext): Promise<unknown> {
  const { name, route, confirmedAfter } = tool;
  if (isOrderTool(name)) return sendOrder(name, given, context);
  if (route === undefined) throw new Error(`${name} has no route`);
  const { call, answer } = sendTo(route, given, context);
  if (confirmedAfter === undefined || given.confirm === true) return answer();
  const { method, path, body } = call;
  const now = await sendTo(confirmedAfter, given, context).answer();
  return {
    done: false,
    would: `${tool.description}: ${method} ${path} ${body ?? ''}`.trim(),
    to_do_it: 'call it again with confirm: true',
    now,
  };
}

/** What a call of a tool answers. A fault is an answer too, so that the agent can mend it. */
export async function callTool(
  name: string,
  given: Arguments,
  context: ToolContext,
): Promise<CallToolResult> {
  const tool = context.tools.find((one) => one.name === name);
  try {
    if (tool === undefined) {
      const names = context.tools.map((one) => one.name);
      throw new Error(`there is no tool "${name}"; the tools are ${names.join(', ')}`);
    }
    const fault = argumentFault(tool, given);
    if (fault !== '') throw new Error(fault);
    const texts = answerTexts(await answerOf(tool, given, context), tool.form);
    return { content: texts.map((text) => ({ type: 'text', text })) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true };
  }
}
