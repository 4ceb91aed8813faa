// Finds keys of a value that its schema does not declare. Schemas allow more keys than they name,
// so an answer could have undocumented keys and still pass.
import { Compile } from 'typebox/compile';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';

function listOf(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

/** Whether a schema says nothing about the parts of its values. */
function isOpen(schema: JsonObject): boolean {
  return ['type', 'properties', 'items', 'anyOf', 'allOf', 'enum', 'const'].every(
    (keyword) => schema[keyword] === undefined,
  );
}

/** The schemas that a part of an object has, from every member of `allOf`; none if undeclared. */
function schemasOfKey(schema: JsonObject, key: string): readonly JsonObject[] {
  const { properties, additionalProperties } = schema;
  const own = properties !== undefined && isJsonObject(properties) ? properties[key] : undefined;
  const other = own ?? additionalProperties;
  const nested = [...listOf(schema, 'allOf'), ...listOf(schema, 'anyOf')];
  return [
    ...(other !== undefined && isJsonObject(other) ? [other] : []),
    ...nested.flatMap((part) => schemasOfKey(part, key)),
  ];
}

/** Paths of the keys of a value that none of these schemas declares(without references). */
function undeclaredBy(schemas: readonly JsonObject[], value: Json, path: string): string[] {
  if (schemas.some(isOpen)) return [];
  if (Array.isArray(value)) {
    const items = schemas
      .flatMap((schema) => [schema, ...listOf(schema, 'anyOf'), ...listOf(schema, 'allOf')])
      .flatMap(({ items }) => (items !== undefined && isJsonObject(items) ? [items] : []));
    return value.flatMap((item, index) => undeclaredBy(items, item, `${path}/${index}`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const declared = schemas.flatMap((schema) => schemasOfKey(schema, key));
    const at = `${path}/${key}`;
    return declared.length === 0 ? [at] : undeclaredBy(declared, part, at);
  });
}

export type SchemaCheck = (value: Json) => readonly string[];

/** Faults of values against a schema without references: what is wrong or not declared. */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const validator = Compile(schema);
  return (value) =>
    validator.Check(value)
      ? undeclaredBy([schema], value, '').map((path) => `${path} is not in the schema`)
      : validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
