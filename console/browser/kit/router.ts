/**
 * Where the page is: the part of its address behind `#`, such as `/markets?tag=crypto`. The server
 * sees none of it.
 */
import { computed, signal } from '@preact/signals';

interface Place {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

function read(): string {
  return location.hash.replace(/^#/, '') || '/';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The address was written by hand: a lone percent sign stands for itself.
    return segment;
  }
}

const address = signal(read());
addEventListener('hashchange', () => {
  address.value = read();
});

export const place = computed((): Place => {
  const [path = '', query = ''] = address.value.split('?');
  const segments = path.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decoded), query: new URLSearchParams(query) };
});

/** The address of a place within the page, for links. Segments are encoded. */
export function linkTo(segments: readonly string[], query: Record<string, string> = {}): string {
  const path = segments.map(encodeURIComponent).join('/');
  const text = new URLSearchParams(query).toString();
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

export function goTo(segments: readonly string[], query?: Record<string, string>): void {
  location.hash = linkTo(segments, query);
}

/** Changes the query of the place without a new entry in the browser's history. */
export function replaceQuery(query: Record<string, string>): void {
  history.replaceState(null, '', linkTo(place.peek().segments, query));
  address.value = read();
}
