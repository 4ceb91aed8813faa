// Writes COMPATIBILITY.md: `node test/compat/write-compatibility.ts`.
import { writeFileSync } from 'node:fs';
import { COMPATIBILITY_FILE, compatibilityText } from './compatibility-text.ts';

writeFileSync(COMPATIBILITY_FILE, compatibilityText());
