/**
 * What comments and documents refer to: sections of the wire contract (http/wire), other documents,
 * and each other by links. Everything must be there, in this repository.
 */
import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { readProject, readProjectFile } from './project.ts';

export interface ProjectText {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

const WIRE_FOLDER = 'http/wire/';
const ROOT = new URL('../../', import.meta.url);
/** Folders without documents of ours. */
const FOREIGN_FOLDERS = new Set(['node_modules', '.git', '.tap', 'data']);

function documentPaths(): string[] {
  return readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return entry.name.endsWith('.md') ? [entry.name] : [];
    if (FOREIGN_FOLDERS.has(entry.name)) return [];
    return readdirSync(new URL(entry.name, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `${entry.name}/${path.replaceAll('\\', '/')}`);
  });
}

/** Every document of the project. */
export function readDocuments(): ProjectText[] {
  return documentPaths()
    .toSorted()
    .map((path) => ({ path, text: readProjectFile(path) }));
}

/** Every source file and every document of the project. */
export function readTexts(): ProjectText[] {
  const sources = readProject().map(({ path, code }) => ({ path, text: code }));
  return [...sources, ...readDocuments()];
}

/** Whether a file or folder of the project exists. */
export function isProjectPath(path: string): boolean {
  return existsSync(new URL(path, ROOT));
}

interface Found {
  /** File and line. */
  readonly place: string;
  readonly match: RegExpExecArray;
}

function allIn({ path, text }: ProjectText, pattern: RegExp): Found[] {
  return [...text.matchAll(pattern)].map((match) => ({
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
    match,
  }));
}

/** `# 8 Catalog`, `## 8.7 Analytics`. */
const SECTION_HEADING = /^#+ (\d+(?:\.\d+)?) /gm;

/** The sections of the contract. Each stands once, in the file of its main number. */
export function wireSections(documents: readonly ProjectText[]): {
  readonly sections: ReadonlySet<string>;
  readonly faults: readonly string[];
} {
  const sections = new Set<string>();
  const faults: string[] = [];
  for (const document of documents.filter(({ path }) => path.startsWith(WIRE_FOLDER))) {
    for (const { place, match } of allIn(document, SECTION_HEADING)) {
      const [, number = ''] = match;
      const [main = ''] = number.split('.');
      if (sections.has(number)) faults.push(`${place} repeats section ${number}`);
      if (!document.path.startsWith(`${WIRE_FOLDER}${main}-`)) {
        faults.push(`${place} has section ${number}, which belongs to ${WIRE_FOLDER}${main}-*.md`);
      }
      sections.add(number);
    }
  }
  return { sections, faults };
}

// A citation may go on in the next line of a comment.
const GAP = String.raw`\s+(?:(?:\*|//)\s+)?`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;
const NEXT_NUMBER = `(?:,|(?:,?${GAP}(?:and|or|to)))${GAP}${NUMBER}`;
/** `wire 3.4`, `wire 0.3, 0.4`, `wire 3.2 to 3.6`. */
const CITATION = new RegExp(`\\bwire${GAP}(${NUMBER}(?:${NEXT_NUMBER})*)`, 'gi');
/** The contract's own references. */
const OWN_REFERENCE = new RegExp(`\\bsections?${GAP}(${NUMBER}(?:${NEXT_NUMBER})*)`, 'gi');

/** Citations of sections that the contract does not have. */
export function citationFaults(
  texts: readonly ProjectText[],
  sections: ReadonlySet<string>,
): string[] {
  return texts.flatMap((text) => {
    const isOwn = text.path.startsWith(WIRE_FOLDER);
    const found = [...allIn(text, CITATION), ...(isOwn ? allIn(text, OWN_REFERENCE) : [])];
    return found.flatMap(({ place, match }) =>
      [...(match[1] ?? '').matchAll(new RegExp(NUMBER, 'g'))]
        .filter(([number]) => !sections.has(number))
        .map(([number]) => `${place} cites section ${number}, which ${WIRE_FOLDER} does not have`),
    );
  });
}

const DOCUMENT_NAME = /(?<![\w./-])[\w./-]*\w\.md\b/g;

/** Named documents that are not in the project. */
export function missingDocuments(
  texts: readonly ProjectText[],
  documents: readonly ProjectText[],
): string[] {
  const paths = new Set(documents.map(({ path }) => path));
  const names = new Set(documents.map(({ path }) => posix.basename(path)));
  return texts.flatMap((text) =>
    allIn(text, DOCUMENT_NAME)
      .filter(({ match: [name] }) => {
        const beside = posix.join(posix.dirname(text.path), name);
        const isPath = name.includes('/');
        return !paths.has(beside) && !paths.has(name) && (isPath || !names.has(name));
      })
      .map(({ place, match: [name] }) => `${place} names ${name}, which is not in the project`),
  );
}

/**
 * Words that mean something only beside documents from which the project was made. They are written
 * so that this file does not find itself.
 */
const FOREIGN_WORDS: readonly RegExp[] = [
  new RegExp(`\\bdesig[n]${GAP}\\d+\\b`, 'g'),
  /\binterfac[e] "[A-Z][^"]*"/g,
  /\b(?:KSPE[C]|KT[S]|KP[Y]|KR[S]|KF[E]|KM[M]|PTS[12]|PPY[12]|PR[S])\b/g,
  /\b(?:the|of|in|by) SEE[D]\b|\bseed documen[t]\b/g,
];

/** References to documents and tags that a reader of the project can not look up. */
export function foreignWords(texts: readonly ProjectText[]): string[] {
  return texts.flatMap((text) =>
    FOREIGN_WORDS.flatMap((pattern) => allIn(text, pattern)).map(
      ({ place, match: [words] }) =>
        `${place} refers to "${words.replace(/\s+/g, ' ')}", which is not in the project`,
    ),
  );
}

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const ABSOLUTE = /^[a-z]+:/;
const HEADING = /^#+ +(.+)$/gm;

/** The text with spaces for its code, so that places stay the same. */
function withoutCode(text: string): string {
  return text.replace(CODE, (code) => code.replace(/[^\n]/g, ' '));
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const headings = text.replace(/```[\s\S]*?```/g, '').matchAll(HEADING);
  for (const [, heading = ''] of headings) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

/** Links of documents that lead to no file, or to no heading of a document. */
export function linkFaults(
  documents: readonly ProjectText[],
  exists: (path: string) => boolean,
): string[] {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  return documents.flatMap(({ path, text }) =>
    allIn({ path, text: withoutCode(text) }, LINK).flatMap(({ place, match: [, link = ''] }) => {
      if (ABSOLUTE.test(link)) return [];
      const [file = '', anchor = ''] = link.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (!exists(target)) return [`${place} links to ${link}, which does not exist`];
      const linked = texts.get(target);
      if (anchor === '' || linked === undefined || anchorsOf(linked).has(anchor)) return [];
      return [`${place} links to ${link}, and ${target} has no such heading`];
    }),
  );
}
