/**
 * Schemas of single fields, each with the description that the documentation shows. A field of
 * another type, or with bounds, is written with typebox itself.
 */
import { type TSchema, Type } from 'typebox';

export function Text(description: string) {
  return Type.String({ description });
}

export function OptionalText(description: string) {
  return Type.Optional(Text(description));
}

export function TrueFalse(description: string) {
  return Type.Boolean({ description });
}

export function OptionalTrueFalse(description: string) {
  return Type.Optional(TrueFalse(description));
}

/** A field that is always there, and null where there is no value. */
export function OrNull<Value extends TSchema>(value: Value, description?: string) {
  return Type.Union([value, Type.Null()], description === undefined ? {} : { description });
}
