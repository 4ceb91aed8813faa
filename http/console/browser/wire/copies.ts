/** A logged request as text for a terminal or a program. Secrets are named, not shown. */
import type { LoggedRequest } from './send.ts';

const SECRET = '(secret)';

/** The variable of the shell that stands for a secret header. */
function variableOf(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function addressFrom(origin: string, { address }: LoggedRequest): string {
  return `${origin}${address}`;
}

/** The request as a command of curl; `origin` is that of the exchange. */
export function asCurl(request: LoggedRequest, origin: string): string {
  const { method, headers, body } = request;
  const lines = [
    `curl -X ${method} ${quoted(addressFrom(origin, request))}`,
    ...Object.entries(headers).map(([name, value]) =>
      value === SECRET ? `-H "${name}: $${variableOf(name)}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** The request as JavaScript with `fetch`; secrets come from the environment. */
export function asClientCode(request: LoggedRequest, origin: string): string {
  const { method, headers, body } = request;
  const pairs = Object.entries(headers).map(([name, value]) => {
    const text = value === SECRET ? `process.env.${variableOf(name)}` : JSON.stringify(value);
    return `    ${JSON.stringify(name)}: ${text},`;
  });
  return [
    `const response = await fetch(${JSON.stringify(addressFrom(origin, request))}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(pairs.length === 0 ? [] : ['  headers: {', ...pairs, '  },']),
    ...(body === '' ? [] : [`  body: ${JSON.stringify(body)},`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}
