/** Whether the market stream is live, and since when it is not. */

import { Moment } from '../kit/index.ts';
import type { LinkState } from '../streams/index.ts';
import { pageStreams } from '../streams/index.ts';

function textOf(state: LinkState): string {
  switch (state.kind) {
    case 'stale':
      return state.cause === 'silence'
        ? 'The exchange is silent. What you see may be old since'
        : 'Missed messages are being fetched. What you see may be old since';
    case 'disconnected':
      return 'The connection is lost. What you see is old since';
    case 'refused':
      return `The exchange refuses the connection: ${state.reason}. What you see is old since`;
    default:
      return '';
  }
}

/** A line that appears when what is shown may be old; it is read out once. */
export function Freshness() {
  const state = pageStreams().market.state.value;
  return (
    <div role="status">
      {'sinceMs' in state && (
        <p class="stale">
          {textOf(state)} <Moment timeMs={state.sinceMs} />.{' '}
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
export function LiveBadge() {
  const { kind } = pageStreams().market.state.value;
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
