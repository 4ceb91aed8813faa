/**
 * Follows a book and notices when its socket says nothing any more: the connection is open and pings
 * are answered, but no message comes. It opens a new socket and is sent what it missed.
 */
const { EXCHANGE_URL = 'http://127.0.0.1:8080', TOKEN_ID = '' } = process.env;
/** A quiet market has a heartbeat every ten seconds. */
const SILENCE_MS = Number(process.env.SILENCE_MS ?? 15_000);
const RECONNECT_MS = Number(process.env.RECONNECT_MS ?? 500);
const PING_MS = 10_000;

interface Level {
  readonly asset_id: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly size: string;
}
interface Message {
  readonly event_type: string;
  readonly sequence: number;
  readonly stream_id: string;
  readonly asks?: readonly Level[];
  readonly price_changes?: readonly Level[];
}

/** Size by price. */
const asks = new Map<string, string>();
/** The number of the last message, and the stream that counted it. */
let last: { readonly sequence: number; readonly stream_id: string } | undefined;

function connect(): void {
  const socket = new WebSocket(`${EXCHANGE_URL.replace(/^http/, 'ws')}/ws/market`);
  // Started before the socket is open: a socket that is accepted and then mute is silent too.
  const watchdog = setTimeout(() => giveUp('silent'), SILENCE_MS);
  const pings = setInterval(
    () => socket.readyState === WebSocket.OPEN && socket.send('PING'),
    PING_MS,
  );
  socket.onopen = () => {
    const resume = last === undefined ? {} : { operation: 'resume', ...last };
    socket.send(JSON.stringify({ type: 'market', assets_ids: [TOKEN_ID], ...resume }));
  };
  socket.onmessage = ({ data }) => {
    if (data === 'PONG') return; // an answered ping does not prove that messages come
    watchdog.refresh();
    const message = JSON.parse(data) as Message;
    if (!follows(message)) return giveUp('a message is missing');
    read(message);
  };
  socket.onclose = () => giveUp('closed');

  /** Does not wait for the old socket to close: it may never answer. */
  function giveUp(reason: string): void {
    clearTimeout(watchdog);
    clearInterval(pings);
    socket.onmessage = socket.onclose = null;
    socket.close();
    console.log(`${reason}; connecting again`);
    setTimeout(connect, RECONNECT_MS);
  }
}

/** Whether no message is missing before this one. A book is a whole state and always fits. */
function follows({ event_type, sequence }: Message): boolean {
  if (last === undefined || event_type === 'book' || event_type === 'snapshot_required')
    return true;
  const isStep = event_type !== 'heartbeat' && event_type !== 'resumed';
  return sequence === last.sequence || (isStep && sequence === last.sequence + 1);
}

function read({
  event_type,
  sequence,
  stream_id,
  asks: all = [],
  price_changes = [],
}: Message): void {
  last = { sequence, stream_id };
  if (event_type === 'book') asks.clear();
  for (const { price, size } of all) asks.set(price, size);
  for (const { asset_id, side, price, size } of price_changes) {
    if (asset_id !== TOKEN_ID || side !== 'SELL') continue;
    if (size === '0') asks.delete(price);
    else asks.set(price, size);
  }
  console.log(`${event_type} ${sequence}: best ask ${Math.min(...[...asks.keys()].map(Number))}`);
}

connect();
