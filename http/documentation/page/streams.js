/** Shows /asyncapi.json, and connects to its channels. */
import { RequestSigner, readFacts } from './signing.js';

const SHOWN_MESSAGES = 50;

function element(name, content = [], properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...[content].flat());
  return made;
}

function code(value) {
  return element('pre', typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

/** Text with `code` and **bold** words. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return element('code', part.slice(1, -1));
    return part.startsWith('**') ? element('b', part.slice(2, -2)) : part;
  });
}

/** Paragraphs and lists, which an empty line ends. */
function prose(text) {
  const blocks = text.split('\n\n').map((block) => {
    if (!block.startsWith('- ')) return element('p', inline(block));
    const items = block.slice(2).split('\n- ');
    return element(
      'ul',
      items.map((item) => element('li', inline(item))),
    );
  });
  return element('div', blocks);
}

/** The value that a reference of the document points to. */
function resolve(root, { $ref }) {
  return $ref
    .slice(2)
    .split('/')
    .reduce((part, key) => part[key], root);
}

/** A row for each field of a payload. */
function fieldsOf({ properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type = '', const: only, enum: values, description = '' } = schema;
    const kind = only ?? values?.join(' | ') ?? [type].flat().join(' | ');
    const label = required.includes(name) ? name : `${name} (optional)`;
    return element(
      'tr',
      [label, String(kind), description].map((text) => element('td', inline(text))),
    );
  });
  return rows.length === 0 ? [] : [element('table', rows)];
}

function messageView({ name, summary, payload, examples = [] }) {
  const shown = examples.map((example) => code(example.payload));
  const schema = element('details', [element('summary', 'Schema'), code(payload)]);
  const head = element('summary', [element('b', name), ' ', ...inline(summary)]);
  return element('details', [head, ...fieldsOf(payload), ...shown, schema]);
}

/** The credentials of the first dev account; undefined without dev accounts. */
async function devCredentials() {
  const base = new URL('..', location.href);
  const facts = await readFacts(base);
  const [account] = facts.devAccounts;
  if (account === undefined) return undefined;
  const signer = new RequestSigner({ document: { paths: {} }, facts, base });
  const { apiKey: apikey, secret, passphrase } = await signer.credentialsOf(account.privateKey);
  return { apikey, secret, passphrase };
}

/** The example of a first message, with credentials that are valid here. */
function firstMessage({ examples = [] }) {
  const { payload } = examples[0] ?? {};
  return payload?.auth === undefined || auth === undefined ? payload : { ...payload, auth };
}

/** A box that opens the channel, sends messages and shows what comes. */
function tryView(address, first) {
  const text = element('textarea', [], { value: JSON.stringify(first ?? {}) });
  const log = code('');
  const lines = [];
  const tell = (line) => {
    lines.unshift(line);
    lines.length = Math.min(lines.length, SHOWN_MESSAGES);
    log.textContent = lines.join('\n');
  };
  let socket;
  const send = () => {
    if (socket?.readyState === WebSocket.OPEN) return socket.send(text.value);
    const url = new URL(`..${address}`, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    socket = new WebSocket(url);
    socket.onopen = () => socket.send(text.value);
    socket.onmessage = ({ data }) => tell(data);
    socket.onclose = ({ code: number, reason }) => tell(`closed: ${number} ${reason}`);
  };
  const buttons = [
    element('button', 'Connect and send', { onclick: send }),
    element('button', 'Close', { onclick: () => socket?.close() }),
  ];
  return element('details', [element('summary', 'Try it'), text, ...buttons, log]);
}

function channelView(root, name, { address, title, description, messages, ...rest }) {
  const list = (action) =>
    Object.values(root.operations)
      .filter((one) => one.action === action && one.channel.$ref === `#/channels/${name}`)
      .flatMap((one) => one.messages)
      .map((reference) => resolve(root, resolve(root, reference)));
  const [received, sent] = ['receive', 'send'].map(list);
  const closings = rest['x-close-codes'].map(({ closeCode, code: reason, description: when }) =>
    element(
      'tr',
      [String(closeCode), reason, when].map((text) => element('td', inline(text))),
    ),
  );
  return element('section', [
    element('h2', `${title}: ${address}`),
    prose(description),
    tryView(address, firstMessage(received[0] ?? {})),
    element('h3', 'Messages from clients'),
    ...received.map(messageView),
    element('h3', 'Messages to clients'),
    ...sent.map(messageView),
    element('h3', 'Close codes'),
    element('table', closings),
  ]);
}

// Without credentials the page still shows all messages.
const auth = await devCredentials().catch(() => undefined);
const root = await (await fetch('../asyncapi.json')).json();
const { info, servers, channels } = root;
const addresses = Object.values(servers).map(({ protocol, host, description }) =>
  element('li', `${protocol}://${host}: ${description}`),
);
document
  .getElementById('streams')
  .append(
    element('h1', `${info.title} ${info.version}`),
    prose(info.description),
    element('ul', addresses),
    ...Object.entries(channels).map(([name, channel]) => channelView(root, name, channel)),
  );
