/** The states of something that is fetched: loading, failed, stale, empty, ready. */

import type { ComponentChildren, ComponentType } from 'preact';
import { ExchangeError } from '../wire/index.ts';
import { Fact } from './facts.tsx';
import { type Resource, useResource } from './resource.ts';

interface FailureProps {
  readonly failure: unknown;
  readonly retry?: () => void;
  readonly retryText?: string;
}

/** The sentence of what was thrown. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** A refusal: its sentence, its code, and what must change, as the exchange says it. */
export function Failure({ failure, retry, retryText = 'Try again' }: FailureProps) {
  const known = failure instanceof ExchangeError ? failure : undefined;
  return (
    <div class="failure" role="alert">
      <p>{messageOf(failure)}</p>
      {known !== undefined && (
        <dl class="facts">
          <Fact name="code">
            <code>{known.code}</code>
          </Fact>
          {Object.entries(known.facts).map(([name, value]) => (
            <Fact key={name} name={name}>
              <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
            </Fact>
          ))}
          {known.requestId !== '' && (
            <Fact name="request">
              <code>{known.requestId}</code>
            </Fact>
          )}
        </dl>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {retryText}
        </button>
      )}
    </div>
  );
}

export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

interface LoadedProps<Value> {
  readonly resource: Resource<Value>;
  readonly children: (value: Value) => ComponentChildren;
  readonly lines?: number;
}

/** Shows a resource, or why it is not there. */
export function Loaded<Value>({ resource, children, lines }: LoadedProps<Value>) {
  const now = resource.now.value;
  if (now.state === 'loading') return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  if (now.state === 'failed') return <Failure failure={now.failure} retry={resource.reload} />;
  return (
    <>
      {now.failure !== undefined && (
        <p class="stale" role="status">
          This is no longer current.{' '}
          <button type="button" class="link" onClick={resource.reload}>
            Load it again
          </button>
        </p>
      )}
      {children(now.value)}
    </>
  );
}

/** Browsers say it in words of their own, which name neither cause nor remedy. */
const MISSING = new Error(
  'This part of the console could not be loaded. The exchange was updated after you opened the ' +
    'page, or it does not answer. Reload the page; you then have to sign in again.',
);

/** `load` imports the page's room and returns its component. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  return function LazyPage() {
    const page = useResource(load, []);
    if (page.now.value.state === 'failed') {
      // Another try is of no use: the files of an older version are gone.
      return <Failure failure={MISSING} retry={() => location.reload()} retryText="Reload" />;
    }
    return <Loaded resource={page}>{(Component) => <Component />}</Loaded>;
  };
}
