/** Pictures of events and markets. */

/** Pictures come from this origin only, whatever a record says. */
export function pictureOf(image: string | undefined): string {
  return image !== undefined && /^\/images\/[\w.-]+$/.test(image) ? image : '';
}

/** The picture of an event, which this exchange serves; without one, a place of the same size. */
export function Picture({ path, size }: { path: string; size: number }) {
  const length = `${size}px`;
  if (path === '') return <span class="picture" style={{ width: length, height: length }} />;
  // The page is at `ui/` below the root of the exchange.
  return <img class="picture" src={`..${path}`} width={size} height={size} alt="" />;
}
