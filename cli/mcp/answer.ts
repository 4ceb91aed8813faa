/**
 * Answers that fit into the context of a model.
 *
 * Invariant: an answer says of each list and text that was cut how much of it is shown, and which
 * arguments ask for the rest.
 */

export const MOST_CHARACTERS = 24_000;
const MOST_ITEMS = 1_024;
const MOST_TEXT = 2_000;
/** Texts when lists of one item are still too long. */
const SHORT_TEXT = 200;

export interface CutForm {
  /** Lists have the newest, or the best, last. */
  readonly keepsEnd?: boolean;
  /** The arguments by which other parts of a list can be asked for. */
  readonly partedBy: readonly string[];
}

class Cutter {
  readonly left = new Map<string, string>();
  readonly #items: number;
  readonly #text: number;
  readonly #keepsEnd: boolean;

  constructor(items: number, text: number, keepsEnd: boolean) {
    this.#items = items;
    this.#text = text;
    this.#keepsEnd = keepsEnd;
  }

  /** `place` is where the value is in the answer: `events[].markets`. */
  cut(value: unknown, place: string): unknown {
    if (typeof value === 'string') return this.#cutText(value, place);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#cutList(value, place);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        this.cut(part, place === '' ? key : `${place}.${key}`),
      ]),
    );
  }

  #cutText(text: string, place: string): string {
    if (text.length <= this.#text) return text;
    this.left.set(place, `the first ${this.#text} of ${text.length} characters`);
    return `${text.slice(0, this.#text)}...`;
  }

  #cutList(list: readonly unknown[], place: string): readonly unknown[] {
    const most = this.#items;
    const kept = this.#keepsEnd ? list.slice(-most) : list.slice(0, most);
    if (kept.length < list.length) {
      const end = this.#keepsEnd ? 'last' : 'first';
      this.left.set(place, `the ${end} ${kept.length} of ${list.length}`);
    }
    return kept.map((item) => this.cut(item, `${place}[]`));
  }
}

/** The answer as one text, and a second one if something was left off. */
export function answerTexts(
  json: unknown,
  { keepsEnd = false, partedBy }: CutForm,
): readonly string[] {
  for (let items = MOST_ITEMS; ; items = Math.floor(items / 2)) {
    const cutter = new Cutter(Math.max(items, 1), items === 0 ? SHORT_TEXT : MOST_TEXT, keepsEnd);
    const text = JSON.stringify(cutter.cut(json, ''));
    if (text.length > MOST_CHARACTERS && items > 0) continue;
    const left = [...cutter.left].map(([place, what]) => `${place || 'the list'}: ${what}`);
    if (text.length > MOST_CHARACTERS) left.push(`of this text: the first ${MOST_CHARACTERS}`);
    if (left.length === 0) return [text];
    const how = partedBy.length === 0 ? '' : ` Ask for other parts with: ${partedBy.join(', ')}.`;
    return [text.slice(0, MOST_CHARACTERS), `Only a part is shown. ${left.join('; ')}.${how}`];
  }
}
