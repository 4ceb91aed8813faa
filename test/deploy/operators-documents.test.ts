/** What docs/going-live.md and deploy/proxy tell operators exists in the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SERVE_OPTIONS } from '../../cli/options/serve-options.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { DEFAULT_SETTINGS } from '../../http/settings/defaults.ts';
import { STREAM_BOUNDS } from '../../http/streams/delivery/bounds.ts';
import { ALL_COMMANDS } from '../all-commands.ts';
import { OPERATOR_ROUTES, ROUTES } from '../all-routes.ts';
import { PROJECT } from './system.ts';

const NGINX = readFileSync(join(PROJECT, 'deploy/proxy/nginx.conf'), 'utf8');
const GUIDE = readFileSync(join(PROJECT, 'docs/going-live.md'), 'utf8');

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

/** A path with the names of its parameters left out. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

t.test('each route, setting and command of the guide exists', async (t) => {
  const routes = [...ROUTES, ...OPERATOR_ROUTES].map(({ method, path }) => `${method} ${path}`);
  const known = routes.map(shapeOf);
  const named = found(GUIDE, /`((?:GET|POST|PUT|DELETE) \/[\w/{}-]*)/g);
  t.ok(named.length > 8);
  for (const route of named) t.ok(known.includes(shapeOf(route)), route);
  for (const path of found(GUIDE, /^operator (\/\w+)/gm))
    t.ok(routes.includes(`POST ${path}`) || routes.includes(`GET ${path}`), path);
  const keys = found(GUIDE, /^\| `(\w+)`[ ,].*\|$/gm);
  const settings = Object.keys(SERVE_OPTIONS);
  t.ok(keys.includes('newOwners'));
  for (const key of keys) t.ok(settings.includes(key), key);
  const commands = found(GUIDE, /\/outcome-exchange ([a-z]\w*)/g);
  t.ok(commands.length > 4);
  for (const command of commands) {
    t.ok(
      ALL_COMMANDS.some(({ name }) => name.split(' ')[0] === command),
      command,
    );
  }
});

t.test(
  "nginx has the bounds of the exchange, and the exchange's idle time is longer",
  async (t) => {
    t.match(NGINX, `client_max_body_size ${HTTP_BOUNDS.ordersBodyBytes / 1024}k;`);
    t.match(NGINX, `"limit":${HTTP_BOUNDS.ordersBodyBytes}}`);
    t.match(NGINX, `large_client_header_buffers 4 ${HTTP_BOUNDS.headBytes / 1024}k;`);
    t.match(NGINX, `limit_conn connections ${STREAM_BOUNDS.socketsPerAddress};`);
    const [seconds = ''] = found(NGINX, /proxy_read_timeout (\d+)s;/g);
    t.ok(Number(seconds) > STREAM_BOUNDS.idleSeconds);
    t.notMatch(NGINX.replaceAll(/#.*/g, ''), `:${DEFAULT_SETTINGS.adminPort}`);
  },
);
