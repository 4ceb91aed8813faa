/** The exchange's clock, and moves of it. */
import { useSignal } from '@preact/signals';
import {
  Action,
  Choice,
  Field,
  Figure,
  Loaded,
  localTime,
  setter,
  toast,
  useAnswer,
} from '../kit/index.ts';
import { send } from '../wire/index.ts';

const UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;
type Unit = (typeof UNITS)[number][0];

const SHOWN_EVERY_MS = 2_000;

function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'the same as the machine';
  const seconds = Math.abs(offsetMs) / 1000;
  const [size, unit] = [...UNITS].reverse().find(([one]) => seconds >= Number(one)) ?? UNITS[0];
  const amount = Math.round((seconds / Number(size)) * 10) / 10;
  return `${amount} ${unit} ${offsetMs > 0 ? 'ahead of' : 'behind'} the machine`;
}

export function TimePanel() {
  const time = useAnswer('/time', { auth: 'operator' }, { everyMs: SHOWN_EVERY_MS });
  const amount = useSignal('1');
  const unit = useSignal<Unit>('3600');
  async function move(): Promise<void> {
    const seconds = Number(amount.value) * Number(unit.value);
    const body = { seconds: Number.isNaN(seconds) ? amount.value : seconds };
    const { time: now } = await send({ method: 'POST', path: '/time', body, auth: 'operator' });
    toast(`The exchange's time is now ${localTime(Date.parse(now))}.`);
    time.reload();
  }
  return (
    <section class="panel stack" aria-labelledby="time">
      <h2 id="time">Time</h2>
      <Loaded resource={time}>
        {({ time_ms, offset_ms }) => (
          <dl class="figures">
            <Figure name={offsetText(offset_ms)}>{localTime(time_ms)}</Figure>
          </dl>
        )}
      </Loaded>
      <div class="form">
        <Field
          label="Move forward by"
          value={amount.value}
          inputMode="decimal"
          onInput={setter(amount)}
        />
        <Choice label="Unit" value={unit.value} options={UNITS} onChange={setter(unit)} />
      </div>
      <p class="muted">
        Expirations, delays and daily figures happen as if the time had passed. The clock never goes
        back, except by a checkpoint.
      </p>
      <div>
        <Action tone="main" run={move}>
          Move the clock
        </Action>
      </div>
    </section>
  );
}
