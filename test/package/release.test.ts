/** What a release is made of, without making one: `npm run release` does, and checks its files. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { changelogFaults, notesOf } from '../../.ci/changelog.mjs';
import { licensesText, readLicenses } from '../../.ci/licenses.mjs';
import packageJson from '../../package.json' with { type: 'json' };

const CHANGELOG = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const HEAD = '# Changelog\n\n## [Unreleased]\n\n';
const ONE = '## [1.0.0] - 2026-01-02\n\n### Added\n\n- A.\n\n';
const TWO = '## [1.1.0] - 2026-02-01\n\n### Fixed\n\n- B.\n\n';

t.test('CHANGELOG.md keeps the conventions', async (t) => {
  t.strictSame(changelogFaults(CHANGELOG), []);
  t.strictSame(changelogFaults(HEAD + TWO + ONE), []);
});

t.test('what breaks them is named', async (t) => {
  for (const [text, fault] of [
    [ONE, /^the first section is "\[1.0.0\] - 2026-01-02", not \[Unreleased\]$/],
    [`${HEAD}## 1.0.0 (unreleased)\n`, /^the section "1.0.0 \(unreleased\)" is not "\[VERSION\]/],
    [HEAD + ONE + TWO, /^the newest version must come first$/],
    [HEAD + ONE + ONE, /^a version has two sections$/],
    [`${HEAD}### Speed\n`, /^the kind "Speed" is none of Added, /],
  ] as const) {
    t.match(changelogFaults(text), [fault]);
    t.equal(changelogFaults(text).length, 1);
  }
});

t.test('the notes of a version are those below its heading', async (t) => {
  t.equal(notesOf(HEAD + TWO + ONE, '1.1.0'), '### Fixed\n\n- B.');
  t.equal(notesOf(HEAD + TWO + ONE, '1.2.0'), undefined);
  t.equal(notesOf(`${HEAD}## [1.0.0] - 2026-01-02\n`, '1.0.0'), undefined, 'it has no notes');
});

t.test('each package of run time has its license, and each bundled one its text', async (t) => {
  const licenses = readLicenses();
  const names = licenses.map(({ name }) => name);
  for (const [name, wanted] of Object.entries(packageJson.dependencies)) {
    const [, other = name] = /^npm:(.*)@/.exec(wanted) ?? [];
    t.ok(names.includes(other), other);
  }
  const bundled = licenses.filter(({ isBundled }) => isBundled);
  for (const name of ['typebox', 'preact', '@preact/signals-core', 'uplot', '@noble/curves']) {
    t.ok(
      bundled.some((one) => one.name === name && one.text !== ''),
      name,
    );
  }
  t.notOk(names.includes('viem'), 'a package of the tests');
  for (const { name, version } of licenses) t.match(licensesText(), `\n${name} ${version}: `);
});
