/**
 * Every bound of the HTTP and WebSocket interface, in one place.
 */
export { READ_BOUNDS } from './read-bounds.ts';
export { HTTP_BOUNDS, OVERLOAD_BOUNDS } from './sizes.ts';
