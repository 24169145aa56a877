/** A value that JSON can represent. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object: its members by name. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns true for a JSON object; false for null, arrays, and primitive values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
