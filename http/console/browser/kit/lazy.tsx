/** A page whose code is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { Loaded } from './loaded.tsx';
import { useResource } from './resource.ts';

/** `load` imports the page's room and returns its component. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  return function LazyPage() {
    const page = useResource(load, []);
    return <Loaded resource={page}>{(Component) => <Component />}</Loaded>;
  };
}
