/** A refusal of the exchange. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly status: number;
  /** Stable, such as `invalid_payload`; '' if the answer was not JSON. */
  readonly code: string;
  /** The whole answer, with the field, the limit and the actual value. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const { error = 'the request was refused', code = '' } = Object(body);
    super(`${error} (${status}${code === '' ? '' : ` ${code}`}): ${JSON.stringify(body)}`);
    this.status = status;
    this.code = String(code);
    this.body = body;
  }
}
