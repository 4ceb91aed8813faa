/**
 * The documents of the program as pages, for people and for agents: README.md and each file that a
 * link leads to from there. Made at the first request, in many turns of the event loop.
 *
 * Invariant: the name in a request is looked up among the files of the site and never joined to a
 * path. Raw HTML in a document is shown as text.
 * Bound: the files that documents of the program link to, four megabytes with their pages.
 */
import { extname, posix } from 'node:path';
import type { Marked, Token, Tokens } from 'marked';
import { nextTurn } from '../runtime/log.ts';
import { pageTemplate, readProgramFile } from './assets.ts';
import contents from './contents.json' with { type: 'json' };

export interface SiteFile {
  readonly body: string | Uint8Array;
  readonly contentType: string;
}

const HOME = 'README.md';
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
};
const TEXT_TYPE = 'text/plain; charset=utf-8';
const SEARCH_FILE = 'search.json';

/** A link to another file: its text, the file's path, and a place in the file. */
const LINK = /\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)/g;

function targetOf(path: string, link: string): string {
  return posix.join(posix.dirname(path), link);
}

/** Its name below /docs: that in docs/, or its whole path with dashes in place of slashes. */
function rawName(path: string): string {
  return path.replace(/^docs\//, '').replaceAll('/', '-');
}

/** Its page; pictures have none. */
function pageName(path: string): string {
  const name = rawName(path);
  return extname(path) === '.png' ? name : `${name.replace(/\.md$/, '')}.html`;
}

type Sources = ReadonlyMap<string, Buffer>;

/** By path. A file that this installation lacks is left out. */
async function readSources(): Promise<Sources> {
  const found = new Map<string, Buffer>();
  const waiting = [HOME, ...contents.flatMap(({ paths }) => paths)];
  for (const path of waiting) {
    const bytes =
      found.has(path) || path.startsWith('..') ? undefined : await readProgramFile(path);
    if (bytes === undefined) continue;
    found.set(path, bytes);
    if (!path.endsWith('.md')) continue;
    for (const [, , link = ''] of bytes.toString().matchAll(LINK)) {
      waiting.push(targetOf(path, link));
    }
  }
  return found;
}

/** The text with links to the files of the site; other links become text. */
function relinked(path: string, sources: Sources, nameOf: (path: string) => string): string {
  return `${sources.get(path)}`.replace(LINK, (_, text, link, place = '') => {
    const target = targetOf(path, link);
    return sources.has(target) ? `[${text}](${nameOf(target)}${place})` : text;
  });
}

/** Markdown in one line without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A heading and what follows it. */
interface Section {
  readonly heading: string;
  /** The id of the heading, as GitHub's pages have it. */
  readonly place: string;
  readonly token: Token;
  text: string;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const sections: Section[] = [];
  const counts = new Map<string, number>();
  for (const token of tokens) {
    const last = sections.at(-1);
    if (isHeading(token)) {
      const heading = plain(token.text);
      const word = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const count = counts.get(word) ?? 0;
      counts.set(word, count + 1);
      sections.push({ heading, token, text: '', place: count === 0 ? word : `${word}-${count}` });
    } else if (last !== undefined) last.text += `${plain(token.raw)} `;
  }
  return sections;
}

interface Rendered {
  readonly path: string;
  readonly title: string;
  /** The first sentence of a document; '' for a file that is none. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

async function render(path: string, sources: Sources, marked: Marked): Promise<Rendered> {
  if (!path.endsWith('.md')) {
    const html = `<h1>${path}</h1><pre>${escaped(`${sources.get(path)}`)}</pre>`;
    return { path, title: path, summary: '', html, sections: [] };
  }
  const tokens = marked.lexer(relinked(path, sources, pageName));
  const sections = sectionsOf(tokens);
  const places = new Map(sections.map(({ token, place }) => [token, place]));
  await nextTurn();
  marked.use({
    renderer: {
      heading(token): string {
        const inner = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${places.get(token) ?? ''}">${inner}</h${token.depth}>\n`;
      },
      html: ({ text }) => escaped(text),
    },
  });
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    path,
    title: sections[0]?.heading ?? path,
    summary: plain(first?.raw ?? '').replace(/(?<=\.) .*$/, ''),
    html: marked.parser(tokens),
    sections,
  };
}

/** The list of documents beside each page, with `path` marked as the one that is shown. */
function contentsHtml(path: string, titles: ReadonlyMap<string, string>): string {
  const rowOf = (one: string): string => {
    const title = titles.get(one);
    if (title === undefined) return '';
    const current = one === path ? ' aria-current="page"' : '';
    return `<li><a href="${pageName(one)}"${current}>${escaped(title)}</a></li>`;
  };
  return contents
    .map(({ name, paths }) => `<h2>${name}</h2><ul>${paths.map(rowOf).join('')}</ul>`)
    .join('');
}

/** The list of documents for language models, in the form of llmstxt.org. */
function llmsText(rendered: ReadonlyMap<string, Rendered>): string {
  const groups = contents.map(({ name, paths }) => {
    const rows = paths.flatMap((path) => {
      const { title, summary } = rendered.get(path) ?? {};
      return title === undefined ? [] : [`- [${title}](docs/${rawName(path)}): ${summary}`];
    });
    return `## ${name}\n\n${rows.join('\n')}\n`;
  });
  return [
    '# outcome-exchange\n',
    `> ${rendered.get(HOME)?.summary ?? ''}\n`,
    'All addresses below are of this running exchange. `openapi.json` describes its routes with\n' +
      'examples, `asyncapi.json` its streams, and `limits` the bounds in effect here.\n',
    ...groups,
  ].join('\n');
}

export const LLMS_FILE = 'llms.txt';

async function makeSite(): Promise<ReadonlyMap<string, SiteFile>> {
  const [{ Marked: Renderer }, sources, template] = await Promise.all([
    import('marked'),
    readSources(),
    pageTemplate(),
  ]);
  const rendered = new Map<string, Rendered>();
  for (const path of sources.keys()) {
    if (extname(path) === '.png') continue;
    await nextTurn();
    rendered.set(path, await render(path, sources, new Renderer()));
  }
  const titles = new Map([...rendered].map(([path, { title }]) => [path, title]));
  const files = new Map<string, SiteFile>();
  const add = (name: string, body: string | Uint8Array): unknown =>
    files.set(name, { body, contentType: TYPES[extname(name)] ?? TEXT_TYPE });
  for (const [path, bytes] of sources) {
    add(rawName(path), path.endsWith('.md') ? relinked(path, sources, rawName) : bytes);
  }
  for (const { path, title, html } of rendered.values()) {
    await nextTurn();
    const parts: Readonly<Record<string, string>> = {
      TITLE: escaped(title),
      CONTENT: html,
      CONTENTS: contentsHtml(path, titles),
    };
    add(
      pageName(path),
      template.replace(/\b(TITLE|CONTENTS?)\b/g, (name) => parts[name] ?? ''),
    );
  }
  const rows = [...rendered.values()].flatMap(({ path, title, sections }) =>
    sections.map(({ place, heading, text }) => [pageName(path), title, place, heading, text]),
  );
  add(SEARCH_FILE, JSON.stringify(rows));
  add(LLMS_FILE, llmsText(rendered));
  return files;
}

let site: ReturnType<typeof makeSite> | undefined;

/** Undefined for a name that the site does not have. */
export async function siteFile(name: string): Promise<SiteFile | undefined> {
  site ??= makeSite();
  // A failure is not kept, because a lack of file handles is temporary.
  site.catch(() => {
    site = undefined;
  });
  return (await site).get(name);
}
