/**
 * Requests of replicas and their answers as bytes. A request is its id, the length of its kind, its
 * kind and its body; an answer is the id, the newest entry at that time, and its body.
 */
const ID_BYTES = 4;
const KIND_AT = 5;
const ANSWER_HEAD_BYTES = 12;

export function requestHead(id: number, kind: string): Buffer {
  const head = Buffer.allocUnsafe(KIND_AT + kind.length);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(kind.length, ID_BYTES);
  head.write(kind, KIND_AT, 'latin1');
  return head;
}

export function requestIn(frame: Buffer) {
  const bodyAt = KIND_AT + frame.readUInt8(ID_BYTES);
  return {
    id: frame.readUInt32BE(0),
    kind: frame.toString('latin1', KIND_AT, bodyAt),
    body: frame.subarray(bodyAt),
  };
}

export function answerHead(id: number, number: number): Buffer {
  const head = Buffer.allocUnsafe(ANSWER_HEAD_BYTES);
  head.writeUInt32BE(id, 0);
  head.writeBigUInt64BE(BigInt(number), ID_BYTES);
  return head;
}

export function answerIn(frame: Buffer) {
  return {
    id: frame.readUInt32BE(0),
    number: Number(frame.readBigUInt64BE(ID_BYTES)),
    body: frame.subarray(ANSWER_HEAD_BYTES),
  };
}
