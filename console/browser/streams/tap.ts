/**
 * The raw messages of all sockets, for the stream inspector.
 *
 * Invariant: no secret is in it: a link passes the text of a message without its secrets.
 * Bound: `tapMessages` and `tapCharacters`; the oldest go first. Of a long message only the
 * beginning is kept, and its length.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { PAGE_BOUNDS } from './bounds.ts';
import type { Frames } from './frames.ts';

/** `event`: the socket opened or closed, or something was wrong. */
export type TapDirection = 'in' | 'out' | 'event';

export interface TapMessage {
  /** Counts all messages of the page, from 1. */
  readonly number: number;
  readonly timeMs: number;
  /** The path of the socket. */
  readonly path: string;
  readonly direction: TapDirection;
  readonly text: string;
  /** Characters of the whole message. If it is more than `text` has, `text` is the beginning. */
  readonly length: number;
}

export class MessageTap {
  readonly #frames: Frames;
  readonly #nowMs: () => number;
  readonly #changes = signal(0);
  #messages: TapMessage[] = [];
  #characters = 0;
  #count = 0;
  readonly #show = () => {
    this.#changes.value += 1;
  };

  constructor(frames: Frames, nowMs: () => number) {
    this.#frames = frames;
    this.#nowMs = nowMs;
  }

  /** Changes when the messages have changed, at most once a frame. */
  get changes(): ReadonlySignal<number> {
    return this.#changes;
  }

  /** The kept messages, the oldest first. */
  messages(): readonly TapMessage[] {
    return [...this.#messages];
  }

  note(path: string, direction: TapDirection, whole: string): void {
    const { tapMessages, tapCharacters, tapMessageCharacters } = PAGE_BOUNDS;
    const text = whole.slice(0, tapMessageCharacters);
    const { length } = whole;
    this.#count += 1;
    this.#characters += text.length;
    const timeMs = this.#nowMs();
    this.#messages.push({ number: this.#count, timeMs, path, direction, text, length });
    while (this.#characters > tapCharacters || this.#messages.length > tapMessages) {
      this.#characters -= this.#messages.shift()?.text.length ?? 0;
    }
    this.#frames.add(this.#show);
  }

  clear(): void {
    this.#messages = [];
    this.#characters = 0;
    this.#frames.add(this.#show);
  }
}
