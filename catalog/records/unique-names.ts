/** Finds names that occur twice in one import though each must be unique. */
import type { RefusalList, SeriesRow, TagRow } from '../model/index.ts';
import type { CheckedEvent, CheckedMarket } from './checked-event.ts';

export class NameRegister {
  readonly #refusals: RefusalList;
  /** The path at which each name occurred first. */
  readonly #paths = new Map<string, string>();
  readonly #pairs = new Map<string, string | number>();

  constructor(refusals: RefusalList) {
    this.#refusals = refusals;
  }

  registerEvent(event: CheckedEvent): void {
    this.#claim('an event id', event.row.id, `${event.path}.id`);
    this.#claim('an event slug', event.row.slug, `${event.path}.slug`);
    for (const market of event.markets) this.#registerMarket(market);
    event.tags.forEach((tag, index) => {
      this.#pair('tag', tag, `${event.path}.tags[${index}]`);
    });
    event.series.forEach((series, index) => {
      this.#pair('series', series, `${event.path}.series[${index}]`);
    });
  }

  #registerMarket({ path, row, tokenIds }: CheckedMarket): void {
    this.#claim('a market id', row.id, `${path}.id`);
    this.#claim('a market slug', row.slug, `${path}.slug`);
    this.#claim('a condition id', row.conditionId, `${path}.conditionId`);
    for (const tokenId of tokenIds) this.#claim('a token id', tokenId, `${path}.clobTokenIds`);
  }

  #claim(kind: string, name: string | number, path: string): void {
    const key = `${kind} ${name}`;
    const earlier = this.#paths.get(key);
    if (earlier === undefined) this.#paths.set(key, path);
    else this.#refusals.add(path, `${kind} that no other record has`, `${name}, as at ${earlier}`);
  }

  /** A tag or series may occur in many events, always with the same id and slug. */
  #pair(kind: string, row: TagRow | SeriesRow, path: string): void {
    const slug = this.#remember(`${kind} id ${row.id}`, row.slug);
    const id = this.#remember(`${kind} slug ${row.slug}`, row.id);
    if (slug !== row.slug) {
      this.#refusals.add(
        `${path}.slug`,
        `"${slug}", as in an earlier record with id ${row.id}`,
        `"${row.slug}"`,
      );
    } else if (id !== row.id) {
      this.#refusals.add(
        `${path}.id`,
        `"${id}", as in an earlier record with slug ${row.slug}`,
        `"${row.id}"`,
      );
    }
  }

  #remember(key: string, value: string | number): string | number {
    const earlier = this.#pairs.get(key) ?? value;
    this.#pairs.set(key, earlier);
    return earlier;
  }
}
