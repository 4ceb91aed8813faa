/**
 * The certificate of a node, its key and those that sign the others', read again when their files
 * change. Invariant: files that can't be used, such as a new certificate beside the old key, change
 * nothing and are reported. Bound: they are read every STORE_PACE.certificatesMs.
 */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { ClusterTls } from '../http/settings/cluster.ts';
import { messageOf, STORE_PACE, StoreError } from '../persistence/shared/index.ts';
import type { FeedTls } from './feed/index.ts';

export interface CertificatesOptions {
  readonly files: ClusterTls;
  /** There are new ones. */
  readonly onChange: (tls: FeedTls) => void;
  readonly onTrouble: (error: StoreError) => void;
}

export class Certificates {
  readonly #options: CertificatesOptions;
  readonly #timer: NodeJS.Timeout;
  #current: FeedTls;
  #trouble = '';

  /** Throws StoreError `feed_refused`. */
  constructor(options: CertificatesOptions) {
    this.#options = options;
    this.#current = readTls(options.files);
    this.#timer = setInterval(() => this.look(), STORE_PACE.certificatesMs).unref();
  }

  get current(): FeedTls {
    return this.#current;
  }

  /** Reads the files. The timer calls it. */
  look(): void {
    const { files, onChange, onTrouble } = this.#options;
    try {
      const tls = readTls(files);
      this.#trouble = '';
      if (JSON.stringify(tls) === JSON.stringify(this.#current)) return;
      this.#current = tls;
      onChange(tls);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#trouble !== error.message) onTrouble(error);
      this.#trouble = error.message;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function readTls({ certFile, keyFile, caFile }: ClusterTls): FeedTls {
  try {
    const [cert, key, ca] = [certFile, keyFile, caFile].map((file) => readFileSync(file, 'utf8'));
    const tls = { cert: cert!, key: key!, ca: ca! };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw new StoreError(
      'feed_refused',
      `the certificates of the cluster can't be used (${messageOf(error)}): check ` +
        '--cluster-cert, --cluster-key, which must belong together, and --cluster-ca',
    );
  }
}
