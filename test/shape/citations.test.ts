/**
 * What comments and documents refer to can be looked up in this repository: sections of the wire
 * contract, documents, links.
 */
import t from 'tap';
import {
  citationFaults,
  foreignWords,
  isProjectPath,
  linkFaults,
  missingDocuments,
  type ProjectText,
  readDocuments,
  readTexts,
  wireSections,
} from './citations.ts';
import { readProjectFile } from './project.ts';

const documents = readDocuments();
const texts = readTexts();
const { sections, faults } = wireSections(documents);

t.test('every citation of the wire contract resolves to one section', async (t) => {
  t.strictSame(faults, []);
  t.ok(sections.has('0') && sections.has('3.4') && sections.has('12.1'), 'sections are found');
  t.strictSame(citationFaults(texts, sections), []);
});

/** The samples below name documents that do not exist. */
const OWN_PATH = 'test/shape/citations.test.ts';

t.test('every document that is named is in the project', async (t) => {
  const others = texts.filter(({ path }) => path !== OWN_PATH);
  t.equal(others.length, texts.length - 1, 'this file is left out');
  t.strictSame(missingDocuments(others, documents), []);
});

t.test(
  'each decision record has a number of its own, and the list has its title once',
  async (t) => {
    const records = documents.filter(({ path }) => /^docs\/decisions\/\d{4}-/.test(path));
    const numbers = records.map(({ path }) => path.slice('docs/decisions/'.length).slice(0, 4));
    t.ok(records.length > 30, `${records.length} records`);
    t.equal(new Set(numbers).size, records.length, `${numbers}`);
    const list = readProjectFile('docs/decisions/README.md');
    for (const { path, text } of records) {
      const row = `[${text.slice('# '.length, text.indexOf('\n'))}](${path.split('/').at(-1)})`;
      t.equal(list.split(row).length, 2, row);
    }
  },
);

t.test('nothing refers to documents from which the project was made', async (t) => {
  t.strictSame(foreignWords(texts), []);
});

t.test('every link of a document leads to a file, and to a heading of it', async (t) => {
  t.ok(documents.length > 10, 'documents are found');
  t.strictSame(linkFaults(documents, isProjectPath), []);
});

const SECTIONS = new Set(['1', '1.2', '3.4', '3.6']);

/** A text, and the sections that it cites and that are not there. */
const CITATIONS: readonly (readonly [text: string, unknown: readonly string[]])[] = [
  [`// as wire ${1.2} says`, []],
  [`// as Wire ${1.3} says`, ['1.3']],
  [`/** (wire ${1.2}, ${1.4}) */`, ['1.4']],
  [`/** (wire ${1.2} to ${3.4} and ${3.5}) */`, ['3.5']],
  [`/**\n * A line that ends (wire\n * ${9.9}).\n */`, ['9.9']],
  [`// A line that ends wire\n// ${9.8}`, ['9.8']],
  [`wire ${3.4}: 500 to 1,000`, []],
  ['// the wire has 4 of them', []],
];

t.test('a citation of a missing section is found, also across lines', async (t) => {
  for (const [text, unknown] of CITATIONS) {
    const found = citationFaults([{ path: 'http/a.ts', text }], SECTIONS);
    const numbers = found.map((fault) => / section ([\d.]+),/.exec(fault)?.[1]);
    t.strictSame(numbers, unknown, text);
  }
  const own = { path: 'http/wire/1-a.md', text: `(sections ${3.4} and ${3.5})` };
  t.match(citationFaults([own], SECTIONS), [/^http\/wire\/1-a\.md:1 cites section 3\.5/]);
});

t.test('a section twice, or in a file of another number, is found', async (t) => {
  const wire: ProjectText[] = [
    { path: 'http/wire/1-a.md', text: '# 1 A\n\n## 1.1 B\n\n## 2.1 C\n' },
    { path: 'http/wire/2-d.md', text: '# 2 D\n\n## 2.1 E\n' },
    { path: 'http/a.md', text: '# 7 F\n' },
  ];
  const found = wireSections(wire);
  t.strictSame([...found.sections].toSorted(), ['1', '1.1', '2', '2.1']);
  t.match(found.faults, [
    /^http\/wire\/1-a\.md:5 has section 2\.1, which belongs to http\/wire\/2-/,
    /^http\/wire\/2-d\.md:3 repeats section 2\.1$/,
  ]);
});

const SMALL_DOCUMENTS: readonly ProjectText[] = [
  { path: 'README.md', text: '# A project\n' },
  { path: 'http/a.md', text: '# Some `code`, and more\n\n## Twice\n\n## Twice\n' },
];

t.test('a named document that does not exist is found', async (t) => {
  const check = (path: string, text: string): string[] =>
    missingDocuments([{ path, text }], SMALL_DOCUMENTS).map((fault) => fault.split(' ')[2] ?? '');
  t.strictSame(check('http/b.ts', "// see README.md and a.md; new URL('./a.md', b)"), []);
  t.strictSame(check('test/b.ts', "new URL('../http/a.md', b)"), []);
  const absent = ['absent', 'md'].join('.');
  t.strictSame(check('http/b.ts', `// see ${absent}.`), [`${absent},`]);
  t.strictSame(check('http/b.ts', `// see http/${absent}`), [`http/${absent},`]);
});

t.test('a reference to what is not in the project is found', async (t) => {
  const check = (text: string): number => foreignWords([{ path: 'http/b.ts', text }]).length;
  for (const text of ['// the design of 4 books', 'interface Comment {}', 'const SEED = 7;']) {
    t.equal(check(text), 0, text);
  }
  const wrong = [`(desig${'n'} 4)`, `(desig${'n'}\n * 7)`, `KSPE${'C'} has`, `of the SEE${'D'}`];
  for (const text of [...wrong, `(interfac${'e'} "Comment", wire 8.4)`]) {
    t.equal(check(`/** ${text} */`), 1, text);
  }
});

t.test('a link to no file and one to no heading are found', async (t) => {
  const check = (text: string): string[] => {
    const linking = { path: 'http/b.md', text };
    const all = [...SMALL_DOCUMENTS, linking];
    const paths = new Set([...all.map(({ path }) => path), 'http']);
    return linkFaults(all, (path) => paths.has(path)).map((fault) => fault.split(' ')[3] ?? '');
  };
  t.strictSame(check('[a](a.md) [b](../README.md#a-project) [c](https://c.example/d.md)'), []);
  t.strictSame(check('[a](a.md#some-code-and-more) [b](a.md#twice-1) [c](../http)'), []);
  t.strictSame(check('# Own\n\n[a](#own) `[b](no.md)`\n\n```\n[c](no.md)\n```'), []);
  t.strictSame(check('\n[a](../a.md)'), ['../a.md,']);
  t.strictSame(check('[a](a.md#thrice)'), ['a.md#thrice,']);
});
