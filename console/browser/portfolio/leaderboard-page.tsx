/** The accounts that won or traded most. The crowd of a sandbox is left out. */
import {
  decimalText,
  grouped,
  Id,
  Loaded,
  linkTo,
  place,
  replaceQuery,
  Segments,
  Table,
  useAnswer,
  useTitle,
} from '../kit/index.ts';

const PERIODS = { DAY: 'Today', WEEK: 'This week', MONTH: 'This month', ALL: 'All time' } as const;
const ORDERS = { PNL: 'By profit', VOL: 'By volume' } as const;
const MOST = 50;
const CENTS = 2;

function cash(units: number): string {
  return grouped(decimalText(Math.round(units * 100), CENTS, CENTS));
}

function chosen<Choice extends string>(of: Readonly<Record<Choice, string>>, name: string): Choice {
  const [first] = Object.keys(of);
  const wanted = place.value.query.get(name) ?? '';
  // Safe: `of` has both.
  return (Object.hasOwn(of, wanted) ? wanted : first) as Choice;
}

export function LeaderboardPage() {
  useTitle('Leaderboard');
  const period = chosen(PERIODS, 'period');
  const order = chosen(ORDERS, 'order');
  const query = { timePeriod: period, orderBy: order, limit: MOST, excludeCrowd: true };
  const leaders = useAnswer(
    '/v1/leaderboard',
    { query },
    { inputs: [period, order], everyMs: 30_000 },
  );
  return (
    <div class="stack">
      <h1>Leaderboard</h1>
      <div class="row">
        <Segments
          label="Period"
          value={period}
          options={Object.entries(PERIODS)}
          onChange={(next) => replaceQuery({ period: next, order })}
        />
        <Segments
          label="Order"
          value={order}
          options={Object.entries(ORDERS)}
          onChange={(next) => replaceQuery({ period, order: next })}
        />
      </div>
      <Loaded resource={leaders}>
        {(rows) => (
          <Table
            label="Leaders"
            rows={rows}
            keyOf={({ proxyWallet }) => proxyWallet}
            empty="Nobody has traded in this time yet."
            columns={[
              ['Rank', 'rank', 'number'],
              [
                'Name',
                ({ proxyWallet, userName }) => (
                  <a href={linkTo(['portfolio', proxyWallet])}>{userName}</a>
                ),
              ],
              ['Profit, $', ({ pnl }) => cash(pnl), 'number'],
              ['Volume, $', ({ vol }) => cash(vol), 'number'],
              ['Account', ({ proxyWallet }) => <Id text={proxyWallet} />, undefined, 'minor'],
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}
