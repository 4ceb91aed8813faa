/** Parts of forms. Every control has a visible label, and its fault stands beside it. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What is wrong with the value; undefined or '' for nothing. */
  readonly fault?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly unit?: string;
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local';
  readonly inputMode?: 'text' | 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isWide?: boolean;
}

interface NoteProps {
  readonly id: string;
  readonly fault: string;
  readonly hint: ComponentChildren;
}

/** Below a control: what is wrong with its value, or else what it means. */
function Note({ id, fault, hint }: NoteProps) {
  return (
    <small id={id} class={fault === '' ? 'hint' : 'fault'}>
      {fault === '' ? hint : fault}
    </small>
  );
}

export function Field(props: FieldProps) {
  const { label, value, onInput, fault = '', hint, unit, type = 'text', isWide = false } = props;
  const { inputMode = 'text', placeholder, maxLength = 1_000 } = props;
  const id = useId();
  return (
    <div class={`field ${isWide ? 'wide' : ''}`}>
      <label for={id}>{label}</label>
      <span class="control">
        <input
          id={id}
          // Safe: preact has a type for each kind of input, and these take the same attributes.
          {...({ type } as { type: 'text' })}
          value={value}
          inputMode={inputMode}
          maxLength={maxLength}
          {...(placeholder === undefined ? {} : { placeholder })}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-note`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </span>
      <Note id={`${id}-note`} fault={fault} hint={hint} />
    </div>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly maxLength: number;
  readonly fault?: string;
  readonly hint?: ComponentChildren;
}

export function TextArea(props: TextAreaProps) {
  const { label, value, onInput, rows = 4, maxLength, fault = '', hint } = props;
  const id = useId();
  return (
    <div class="field wide">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        maxLength={maxLength}
        value={value}
        aria-invalid={fault !== ''}
        aria-describedby={`${id}-note`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <Note id={`${id}-note`} fault={fault} hint={hint} />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

interface ListChoiceProps<Value extends string> extends ChoiceProps<Value> {
  readonly fault?: string;
  readonly hint?: ComponentChildren;
}

export function Choice<Value extends string>(props: ListChoiceProps<Value>) {
  const { label, value, options, onChange, fault = '', hint } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={fault !== ''}
        aria-describedby={`${id}-note`}
        // Safe: the options have no other values.
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      <Note id={`${id}-note`} fault={fault} hint={hint} />
    </div>
  );
}

/** A few options side by side, as radio buttons. */
export function Segments<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {options.map(([one, text]) => (
        <label key={one} class={one === value ? 'chosen' : ''} data-value={one}>
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Check({ label, value, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
