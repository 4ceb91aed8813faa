// Writes the documents that are made from code: `npm run documents`.
import { writeDocuments } from './documents.ts';

const written = writeDocuments();
process.stdout.write(
  written.length === 0 ? 'All documents are current.\n' : `Wrote ${written.join(', ')}.\n`,
);
