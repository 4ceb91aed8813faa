/** The fields that end every message of a market or an owner (wire 7.1). */

export interface Stamp {
  readonly sequence: number;
  readonly streamId: string;
  readonly serverMs: number;
}

/** The JSON of a message, with the stamp as its last fields. */
export function stamped(fields: object, { sequence, streamId, serverMs }: Stamp): string {
  return JSON.stringify({ ...fields, sequence, stream_id: streamId, server_ts_ms: serverMs });
}
