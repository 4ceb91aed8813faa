/**
 * The reference for reads: a uWebSockets.js server that does nothing but answer fixed bytes. It is
 * started by `fork` with a JSON object of path to body in its first argument, sends its port, and
 * ends with its parent. It has the program's binaries, and sends no header that it need not.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';

/** Ours; made by reads-bench.ts. */
const bodies: Readonly<Record<string, string>> = JSON.parse(process.argv[2] ?? '{}');

const app = App();
for (const [path, body] of Object.entries(bodies)) {
  app.get(path, (response) => {
    response.cork(() => {
      response.writeHeader('content-type', 'application/json');
      response.end(body);
    });
  });
}
app.listen('127.0.0.1', 0, (listener) => {
  process.send?.(listener === false ? 0 : us_socket_local_port(listener));
});
process.once('disconnect', () => process.exit());
