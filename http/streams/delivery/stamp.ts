/** The fields that end every message of a market or an owner (wire 7.1). */

export interface Stamp {
  readonly sequence: number;
  readonly streamId: string;
  readonly serverMs: number;
}

/** The JSON of a message, with the stamp as its last fields. */
export function stamped(fields: object, stamp: Stamp): string {
  return JSON.stringify({ ...fields, ...stampFields(stamp) });
}

/** The same with a last field before the stamp whose JSON exists already. */
export function stampedWith(
  fields: object,
  { name, json }: { readonly name: string; readonly json: string },
  stamp: Stamp,
): string {
  const [head, tail] = [JSON.stringify(fields), JSON.stringify(stampFields(stamp))];
  return `${head.slice(0, -1)},"${name}":${json},${tail.slice(1)}`;
}

function stampFields({ sequence, streamId, serverMs }: Stamp) {
  return { sequence, stream_id: streamId, server_ts_ms: serverMs };
}
