/**
 * Certificates for tests of TLS, made by openssl: an authority, and certificates that it signed, on
 * 127.0.0.1 by default.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  /** The same as files. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

/** Makes an authority in a folder, and returns a function that makes certificates of it. */
export function makeAuthority(folder: string, name: string): (host?: string) => Certificate {
  const caFile = join(folder, `${name}.crt`);
  const caKey = join(folder, `${name}.key`);
  const keyWords = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', `/CN=${name}`];
  openssl([
    'req',
    '-x509',
    ...keyWords,
    '-keyout',
    caKey,
    '-out',
    caFile,
    '-days',
    '2',
    ...subject,
  ]);
  let count = 0;
  return (host = 'IP:127.0.0.1') => {
    count += 1;
    const file = (ending: string): string => join(folder, `${name}-${count}.${ending}`);
    const [keyFile, request, certFile, extensions] = ['key', 'csr', 'crt', 'ext'].map(file) as [
      string,
      string,
      string,
      string,
    ];
    writeFileSync(extensions, `subjectAltName=${host}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    openssl(['req', ...keyWords, '-keyout', keyFile, '-out', request, ...subject]);
    const signing = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '2'];
    openssl(['x509', '-req', '-in', request, ...signing, '-extfile', extensions, '-out', certFile]);
    const [cert, key, ca] = [certFile, keyFile, caFile].map((path) => readFileSync(path, 'utf8'));
    return { cert: cert!, key: key!, ca: ca!, certFile, keyFile, caFile };
  };
}

function openssl(words: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${words[0]} fails: ${stderr}`);
}
