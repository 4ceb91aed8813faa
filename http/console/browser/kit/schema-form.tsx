/**
 * A form that is made from the schema of a request's body: a field for each property, in the
 * order and with the words of the schema.
 */
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { BodySchema } from '../wire/index.ts';
import { Action } from './action.tsx';
import { bodyValueOf, type Draft, isGroup, labelOf } from './body-value.ts';
import { Check, Choice, Field, TextArea } from './field.tsx';

const LONG_TEXTS = ['description', 'reason', 'body'];
const MOST_CHARACTERS = 10_000;

function hintOf({ description = '', minimum, maximum, default: preset }: BodySchema): string {
  const limits =
    minimum === undefined && maximum === undefined ? '' : `${minimum ?? '…'} to ${maximum ?? '…'}`;
  const without = preset === undefined ? '' : `without it ${JSON.stringify(preset)}`;
  return [description, limits, without].filter((text) => text !== '').join('; ');
}

interface PartProps {
  readonly name: string;
  readonly schema: BodySchema;
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft) => void;
  readonly isRequired: boolean;
}

function ListPart({ name, schema, draft, onChange }: PartProps) {
  const items = Array.isArray(draft) ? draft : [];
  const { items: itemSchema = {}, maxItems = 100 } = schema;
  const blank: Draft = itemSchema.type === 'object' ? {} : '';
  const label = labelOf(name);
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      {schema.description !== undefined && <small class="hint">{schema.description}</small>}
      {items.map((item, index) => (
        <div key={index} class="item">
          <Part
            name={`${name} ${index + 1}`}
            schema={itemSchema}
            draft={item}
            isRequired
            onChange={(next) => onChange(items.with(index, next))}
          />
          <button
            type="button"
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      {items.length < maxItems && (
        <button type="button" onClick={() => onChange([...items, blank])}>
          Add to {label.toLowerCase()}
        </button>
      )}
    </fieldset>
  );
}

function GroupPart({ name, schema, draft, onChange }: PartProps) {
  const values = isGroup(draft) ? draft : {};
  const { properties = {}, required = [] } = schema;
  return (
    <fieldset class="group wide">
      <legend>{labelOf(name)}</legend>
      {schema.description !== undefined && <small class="hint">{schema.description}</small>}
      <div class="form">
        {Object.entries(properties).map(([key, property]) => (
          <Part
            key={key}
            name={key}
            schema={property}
            draft={values[key]}
            isRequired={required.includes(key)}
            onChange={(next) => onChange({ ...values, [key]: next })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Part(props: PartProps) {
  const { name, schema, draft, onChange, isRequired } = props;
  if (schema.const !== undefined) return null;
  if (schema.type === 'array') return <ListPart {...props} />;
  if (schema.type === 'object') return <GroupPart {...props} />;
  const label = `${labelOf(name)}${isRequired ? ' *' : ''}`;
  const text = typeof draft === 'string' ? draft : '';
  if (schema.type === 'boolean') {
    return (
      <div class="field">
        <Check label={labelOf(name)} value={draft === true} onChange={onChange} />
        <small class="hint">{schema.description}</small>
      </div>
    );
  }
  if (schema.enum !== undefined) {
    const none = isRequired ? [] : [['', 'as by default'] as const];
    const options = schema.enum.map((value) => [String(value), String(value)] as const);
    const chosen = text === '' && isRequired ? '' : text;
    const blank = isRequired ? [['', 'choose one'] as const] : none;
    return (
      <Choice label={label} value={chosen} options={[...blank, ...options]} onChange={onChange} />
    );
  }
  const { maxLength = MOST_CHARACTERS } = schema;
  if (LONG_TEXTS.includes(name) && name !== 'reason') {
    return <TextArea label={label} value={text} onInput={onChange} maxLength={maxLength} />;
  }
  return (
    <Field
      label={label}
      value={text}
      onInput={onChange}
      hint={hintOf(schema)}
      maxLength={maxLength}
      inputMode={schema.type === 'number' || schema.type === 'integer' ? 'decimal' : 'text'}
    />
  );
}

interface SchemaFormProps {
  readonly schema: BodySchema;
  /** What the fields show at first. */
  readonly start?: { readonly [name: string]: Draft };
  /** Properties that the page fills in itself. */
  readonly hidden?: readonly string[];
  readonly submit: string;
  readonly tone?: 'main' | 'danger';
  /** Gets the body; its failure is shown below the button. */
  readonly onSubmit: (body: Record<string, unknown>) => Promise<void>;
  /** Where the form keeps what was entered, if the page needs it too. */
  readonly draft?: Signal<{ readonly [name: string]: Draft }>;
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, start = {}, hidden = [], submit, tone = 'main', onSubmit } = props;
  const own = useSignal<{ readonly [name: string]: Draft }>(start);
  const draft = props.draft ?? own;
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties).filter((name) => !hidden.includes(name));
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <div class="form">
        {names.map((name) => (
          <Part
            key={name}
            name={name}
            schema={properties[name] ?? {}}
            draft={draft.value[name]}
            isRequired={required.includes(name)}
            onChange={(next) => {
              draft.value = { ...draft.value, [name]: next };
            }}
          />
        ))}
      </div>
      <div>
        <Action
          tone={tone}
          type="submit"
          run={() => {
            // An object's value is a record; an empty one is a body without fields.
            const body = (bodyValueOf(schema, draft.value) ?? {}) as Record<string, unknown>;
            return onSubmit(body);
          }}
        >
          {submit}
        </Action>
      </div>
    </form>
  );
}
