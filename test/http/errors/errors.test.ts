import t from 'tap';
import { REJECT_CODES, type RejectCode } from '../../../engine/index.ts';
import { FAILURE_DETAILS } from '../../../http/errors/details.ts';
import {
  ApiError,
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  errorBody,
  sentenceOf,
} from '../../../http/errors/errors.ts';
import { asObject, documentText, LISTENERS } from '../documentation/read-document.ts';

const table = new Map<string, ErrorEntry>(Object.entries(ERRORS));

t.test('the OpenAPI documents have the same codes and details', async (t) => {
  for (const listener of LISTENERS) {
    const { schemas } = asObject(documentText(listener).components);
    const properties = asObject(asObject(asObject(schemas).Failure).properties);
    t.strictSame(asObject(properties.code).enum, [...table.keys()], listener);
    t.strictSame(Object.keys(properties), ['error', 'code', ...Object.keys(FAILURE_DETAILS)]);
  }
});

t.test('every reject of the engine has an entry', async (t) => {
  for (const code of REJECT_CODES) t.ok(table.has(code), code);
});

t.test('an entry has a failure status and says whether a retry helps', async (t) => {
  for (const [code, { status, retryAfterSeconds, text, docs }] of table) {
    t.ok(status >= 400 && status <= 503, `${code} has a failure status`);
    t.equal(retryAfterSeconds !== undefined, status === 425 || isMomentary(code), code);
    t.ok(text !== '' && /^[A-Z].*\.$/.test(docs), `${code} has a sentence and an explanation`);
  }
});

/** Whether a 503 passes by itself. All do, except those that say that the exchange is full. */
function isMomentary(code: string): boolean {
  return table.get(code)?.status === 503 && !code.startsWith('too_many');
}

t.test('a sentence has the wording of the prefix and the values of the details', async (t) => {
  const details = { field: 'price', limit: '0.01', actual: '0.575', orderHash: '0xab' };
  const rows: [code: ErrorCode, details: object, service: string, poly: string][] = [
    [
      'price_off_tick',
      details,
      'order is invalid. Price breaks minimum tick size rules',
      'order 0xab is invalid. Price (0.575) breaks minimum tick size rule: 0.01',
    ],
    [
      'expiration_too_soon',
      { limit: '1780449187', actual: '1780449126' },
      'invalid expiration',
      'invalid expiration: the earliest is 1780449187, this is 1780449126',
    ],
    [
      'fill_or_kill_unfilled',
      { field: 'size', limit: '5', actual: '10' },
      "order couldn't be fully filled, FOK orders are fully filled/killed",
      "order couldn't be fully filled. FOK orders are fully filled or killed. " +
        'At its price the book fills 5 of 10.',
    ],
    // History: bots try again when a market is "not yet ready".
    [
      'market_closed',
      {},
      'market not yet accepting orders',
      'the market is closed and takes no orders',
    ],
    ['missing_field', { field: 'order.tokenId' }, 'tokenId is required', 'tokenId is required'],
    ['invalid_parameter', { field: 'token_id' }, 'Invalid token id', 'Invalid token id'],
    ['invalid_parameter', { field: 'markets.0' }, 'Invalid markets', 'Invalid markets'],
    ['unknown_api_key', {}, 'invalid_l2', 'Unauthorized/Invalid api key'],
    [
      'budget_below_minimum',
      { limit: '1', actual: '0.5' },
      'order is invalid. Size lower than the minimum',
      'invalid amount for a marketable BUY order ($0.5), min size: $1',
    ],
  ];
  for (const [code, given, service, poly] of rows) {
    const error = new ApiError(code, { ...given });
    t.equal(sentenceOf(error, 'kuest'), service, code);
    t.equal(sentenceOf(error, 'polymarket'), poly, code);
    t.strictSame(errorBody(error, 'polymarket'), { error: poly, code, ...given });
  }
});

t.test('codes of rejects keep the names of the engine', async (t) => {
  const codes: RejectCode[] = ['not_enough_cash', 'post_only_would_cross'];
  for (const code of codes) t.equal(new ApiError(code).entry, ERRORS[code]);
});

t.test('the compiler asks for the details that a sentence names', async (t) => {
  // @ts-expect-error: the sentence names the method too
  t.ok(new ApiError('route_unknown', { path: '/' }));
  // @ts-expect-error: no error has such a detail
  t.ok(new ApiError('internal_error', { colour: 'red' }));
});
