/**
 * Signatures of a wallet in the browser: keccak-256, and ECDSA on secp256k1. Browsers have neither.
 *
 * It is simple and not hardened against timing attacks, because it signs only with the dev keys,
 * which are public. Never use it with any other key.
 */

const LANE_BITS = 64n;
const LANE = (1n << LANE_BITS) - 1n;
/** Bytes of a block of keccak-256. */
const RATE = 136;

function rotate(lane, by) {
  const bits = BigInt(by) % LANE_BITS;
  return ((lane << bits) | (lane >> (LANE_BITS - bits))) & LANE;
}

/** One permutation of the 25 lanes, x + 5y. The round constants come from the standard's LFSR. */
function permute(start) {
  let lanes = start;
  let register = 1;
  for (let round = 0; round < 24; round++) {
    const columns = [0, 1, 2, 3, 4].map((x) =>
      [5, 10, 15, 20].reduce((sum, y) => sum ^ lanes[x + y], lanes[x]),
    );
    lanes = lanes.map(
      (lane, at) => lane ^ columns[(at + 4) % 5] ^ rotate(columns[(at + 1) % 5], 1),
    );
    const moved = [...lanes];
    let [x, y] = [1, 0];
    for (let step = 0; step < 24; step++) {
      const from = lanes[x + 5 * y];
      [x, y] = [y, (2 * x + 3 * y) % 5];
      moved[x + 5 * y] = rotate(from, ((step + 1) * (step + 2)) / 2);
    }
    lanes = moved.map((lane, at) => {
      const row = at - (at % 5);
      return lane ^ (~moved[row + ((at + 1) % 5)] & LANE & moved[row + ((at + 2) % 5)]);
    });
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) lanes[0] ^= 1n << BigInt(2 ** bit - 1);
      register = register & 128 ? ((register << 1) ^ 0x171) & 255 : register << 1;
    }
  }
  return lanes;
}

/** The keccak-256 hash of bytes. */
export function keccak256(bytes) {
  const padded = new Uint8Array(Math.floor(bytes.length / RATE + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] ^= 0x01;
  padded[padded.length - 1] ^= 0x80;
  const words = new DataView(padded.buffer);
  let lanes = new Array(25).fill(0n);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let at = 0; at < RATE / 8; at++) lanes[at] ^= words.getBigUint64(block + 8 * at, true);
    lanes = permute(lanes);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 4; at++) hash.setBigUint64(8 * at, lanes[at], true);
  return new Uint8Array(hash.buffer);
}

export function toHex(bytes) {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function fromHex(hex) {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** A number as 32 bytes. */
export function word(number) {
  return fromHex(`0x${BigInt(number).toString(16).padStart(64, '0')}`);
}

// SEC 2: the field, the order of the group and its generator.
const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

function modulo(number, prime) {
  return ((number % prime) + prime) % prime;
}

/** The inverse of a number modulo a prime, by the extended Euclidean algorithm. */
function invert(number, prime) {
  let [low, high, inverse, next] = [modulo(number, prime), prime, 1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [inverse, next] = [next - quotient * inverse, inverse];
  }
  return modulo(inverse, prime);
}

/** The sum of two points; undefined is the point at infinity. */
function add(one, other) {
  if (one === undefined) return other;
  if (other === undefined) return one;
  if (one.x === other.x && modulo(one.y + other.y, P) === 0n) return undefined;
  const slope =
    one.x === other.x
      ? 3n * one.x * one.x * invert(2n * one.y, P)
      : (other.y - one.y) * invert(other.x - one.x, P);
  const x = modulo(slope * slope - one.x - other.x, P);
  return { x, y: modulo(slope * (one.x - x) - one.y, P) };
}

function multiply(factor) {
  let [sum, power] = [undefined, G];
  for (let left = factor; left > 0n; left >>= 1n) {
    if (left & 1n) sum = add(sum, power);
    power = add(power, power);
  }
  return sum;
}

/** The address of a private key, in lower case. */
export function addressOf(privateKey) {
  const { x, y } = multiply(BigInt(privateKey));
  return toHex(keccak256(new Uint8Array([...word(x), ...word(y)])).slice(12));
}

/** The signature of a hash of 32 bytes: r, s and v as 65 bytes of hex. */
export function signHash(hash, privateKey) {
  const number = BigInt(toHex(hash));
  for (;;) {
    const nonce = BigInt(toHex(crypto.getRandomValues(new Uint8Array(32))));
    if (nonce === 0n || nonce >= N) continue;
    const { x, y } = multiply(nonce);
    const r = modulo(x, N);
    const s = modulo(invert(nonce, N) * (number + r * BigInt(privateKey)), N);
    if (r === 0n || s === 0n || x >= N) continue;
    // Only the lower of the two possible values of s is canonical.
    const isHigh = s > N / 2n;
    const v = 27n + ((y & 1n) ^ (isHigh ? 1n : 0n));
    return toHex([...word(r), ...word(isHigh ? N - s : s), Number(v)]);
  }
}
