/** Random values from the browser. `crypto.randomUUID` is missing on plain http beyond loopback. */

/** 48 random bits, which a JSON number holds exactly. */
export function randomSalt(): number {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Random bytes as hex digits without 0x. */
export function randomHex(byteCount: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(byteCount));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The `key` of a body that moves money: what is sent again with it is done once. */
export const moveKey = () => randomHex(16);
