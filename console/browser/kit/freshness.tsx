/** Whether a stream is live, and since when it is not. */
import type { LinkState } from '../streams/link.ts';
import { pageStreams } from '../streams/streams.ts';
import { localTime } from './cells.tsx';

interface StreamProps {
  /** The state of the stream. */
  readonly state: LinkState;
}

type Broken = Extract<LinkState, { readonly sinceMs: number }>;

function textOf(state: Broken): string {
  const since = localTime(state.sinceMs).slice(-'00:00:00'.length);
  switch (state.kind) {
    case 'stale':
      return state.cause === 'silence'
        ? `The exchange has been silent since ${since}. What you see may be old.`
        : 'Missed messages are on their way. What you see may be old.';
    case 'disconnected':
      return `The connection is lost. What you see is from ${since}.`;
    default:
      return `The exchange refuses the connection: ${state.reason}. What you see is from ${since}.`;
  }
}

/** A line that appears when what is shown may be old; it is read out once. */
export function Freshness({ state }: StreamProps) {
  return (
    <div role="status">
      {'sinceMs' in state && (
        <p class="stale">
          {textOf(state)}{' '}
          {state.kind === 'disconnected' && (
            <button type="button" class="link" onClick={() => pageStreams().retryNow()}>
              Connect now
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** A word and a colored dot for the head of the page. */
export function LiveBadge({ state: { kind } }: StreamProps) {
  const [tone, text] =
    kind === 'live'
      ? ['good', 'live']
      : kind === 'connecting' || kind === 'idle'
        ? ['', 'connecting']
        : kind === 'stale'
          ? ['warn', 'resuming']
          : ['bad', 'disconnected'];
  return <span class={`badge ${tone}`}>{text}</span>;
}
