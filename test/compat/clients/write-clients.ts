// Writes docs/clients.md: `node test/compat/clients/write-clients.ts`.
import { writeFileSync } from 'node:fs';
import { CLIENTS_FILE, clientsText } from './client-settings.ts';

writeFileSync(CLIENTS_FILE, clientsText());
