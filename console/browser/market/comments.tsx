/** What people say about the event of the market, and a form to say something. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { SignedIn } from '../identity/index.ts';
import {
  Action,
  Empty,
  Loaded,
  Moment,
  setter,
  shortened,
  TextArea,
  useResource,
} from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { type Comment, send } from '../wire/index.ts';

const PAGE_SIZE = 20;
const MOST_CHARACTERS = 2_000;
const PARENT = 'Event';

/** One more than a page shows tells whether there are older ones. */
function fetchComments(eventId: string, offset: number, signal: AbortSignal) {
  return send({
    method: 'GET',
    path: '/comments',
    query: {
      parent_entity_type: PARENT,
      parent_entity_id: eventId,
      limit: PAGE_SIZE + 1,
      offset,
    },
    signal,
  });
}

function authorOf({ profile, userAddress }: Comment): string {
  const { name = '', pseudonym = '' } = profile;
  return String(name || pseudonym) || shortened(userAddress);
}

function One({ comment }: { comment: Comment }) {
  const { body, createdAt, userAddress, reactionCount } = comment;
  // Safe: the schema says only that each is a comment, for it would name itself.
  const replies = comment.replies as readonly Comment[];
  return (
    <li class="comment">
      <p class="row">
        <b title={userAddress}>{userAddress === '' ? 'removed' : authorOf(comment)}</b>
        <small class="muted">
          <Moment timeMs={Date.parse(createdAt ?? '')} />
          {reactionCount > 0 &&
            ` · ${reactionCount} ${reactionCount === 1 ? 'reaction' : 'reactions'}`}
        </small>
      </p>
      <p class="text">{body === '' ? 'This comment was removed.' : body}</p>
      {replies.length > 0 && (
        <ul>
          {replies.map((reply) => (
            <One key={reply.id} comment={reply} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Write({ eventId, onWritten }: { eventId: string; onWritten: () => void }) {
  const text = useSignal('');
  async function write(): Promise<void> {
    const body = text.value.trim();
    const parent = { parent_entity_type: PARENT, parent_entity_id: eventId };
    await send({ method: 'POST', path: '/comments', body: { body, ...parent }, auth: 'l2' });
    text.value = '';
    onWritten();
  }
  return (
    <div class="stack">
      <TextArea
        label="Your comment"
        value={text.value}
        rows={3}
        maxLength={MOST_CHARACTERS}
        onInput={setter(text)}
      />
      <div>
        <Action run={write} tone="main" isDisabled={text.value.trim() === ''}>
          Write it
        </Action>
      </div>
    </div>
  );
}

export function Comments({ eventId }: { eventId: string }) {
  const offset = useSignal(0);
  const comments = useResource(
    (signal) => fetchComments(eventId, offset.value, signal),
    [eventId, offset.value],
  );
  const { reload } = comments;
  useEffect(
    () => pageStreams().live.onComment({ type: PARENT, id: Number(eventId) }, () => reload()),
    [eventId, reload],
  );
  const page = (change: number) => () => {
    offset.value += change;
  };
  return (
    <div class="stack">
      <SignedIn purpose="to write a comment.">
        <Write eventId={eventId} onWritten={reload} />
      </SignedIn>
      <Loaded resource={comments}>
        {(list) => (
          <>
            {list.length === 0 && <Empty>Nobody has written a comment yet.</Empty>}
            <ul class="comments">
              {list.slice(0, PAGE_SIZE).map((comment) => (
                <One key={comment.id} comment={comment} />
              ))}
            </ul>
            <p class="row">
              {offset.value > 0 && (
                <button type="button" onClick={page(-PAGE_SIZE)}>
                  Newer comments
                </button>
              )}
              {list.length > PAGE_SIZE && (
                <button type="button" onClick={page(PAGE_SIZE)}>
                  Older comments
                </button>
              )}
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
}
