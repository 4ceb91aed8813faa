/** A logged request as text for a terminal or a program. Secrets are named, not shown. */
import type { LoggedRequest } from '../wire/index.ts';

const SECRET = '(secret)';

/** The variable of the environment that stands for a secret header. */
function variableOf(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The request as a command of curl; `origin` is that of the exchange. */
export function asCurl({ method, address, headers, body }: LoggedRequest, origin: string): string {
  const lines = [
    `curl -X ${method} ${quoted(origin + address)}`,
    ...Object.entries(headers).map(([name, value]) =>
      value === SECRET ? `-H "${name}: $${variableOf(name)}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** The request as JavaScript with `fetch`; secrets come from the environment. */
export function asFetch({ method, address, headers, body }: LoggedRequest, origin: string): string {
  const pairs = Object.entries(headers).map(([name, value]) => {
    const text = value === SECRET ? `process.env.${variableOf(name)}` : JSON.stringify(value);
    return `    ${JSON.stringify(name)}: ${text},`;
  });
  return [
    `const response = await fetch(${JSON.stringify(origin + address)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(pairs.length === 0 ? [] : ['  headers: {', ...pairs, '  },']),
    ...(body === '' ? [] : [`  body: ${JSON.stringify(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}
