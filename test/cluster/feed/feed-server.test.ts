import t from 'tap';
import {
  connectFeed,
  FEED_FORMAT,
  FeedServer,
  type ReplicaHello,
} from '../../../cluster/feed/index.ts';
import { LOG_START } from '../../../cluster/log/index.ts';
import { hasOpenssl, makeAuthority } from '../../certificates.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const SECRET = Buffer.alloc(32, 7);

const HELLO: ReplicaHello = {
  format: FEED_FORMAT,
  logId: 'a log',
  node: 'gateway-1',
  role: 'gateway',
  program: '0',
  rules: 1,
  position: LOG_START,
  seq: 0,
  checksum: 0,
};

// A TLS socket can't be reset, which once ended the process when a connection was given up.
t.test(
  'a connection with certificates is refused and given up like one without',
  { skip: hasOpenssl() ? false : 'openssl is missing' },
  async (t) => {
    const certificate = makeAuthority(temporaryFolder(t), 'cluster');
    for (const tls of [undefined, certificate()]) {
      const server = new FeedServer({
        host: '127.0.0.1',
        port: 0,
        secret: SECRET,
        tls,
        core: () => undefined,
        onRefused: () => undefined,
      });
      const port = await server.listen();
      const address = `127.0.0.1:${port}`;
      await t.rejects(connectFeed({ address, secret: SECRET, tls, hello: HELLO }), {
        code: 'no_core',
        message: 'this node is not the core of the cluster',
      });
      const other = { ...HELLO, node: 'gateway-2' };
      await t.rejects(connectFeed({ address, secret: Buffer.alloc(32, 8), tls, hello: other }), {
        code: 'feed_refused',
        message: /another master secret/,
      });
      await server.close();
    }
  },
);
