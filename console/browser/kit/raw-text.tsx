/** Texts of the wire as they are, to read and to copy. */
import { CopyButton } from './copy.tsx';

/** JSON with a line for each field; another text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not everything that is sent is JSON, and of long texts only the beginning is kept.
    return text;
  }
}

interface RawTextProps {
  readonly title: string;
  readonly text: string;
  /** What the button shows. */
  readonly copy?: string;
}

export function RawText({ title, text, copy = 'Copy' }: RawTextProps) {
  return (
    <section class="raw" aria-label={title}>
      <div class="row apart">
        <h3>{title}</h3>
        <CopyButton
          text={text}
          label={copy}
          {...(copy === 'Copy' ? { name: `Copy ${title}` } : {})}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what scrolls */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
