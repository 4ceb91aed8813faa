/** Random values from the browser. `crypto.randomUUID` is missing on plain http beyond loopback. */

/** 48 random bits, which a JSON number holds exactly. */
export function randomSalt(): number {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** A `key` for the body of POST /sets/... or /faucet: what is sent again with it is done once. */
export function moveKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
