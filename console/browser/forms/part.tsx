/** The fields of a form that is made from a schema. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Check, Choice, Field, labelOf, TextArea } from '../kit/index.ts';
import type { BodySchema } from '../wire/index.ts';
import { type Draft, type DraftGroup, isGroup } from './body-value.ts';
import { type FieldFault, joined } from './faults.ts';

/** What a page says of a field, instead of the words of the schema. */
export interface FieldWords {
  readonly label?: string;
  readonly hint?: ComponentChildren;
  readonly unit?: string;
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** The option that leads to a field for any other value. */
  readonly other?: string;
}

/** What all parts of a form share. */
interface FormFacts {
  readonly words: Readonly<Record<string, FieldWords>>;
  readonly common: readonly string[] | undefined;
  readonly hidden: readonly string[];
  readonly faults: readonly FieldFault[];
}

interface PartProps {
  readonly name: string;
  readonly path: string;
  readonly schema: BodySchema;
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft) => void;
  readonly isRequired: boolean;
  readonly form: FormFacts;
}

const LONG_TEXTS = ['description', 'body'];
const MOST_CHARACTERS = 10_000;

function hintOf({ description = '', minimum, maximum, default: preset }: BodySchema): string {
  const limits =
    minimum === undefined && maximum === undefined ? '' : `${minimum ?? '…'} to ${maximum ?? '…'}`;
  const without = preset === undefined ? '' : `without it ${JSON.stringify(preset)}`;
  return [description, limits, without].filter((text) => text !== '').join('; ');
}

/** What is wrong with the field at `path` itself; '' for nothing. */
function faultAt(path: string, faults: readonly FieldFault[]): string {
  return faults.find((fault) => fault.path === path)?.text ?? '';
}

/** Whether a fault is that of the field at `path`, or of one within it. */
function isWithin(path: string, faults: readonly FieldFault[]): boolean {
  return faults.some((fault) => fault.path === path || fault.path.startsWith(`${path}.`));
}

function ListPart({ name, path, schema, draft, onChange, form }: PartProps) {
  const items = Array.isArray(draft) ? draft : [];
  const { items: itemSchema = {}, maxItems = 100, description } = schema;
  const label = form.words[name]?.label ?? labelOf(name);
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      <small class="hint">{form.words[name]?.hint ?? description}</small>
      {faultAt(path, form.faults) !== '' && (
        <small class="fault">{faultAt(path, form.faults)}</small>
      )}
      {items.map((item, index) => (
        <div key={index} class="item">
          <Part
            name={`${label} ${index + 1}`}
            path={joined(path, index)}
            schema={itemSchema}
            draft={item}
            form={form}
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
        <button
          type="button"
          onClick={() => onChange([...items, itemSchema.type === 'object' ? {} : ''])}
        >
          Add to {label.toLowerCase()}
        </button>
      )}
    </fieldset>
  );
}

/** What a slug is made of. */
const TITLES: readonly string[] = ['title', 'question'];
const SLUG_CHARACTERS = 80;

function slugOf(title: Draft | undefined): string {
  if (typeof title !== 'string') return '';
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, '-').slice(0, SLUG_CHARACTERS);
  return slug.replace(/^-|-$/g, '');
}

interface GroupFieldsProps extends Pick<PartProps, 'path' | 'schema' | 'form'> {
  readonly draft: DraftGroup;
  readonly onChange: (draft: DraftGroup) => void;
}

