/** Starts the page: the documentation, and the choice of the account that signs its requests. */

import { RequestSigner, readFacts } from './signing.js';

const base = new URL('..', location.href);
const facts = await readFacts(base);
const choice = document.getElementById('account');

for (const [index, { address, privateKey }] of facts.devAccounts.entries()) {
  choice.add(new Option(`account (${index}) ${address}`, privateKey));
}
choice.add(new Option('nobody: requests are not signed', ''));
document.getElementById('sign').hidden = facts.devAccounts.length === 0;

const openApi = await (await fetch('../openapi.json')).json();
const signer = new RequestSigner({ document: openApi, facts, base });

SwaggerUIBundle({
  spec: openApi,
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  requestInterceptor: (request) =>
    choice.value === '' ? request : signer.sign(request, choice.value),
  responseInterceptor: (response) => {
    signer.noteAnswer(response.status);
    return response;
  },
});
