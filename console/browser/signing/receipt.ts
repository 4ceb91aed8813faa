/** The id and the transaction hash of a trade, from its content (http/orders/receipts.md). */

/** What happened, with its place in the journal. */
export interface TradeContent {
  readonly seq: number;
  readonly timeMs: number;
  readonly takerOrderId: string;
  readonly bucketIndex: number;
  /** The trade's own price: the taker's. */
  readonly priceTicks: number;
  /** In the order of their fills. */
  readonly makers: readonly { readonly orderId: string; readonly lots: number }[];
}

export interface Receipt {
  /** The lines of the content, without their line feeds. */
  readonly lines: readonly string[];
  readonly id: string;
  readonly transactionHash: string;
}

const UUID_BYTES = 16;
const VERSION_BYTE = 6;
const VERSION = 0x80;
const VARIANT_BYTE = 8;
const VARIANT = 0x80;

export async function receiptOf(content: TradeContent): Promise<Receipt> {
  const { hexOf, textSha256 } = await import('./cryptography.ts');
  const { seq, timeMs, takerOrderId, bucketIndex, priceTicks, makers } = content;
  const lines = [
    `${seq} ${timeMs} ${takerOrderId} ${bucketIndex}`,
    ...makers.map(({ orderId, lots }) => `${orderId} ${priceTicks} ${lots}`),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const hash = textSha256(`outcome-exchange transaction hash 1\n${text}`);
  const id = textSha256(`outcome-exchange trade id 1\n${text}`).slice(0, UUID_BYTES);
  // A UUID of version 8 (RFC 9562).
  id[VERSION_BYTE] = ((id[VERSION_BYTE] ?? 0) & 0x0f) | VERSION;
  id[VARIANT_BYTE] = ((id[VARIANT_BYTE] ?? 0) & 0x3f) | VARIANT;
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(hexOf(id));
  return { lines, id: (groups ?? []).slice(1).join('-'), transactionHash: `0x${hexOf(hash)}` };
}
