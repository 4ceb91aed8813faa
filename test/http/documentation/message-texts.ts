// The examples of stream messages as http/streams/streams.md shows them: one of each kind, with
// long ids shortened.
import { isJsonObject, type Json } from '../../../http/documentation/schema.ts';
import { STREAM_CHANNELS } from '../../../http/documentation/stream-channels.ts';

const COLUMNS = 96;
const SHOWN_WHOLE = 44;
const HEAD = 8;
const TAIL = 4;
const HEADING = '## One message of each kind';

/** A long id or text keeps its first and last characters. */
function shorten(value: Json): Json {
  if (typeof value === 'string' && value.length > SHOWN_WHOLE && !value.includes(' ')) {
    return `${value.slice(0, HEAD)}…${value.slice(-TAIL)}`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part)]));
}

/** JSON with as many fields on a line as there is room for. */
function wrapJson(value: Json, indent = ''): string {
  const whole = JSON.stringify(value);
  const isNested = Array.isArray(value) || isJsonObject(value);
  if (!isNested || indent.length + whole.length <= COLUMNS) return whole;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => wrapJson(part, inner))
    : Object.entries(value).map(([name, part]) => `"${name}": ${wrapJson(part, inner)}`);
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    const isLong = part.includes('\n') || inner.length + line.length + part.length > COLUMNS;
    if (line !== '' && isLong) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? `${part},` : ` ${part},`;
  }
  lines.push(line.slice(0, -1));
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.map((one) => `${inner}${one}\n`).join('')}${indent}${close}`;
}

function sectionOf(examples: Readonly<Record<string, Json>>): string {
  const channels = STREAM_CHANNELS.map(({ name, address, received, sent }) => {
    const messages = [...received, ...sent].map((message) => {
      const example = shorten(examples[`${name}.${message.name}`] ?? null);
      const text = typeof example === 'string' ? example : wrapJson(example);
      return `\`${message.name}\`: ${message.summary}\n\n\`\`\`json\n${text}\n\`\`\`\n`;
    });
    return `### ${address}\n\n${messages.join('\n')}`;
  });
  return `${HEADING}

Recorded in one session; long ids are shortened (\`…\`). The first messages of each channel come
from the client. \`/asyncapi.json\` has them whole, with the schema of each.

${channels.join('\n')}`;
}

/** The page with its last section made from the examples. */
export function withMessages(page: string, examples: Readonly<Record<string, Json>>): string {
  const start = page.indexOf(HEADING);
  const kept = start < 0 ? `${page.trimEnd()}\n\n` : page.slice(0, start);
  return `${kept}${sectionOf(examples)}`;
}
