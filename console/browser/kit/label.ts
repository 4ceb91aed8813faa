/** Names of the wire as people read them. */

/** The name of a property as a label: `taker_fee_bps` is "Taker fee bps". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return label.replace(/\bapi\b/i, 'API');
}
