/**
 * Writes a ZIP archive of a few short files, stored without compression (PKWARE's APPNOTE 6.3.10,
 * sections 4.3.7, 4.3.12 and 4.3.16). The archive is a function of the files: it has no times.
 * Bound: the caller's files, together less than 4 GB.
 */
import { crc32 } from 'node:zlib';

const LOCAL = 0x0403_4b50;
const CENTRAL = 0x0201_4b50;
const END = 0x0605_4b50;

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const STORED = 0;
/** 1980-01-01, the first that the form can hold. */
const DATE = 0x21;

type Field = readonly [bytes: 2 | 4, value: number];

/** Little-endian fields, one after the other. */
function fieldsOf(fields: readonly Field[]): Buffer {
  const parts = fields.map(([bytes, value]) => {
    const part = Buffer.alloc(bytes);
    part.writeUIntLE(value, 0, bytes);
    return part;
  });
  return Buffer.concat(parts);
}

/** What the header before a file and its entry in the directory have in common. */
function described(name: Buffer, content: Buffer): readonly Field[] {
  return [
    [2, VERSION],
    [2, FLAGS],
    [2, STORED],
    [2, 0],
    [2, DATE],
    [4, crc32(content)],
    [4, content.length],
    [4, content.length],
    [2, name.length],
    [2, 0],
  ];
}

export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const fields = described(name, content);
    const local = Buffer.concat([fieldsOf([[4, LOCAL], ...fields]), name, content]);
    // No comment, the first disk, no attributes.
    const rest: readonly Field[] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ];
    directory.push(fieldsOf([[4, CENTRAL], [2, VERSION], ...fields, ...rest]), name);
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const count = parts.length;
  const end = fieldsOf([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, entries.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...parts, entries, end]);
}
