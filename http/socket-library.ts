/**
 * The one file that imports uWebSockets.js, with the settings it reads from the environment.
 *
 * Bound: `HTTP_BOUNDS.headBytes` of a request's head; the library answers 431 by itself.
 */
import './head-bound.ts';
import {
  App,
  type HttpRequest as LibraryRequest,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import type { TlsFiles } from './settings.ts';

export type { HttpResponse } from 'uWebSockets.js';

/** A request, with what the library's declarations miss: without a query there is none. */
export interface HttpRequest extends Omit<LibraryRequest, 'getQuery'> {
  getQuery(): string | undefined;
}

/** A socket that takes connections. */
export type Listener = us_listen_socket;

/** The library's constant for a port that no other process may share; its types lack the value. */
const EXCLUSIVE_PORT = 1;

/** The form of `listen` that takes all of host, port and options, which the types lack. */
type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (listener: Listener | false) => void,
) => void;

/** A listener's app; with files, one that speaks TLS alone. Throws when they can't be used. */
export const createApp = (tls?: TlsFiles): TemplatedApp => {
  if (tls === undefined) return App();
  const { certFile, keyFile } = tls;
  try {
    return SSLApp({ cert_file_name: certFile, key_file_name: keyFile });
  } catch {
    // The library says no more than that it failed.
    throw new Error(
      `TLS can't be set up with the certificate ${certFile} and the key ${keyFile}: they must be ` +
        'readable PEM files, and the key that of the certificate',
    );
  }
};

/** Takes connections on a port of its own; undefined when the port can't be had. */
export const listenOn = (
  app: TemplatedApp,
  host: string,
  port: number,
): Promise<Listener | undefined> =>
  new Promise((resolve) => {
    // Safe: the library reads its arguments by their types and takes these four (a test listens
    // twice on one port); only its declarations leave the form out.
    const listen = app.listen.bind(app) as unknown as Listen;
    listen(host, port, EXCLUSIVE_PORT, (listener) => resolve(listener || undefined));
  });

export const closeListener = (listener: Listener): void => us_listen_socket_close(listener);

/** The real port, which matters when 0 asked for any free one. */
export const portOf = (listener: Listener): number => us_socket_local_port(listener);

/** Tells of each connection that opens (1) or closes (-1). */
export const watchSockets = (app: TemplatedApp, tell: (change: 1 | -1) => void): void => {
  const watch = app.filter.bind(app);
  watch((_, change) => tell(change > 0 ? 1 : -1));
};
