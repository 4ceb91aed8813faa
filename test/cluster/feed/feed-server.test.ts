import { copyFileSync } from 'node:fs';
import t from 'tap';
import { Certificates } from '../../../cluster/certificates.ts';
import {
  connectFeed,
  FEED_FORMAT,
  FeedServer,
  type ReplicaHello,
} from '../../../cluster/feed/index.ts';
import { LOG_START } from '../../../cluster/log/index.ts';
import { type Certificate, hasOpenssl, makeAuthority } from '../../certificates.ts';
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
        onSeeker: () => undefined,
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

// Certificates that were replaced were used after a restart alone, and expired ones ended nodes.
t.test(
  'certificates are read again when their files change, unless they can not be used',
  { skip: hasOpenssl() ? false : 'openssl is missing' },
  async (t) => {
    const folder = temporaryFolder(t);
    const [old, fresh] = [makeAuthority(folder, 'old')(), makeAuthority(folder, 'fresh')()];
    const files = {
      certFile: `${folder}/node.crt`,
      keyFile: `${folder}/node.key`,
      caFile: `${folder}/ca.crt`,
    };
    const put = (name: 'cert' | 'key' | 'ca', from: Certificate): void =>
      copyFileSync(from[`${name}File`], files[`${name}File`]);
    for (const name of ['cert', 'key', 'ca'] as const) put(name, old);
    const troubles: string[] = [];
    const certificates = new Certificates({
      files,
      onChange: (tls) => server.renew(tls),
      onTrouble: ({ message }) => troubles.push(message),
    });
    t.teardown(() => certificates.close());
    const terms = { host: '127.0.0.1', port: 0, secret: SECRET, core: () => undefined };
    const heard = { onSeeker: () => undefined, onRefused: () => undefined };
    const server = new FeedServer({ ...terms, ...heard, tls: certificates.current });
    const address = `127.0.0.1:${await server.listen()}`;
    t.teardown(() => server.close());
    const knock = (tls: Certificate, message: RegExp | string) =>
      t.rejects(connectFeed({ address, secret: SECRET, tls, hello: HELLO }), { message });
    const isNoCore = 'this node is not the core of the cluster';
    await knock(old, isNoCore);
    put('cert', fresh);
    certificates.look();
    certificates.look();
    t.match(troubles, [/--cluster-key, which must belong together/]);
    t.equal(troubles.length, 1, 'it is said once');
    await knock(old, isNoCore);
    put('key', fresh);
    put('ca', fresh);
    certificates.look();
    await knock(fresh, isNoCore);
    await knock(old, /does not answer/);
  },
);
