/**
 * Finds what is wrong with a certificate and its key before the listener uses them, because the
 * socket library reports only that it failed.
 *
 * Invariant: no text contains a part of a key.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // A text that is not a certificate is ordinary input here.
    return undefined;
  }
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // A text that is not a key, or a key that needs a passphrase, is ordinary input here.
    return undefined;
  }
}

/**
 * Which of two PEM texts can't be used, and why: `text` follows the word "which". The flag names
 * the certificate.
 */
export function tlsFault(
  certificatePem: string,
  keyPem: string,
  certificateFlag: string,
): { readonly of: 'certificate' | 'key'; readonly text: string } | undefined {
  const certificate = certificateIn(certificatePem);
  if (certificate === undefined) {
    return { of: 'certificate', text: 'does not begin with a certificate in PEM form' };
  }
  const key = keyIn(keyPem);
  if (key === undefined) {
    return { of: 'key', text: 'has no private key in PEM form without a passphrase' };
  }
  return certificate.checkPrivateKey(key)
    ? undefined
    : { of: 'key', text: `does not fit the first certificate in ${certificateFlag}` };
}

/** When the first certificate of a text without a fault ends, in milliseconds since the epoch. */
export function certificateEnd(certificatePem: string): number {
  return Date.parse(new X509Certificate(certificatePem).validTo);
}
