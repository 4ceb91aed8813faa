/** Starts the page: the documentation, and the choice of the account that signs its requests. */

import { factsOf, RequestSigner } from './signing.js';
import { addressOf } from './wallet.js';

const facts = factsOf(document);
const choice = document.getElementById('account');

for (const [index, key] of facts.keys.entries()) {
  choice.add(new Option(`account (${index}) ${addressOf(key)}`, key));
}
choice.add(new Option('nobody: requests are not signed', ''));
document.getElementById('sign').hidden = facts.keys.length === 0;

const base = new URL('.', location.href);
const openApi = await (await fetch('openapi.json')).json();
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