/** The fields of a group. What is rarely needed is folded away, unless it is wrong. */
export function GroupFields({ schema, draft, path, form, onChange }: GroupFieldsProps) {
  const { properties = {}, required = [] } = schema;
  const { common, hidden, faults } = form;
  const names = Object.keys(properties).filter((name) => path !== '' || !hidden.includes(name));
  const isShown = (name: string): boolean =>
    common === undefined || required.includes(name) || common.includes(name);
  const part = (name: string) => (
    <Part
      key={name}
      name={name}
      path={joined(path, name)}
      schema={properties[name] ?? {}}
      draft={draft[name]}
      form={form}
      isRequired={required.includes(name)}
      onChange={(next) => onChange({ ...draft, [name]: next, ...slugAfter(name, next) })}
    />
  );
  /** A slug follows its title until a person writes another one. */
  function slugAfter(name: string, next: Draft): DraftGroup {
    if (!('slug' in properties) || !TITLES.includes(name)) return {};
    const isOwn = (draft.slug ?? '') !== slugOf(draft[name]);
    return isOwn ? {} : { slug: slugOf(next) };
  }
  const folded = names.filter((name) => !isShown(name));
  return (
    <>
      <div class="form">{names.filter(isShown).map(part)}</div>
      {folded.length > 0 && (
        <details class="more" open={folded.some((name) => isWithin(joined(path, name), faults))}>
          <summary>More</summary>
          <div class="form">{folded.map(part)}</div>
        </details>
      )}
    </>
  );
}

function GroupPart({ name, path, schema, draft, form, onChange }: PartProps) {
  return (
    <fieldset class="group wide">
      <legend>{form.words[name]?.label ?? labelOf(name)}</legend>
      <small class="hint">{form.words[name]?.hint ?? schema.description}</small>
      <GroupFields
        schema={schema}
        draft={isGroup(draft) ? draft : {}}
        path={path}
        form={form}
        onChange={onChange}
      />
    </fieldset>
  );
}

/** Options, the last of which may be any other value. */
function ChoicePart({ name, path, schema, draft, onChange, isRequired, form }: PartProps) {
  const { options, other, label = labelOf(name), hint } = form.words[name] ?? {};
  const isOther = useSignal(false);
  const text = typeof draft === 'string' ? draft : '';
  const fault = faultAt(path, form.faults);
  const known =
    options ?? (schema.enum ?? []).map((one) => [String(one), labelOf(String(one))] as const);
  const blank = ['', isRequired ? 'choose one' : 'not chosen'] as const;
  const last = other === undefined ? [] : ([['other', other]] as const);
  const star = isRequired ? ' *' : '';
  return (
    <>
      <Choice
        label={label + star}
        value={isOther.value ? 'other' : text}
        options={[blank, ...known, ...last]}
        hint={hint ?? schema.description}
        fault={isOther.value ? '' : fault}
        onChange={(value) => {
          isOther.value = other !== undefined && value === 'other';
          onChange(isOther.value ? '' : value);
        }}
      />
      {isOther.value && (
        <Field label={`${other} *`} value={text} onInput={onChange} fault={fault} maxLength={100} />
      )}
    </>
  );
}

function Part(props: PartProps) {
  const { name, path, schema, draft, onChange, isRequired, form } = props;
  const { label = labelOf(name), hint = hintOf(schema), unit, options } = form.words[name] ?? {};
  if (schema.const !== undefined) return null;
  if (schema.type === 'array') return <ListPart {...props} />;
  if (schema.type === 'object') return <GroupPart {...props} />;
  if (schema.enum !== undefined || options !== undefined) return <ChoicePart {...props} />;
  if (schema.type === 'boolean') {
    return (
      <div class="field">
        <Check label={label} value={draft === true} onChange={onChange} />
        <small class="hint">{hint}</small>
      </div>
    );
  }
  const { maxLength = MOST_CHARACTERS } = schema;
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const shared = {
    label: isRequired ? `${label} *` : label,
    value: typeof draft === 'string' ? draft : '',
    onInput: onChange,
    fault: faultAt(path, form.faults),
    ...{ hint, maxLength },
  };
  if (LONG_TEXTS.includes(name)) return <TextArea {...shared} />;
  return (
    <Field
      {...shared}
      inputMode={isNumber ? 'decimal' : 'text'}
      {...(unit === undefined ? {} : { unit })}
    />
  );
}
