import { type OrderIdRow, packOrderId } from '../../../persistence/journal/packed-order-ids.ts';
import { ByteWriter } from '../../../persistence/rows/byte-writer.ts';

/** Rows of order ids as a batch has them. */
export function packOrderIds(rows: readonly OrderIdRow[]): Buffer {
  const bytes = new ByteWriter();
  for (const [id, seq, type, postOnly, expiresAtMs] of rows) {
    const orderId = `0x${id.toString('hex')}`;
    packOrderId({ orderId, seq, type, postOnly: postOnly === 1, expiresAtMs }, bytes);
  }
  return Buffer.from(bytes.copy());
}
