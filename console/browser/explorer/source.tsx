/** Where the records come from: this listener, with its own proof of identity. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Empty, Loaded, prettyJson, RawText, type Resource, useResource } from '../kit/index.ts';
import { type Answer, ExchangeError, type PathOf, sendAny } from '../wire/index.ts';

/** Whether the page is on the operator's listener, which asks for the token. */
export const IsOperator = createContext(false);

interface Question {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

/** An answer of the listener of the page. */
export function useRecord<const Path extends PathOf<'GET'>>(
  path: Path,
  question: Question = {},
  everyMs?: number,
): Resource<Answer<'GET', Path>> {
  const auth = useContext(IsOperator) ? 'operator' : undefined;
  return useResource(
    async (signal) => {
      const answer = await sendAny({ ...question, method: 'GET', path, auth, signal });
      // Safe: both listeners have the routes of the explorer.
      return answer as Answer<'GET', Path>;
    },
    [path, JSON.stringify(question)],
    everyMs === undefined ? {} : { everyMs },
  );
}

interface RecordProps<Value> {
  readonly resource: Resource<Value>;
  readonly children: (answer: Value) => ComponentChildren;
  /** With the answer as it came. */
  readonly hasRaw?: boolean;
}

/** A record, or why it is not there. */
export function Recorded<Value>({ resource, children, hasRaw = true }: RecordProps<Value>) {
  const now = resource.now.value;
  if (now.state === 'failed' && isClosed(now.failure)) return <Closed />;
  return (
    <Loaded resource={resource} lines={6}>
      {(answer) => (
        <>
          {children(answer)}
          {hasRaw && <Raw answer={answer} />}
        </>
      )}
    </Loaded>
  );
}

function isClosed(failure: unknown): boolean {
  return failure instanceof ExchangeError && failure.code === 'sandbox_only';
}

function Closed() {
  return (
    <section class="panel">
      <h2>The explorer is not public here</h2>
      <Empty>
        This exchange is no sandbox, so nobody may look at the orders and accounts of others.
        Operators have the explorer on their own listener. Your own orders and trades are in{' '}
        <a href="#/portfolio">your portfolio</a>.
      </Empty>
    </section>
  );
}

function Raw({ answer }: { answer: unknown }) {
  return (
    <details class="panel">
      <summary>The answer of the exchange</summary>
      <RawText title="JSON" text={prettyJson(JSON.stringify(answer))} />
    </details>
  );
}
