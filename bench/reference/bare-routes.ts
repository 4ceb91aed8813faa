/**
 * The reference for reads: a uWebSockets.js server that does nothing but answer fixed bytes. It
 * uses the program's binaries and sends no header that is not needed.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';

/** Serves bodies by path. Returns the URL. */
export async function startBareRoutes(bodies: Readonly<Record<string, string>>): Promise<string> {
  const app = App();
  for (const [path, body] of Object.entries(bodies)) {
    app.get(path, (response) => {
      response.cork(() => {
        response.writeHeader('content-type', 'application/json');
        response.end(body);
      });
    });
  }
  return await new Promise((resolve) => {
    app.listen('127.0.0.1', 0, (listener) => {
      if (listener === false) throw new Error('no port is free');
      resolve(`http://127.0.0.1:${us_socket_local_port(listener)}`);
    });
  });
}
