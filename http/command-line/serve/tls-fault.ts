/**
 * What is wrong with a certificate and its key, before the listener is made of them: the socket
 * library says no more than that it failed.
 *
 * Invariant: nothing of a key is ever repeated.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // A text that is no certificate is ordinary input here.
    return undefined;
  }
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // As above; so is a key that needs a passphrase.
    return undefined;
  }
}

/** Which of two PEM texts can't be used, and what of it, after "which". */
export function tlsFault(
  certificatePem: string,
  keyPem: string,
): { readonly of: 'certificate' | 'key'; readonly text: string } | undefined {
  const certificate = certificateIn(certificatePem);
  if (certificate === undefined) {
    return { of: 'certificate', text: 'does not begin with a certificate in PEM form' };
  }
  const key = keyIn(keyPem);
  if (key === undefined) {
    return { of: 'key', text: 'has no private key in PEM form, or one that needs a passphrase' };
  }
  return certificate.checkPrivateKey(key)
    ? undefined
    : { of: 'key', text: 'has the key of another certificate than the first in --tls-cert' };
}
