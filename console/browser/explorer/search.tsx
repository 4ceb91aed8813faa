/** Finds what a number, an id or an address names. */
import { useSignal } from '@preact/signals';
import { useContext } from 'preact/hooks';
import { Action, Field, goTo, setter } from '../kit/index.ts';
import { ExchangeError, sendAny } from '../wire/index.ts';
import { FORMS, type RecordKind } from './fields.ts';
import { IsOperator } from './source.tsx';

function kindsOf(text: string): readonly RecordKind[] {
  // Safe: the keys of a record with these.
  const kinds = Object.keys(FORMS) as RecordKind[];
  return kinds.filter((kind) => FORMS[kind].test(text));
}

const PATHS = { order: '/explorer/orders/{id}', market: '/explorer/markets/{id}' } as const;

function isMissing(failure: unknown): boolean {
  return failure instanceof ExchangeError && failure.status === 404;
}

/** Order ids and condition ids look alike: asks which one it is. */
async function findHash(id: string, isOperator: boolean): Promise<RecordKind> {
  for (const kind of ['order', 'market'] as const) {
    try {
      const auth = isOperator ? 'operator' : undefined;
      await sendAny({ method: 'GET', path: PATHS[kind], params: { id }, auth });
      return kind;
    } catch (failure) {
      if (!isMissing(failure)) throw failure;
    }
  }
  throw new Error('No order and no market has this id.');
}

export function Search() {
  const isOperator = useContext(IsOperator);
  const entered = useSignal('');
  async function find(): Promise<void> {
    const text = entered.value.trim();
    const [kind, other] = kindsOf(text);
    if (kind === undefined) {
      throw new Error(
        'This is no number of a command, id of an order, trade, market or token, and no address.',
      );
    }
    goTo(['explorer', other === undefined ? kind : await findHash(text, isOperator), text]);
    entered.value = '';
  }
  return (
    <form class="row filters" onSubmit={(event) => event.preventDefault()}>
      <Field
        label="Find"
        type="search"
        placeholder="Command number, order, trade, market, token or address"
        value={entered.value}
        maxLength={80}
        onInput={setter(entered)}
      />
      <Action tone="main" type="submit" run={find}>
        Find
      </Action>
    </form>
  );
}
