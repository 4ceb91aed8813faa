/** A page whose code is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { Failure, Loaded } from './loaded.tsx';
import { useResource } from './resource.ts';

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
