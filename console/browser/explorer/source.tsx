/** Where the records come from: this listener, with its own proof of identity. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Empty, Loaded, prettyJson, RawText, type Resource, useResource } from '../kit/index.ts';
import { ExchangeError, type Sent, send } from '../wire/index.ts';

/** Whether the page is on the operator's listener, which asks for the token. */
export const IsOperator = createContext(false);

/** Below `/explorer`. */
type Asked = Pick<Sent, 'query'> & { readonly path: string };

/** A record, or a list of them, from the listener of the page. */
export function useRecord<Answer>({ path, query }: Asked, everyMs?: number): Resource<Answer> {
  const isOperator = useContext(IsOperator);
  return useResource(
    (signal) =>
      send<Answer>({
        ...{ method: 'GET', path: `/explorer${path}`, signal },
        ...(query === undefined ? {} : { query }),
        ...(isOperator ? { auth: 'operator' } : {}),
      }),
    [path, JSON.stringify(query)],
    everyMs === undefined ? {} : { everyMs },
  );
}

interface RecordProps<Answer> {
  readonly resource: Resource<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
  /** With the answer as it came. */
  readonly hasRaw?: boolean;
}

/** A record, or why it is not there. */
export function Recorded<Answer>({ resource, children, hasRaw = true }: RecordProps<Answer>) {
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
