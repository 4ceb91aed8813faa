/**
 * Raw messages of the sockets, the newest first. Bound: the tap's; SHOWN of them are drawn, until
 * somebody asks for more.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import {
  Check,
  Choice,
  CopyButton,
  Empty,
  Field,
  localTime,
  prettyJson,
  RawText,
  set,
  setter,
  short,
  shown,
} from '../kit/index.ts';
import type { MessageTap, TapMessage } from '../streams/tap.ts';

const SHOWN = 100;
const SUMMARY_CHARACTERS = 300;

const DIRECTIONS = [
  ['all', 'All messages'],
  ['in', 'Received'],
  ['out', 'Sent'],
  ['event', 'Connection'],
] as const;
type Direction = (typeof DIRECTIONS)[number][0];

const ARROWS = { in: '↓', out: '↑', event: '•' } as const;
const NAMES = { in: 'received', out: 'sent', event: 'connection' } as const;

function timeText(timeMs: number): string {
  return `${localTime(timeMs).slice(11)}.${String(timeMs % 1000).padStart(3, '0')}`;
}

function Message({ message }: { message: TapMessage }) {
  const { timeMs, path, direction, text, length } = message;
  const isOpen = useSignal(false);
  return (
    <details class="message" onToggle={(event) => set(isOpen, event.currentTarget.open)}>
      <summary>
        <span class={direction} role="img" aria-label={NAMES[direction]}>
          {ARROWS[direction]}
        </span>
        <span class="number">{timeText(timeMs)}</span>
        <span class="muted">{path.replace('/ws/', '')}</span>
        <span class="number muted">{short(length)}</span>
        <code>{text.slice(0, SUMMARY_CHARACTERS)}</code>
      </summary>
      {isOpen.value && (
        <>
          {text.length < length && (
            <p class="stale">
              These are the first {shown(text.length)} of {shown(length)} characters.
            </p>
          )}
          <RawText title={`Message ${message.number}`} text={prettyJson(text)} />
        </>
      )}
    </details>
  );
}

interface Terms {
  readonly text: string;
  readonly direction: Direction;
}

function isWanted(message: TapMessage, { text, direction }: Terms): boolean {
  if (direction !== 'all' && message.direction !== direction) return false;
  return text === '' || `${message.path} ${message.text}`.toLowerCase().includes(text);
}

/** All that is shown, as text: a line for each message. */
function linesOf(messages: readonly TapMessage[]): string {
  return messages
    .map(({ timeMs, path, direction, text }) =>
      [new Date(timeMs).toISOString(), path, NAMES[direction], text].join(' '),
    )
    .join('\n');
}

export function MessageList({ tap }: { tap: MessageTap }) {
  const text = useSignal('');
  const direction = useSignal<Direction>('all');
  const paused = useSignal<readonly TapMessage[] | undefined>(undefined);
  const limit = useSignal(SHOWN);
  const messages = useMessages(tap, paused);
  const terms = { text: text.value.trim().toLowerCase(), direction: direction.value };
  const wanted = messages.filter((message) => isWanted(message, terms)).reverse();
  const drawn = wanted.slice(0, limit.value);
  return (
    <section class="panel" aria-labelledby="messages">
      <div class="row apart">
        <h2 id="messages">Messages</h2>
        <span class="muted">
          {shown(wanted.length)} of {shown(messages.length)}
        </span>
      </div>
      <div class="row filters">
        <Field
          label="Filter"
          type="search"
          placeholder="Part of the message"
          value={text.value}
          onInput={setter(text)}
        />
        <Choice
          label="Direction"
          value={direction.value}
          options={DIRECTIONS}
          onChange={setter(direction)}
        />
        <Check
          label="Pause"
          value={paused.value !== undefined}
          onChange={(value) => set(paused, value ? tap.messages() : undefined)}
        />
        <button
          type="button"
          onClick={() => {
            tap.clear();
            paused.value = undefined;
          }}
        >
          Clear
        </button>
        <CopyButton text={() => linesOf(drawn)} label="Copy what is shown" />
      </div>
      {drawn.length === 0 && (
        <Empty>There is no such message. Follow something, and its messages appear here.</Empty>
      )}
      {drawn.map((message) => (
        <Message key={message.number} message={message} />
      ))}
      {drawn.length < wanted.length && (
        <p>
          <button
            type="button"
            onClick={() => {
              limit.value += SHOWN;
            }}
          >
            Show {Math.min(SHOWN, wanted.length - drawn.length)} more
          </button>
        </p>
      )}
    </section>
  );
}

/** The kept messages, the oldest first: those of now, or those of the pause. */
function useMessages(
  tap: MessageTap,
  paused: ReadonlySignal<readonly TapMessage[] | undefined>,
): readonly TapMessage[] {
  if (paused.value !== undefined) return paused.value;
  // Read, so that the list is drawn again when it has changed.
  void tap.changes.value;
  return tap.messages();
}
