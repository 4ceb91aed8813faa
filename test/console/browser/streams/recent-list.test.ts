// How the records of a stream and those of REST become one list.
import t from 'tap';
import { Frames } from '../../../../console/browser/streams/frames.ts';
import { RecentList } from '../../../../console/browser/streams/recent-list.ts';

interface Row {
  readonly id: string;
  readonly status: string;
}

/** "a1" is the record a with status 1. */
function row(text: string): Row {
  return { id: text.charAt(0), status: text.slice(1) };
}

/** A list of at most four, whose history the test answers. */
function listOf() {
  const answers: { resolve: (rows: readonly Row[]) => void; reject: (error: Error) => void }[] = [];
  const waiting: (() => void)[] = [];
  // Safe: frames use nothing else of an environment.
  const frames = new Frames({ onNextFrame: (run: () => void) => waiting.push(run) } as never);
  const list = new RecentList<Row>({
    keyOf: ({ id }) => id,
    limit: 4,
    frames,
    fetch: () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
  });
  const shown = () => {
    for (const run of waiting.splice(0)) run();
    return list.items.value.map(({ id, status }) => id + status).join(' ');
  };
  return { list, answers, shown };
}

const ROWS: readonly {
  readonly name: string;
  readonly before: string;
  readonly during: string;
  readonly answer: string;
  readonly shown: string;
}[] = [
  { name: 'an answer alone', before: '', during: '', answer: 'b a', shown: 'b a' },
  {
    name: 'what came before is in the answer',
    before: 'a b',
    during: '',
    answer: 'b a',
    shown: 'b a',
  },
  {
    name: 'the answer is newer than what came before',
    before: 'a1',
    during: '',
    answer: 'a2',
    shown: 'a2',
  },
  {
    name: 'what came before and is gone is dropped',
    before: 'a',
    during: '',
    answer: 'b',
    shown: 'b',
  },
  {
    name: 'what comes later stands above',
    before: '',
    during: 'c d',
    answer: 'b a',
    shown: 'd c b a',
  },
  {
    name: 'what comes later may be in the answer',
    before: '',
    during: 'c d',
    answer: 'c b',
    shown: 'd c b',
  },
  { name: 'a later status wins', before: '', during: 'a2', answer: 'b a1', shown: 'b a2' },
  {
    name: 'a later status of an earlier record',
    before: 'a1',
    during: 'a2',
    answer: 'a1',
    shown: 'a2',
  },
  { name: 'the oldest go', before: '', during: 'e f', answer: 'd c b a', shown: 'f e d c' },
];

for (const { name, before, during, answer, shown: expected } of ROWS) {
  t.test(name, async (t) => {
    const { list, answers, shown } = listOf();
    const add = (text: string) => {
      for (const one of text.split(' ').filter(Boolean)) list.add(row(one));
    };
    add(before);
    list.load();
    t.equal(list.history.value, 'loading');
    add(during);
    answers[0]?.resolve(answer.split(' ').map(row));
    await Promise.resolve();
    t.equal(shown(), expected);
    t.equal(list.history.value, 'loaded');
  });
}

t.test('the stream alone keeps the newest, each once', async (t) => {
  const { list, shown } = listOf();
  for (const one of 'a b c d e b2'.split(' ')) list.add(row(one));
  t.equal(shown(), 'e d c b2');
});

t.test('an earlier request does not answer a later one, and a failure is told', async (t) => {
  const { list, answers, shown } = listOf();
  list.load();
  list.load();
  answers[0]?.resolve([row('a')]);
  await Promise.resolve();
  t.equal(shown(), '');
  t.equal(list.history.value, 'loading');
  answers[1]?.reject(new Error('no'));
  await Promise.resolve();
  await Promise.resolve();
  t.equal(list.history.value, 'failed');
  list.load();
  list.clear();
  answers[2]?.resolve([row('b')]);
  await Promise.resolve();
  t.equal(shown(), '', 'what is cleared stays empty');
  t.equal(list.history.value, 'none');
});
