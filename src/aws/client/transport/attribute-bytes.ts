/*
 * Converts binary attributes between bytes and Base64, the encoding in DynamoDB's JSON. A binary value has the form
 * `{"B":…}`, and a set of binary values has the form `{"BS":…}`. An item can also have an attribute named B, whose
 * value is an object instead of bytes or a string.
 */

/** Encodes an operation's input for JSON. Returns values without bytes unchanged. */
export function encodeBytes<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return base64(value) as Value;
  if (Array.isArray(value)) return encodedEach(value) as Value;
  const fields = value as Record<string, unknown>;
  let changed: Record<string, unknown> | undefined;
  for (const name in fields) {
    const other = encodeBytes(fields[name]);
    if (other === fields[name]) continue;
    changed ??= { ...fields };
    changed[name] = other;
  }
  return (changed ?? fields) as Value;
}

function encodedEach(values: readonly unknown[]): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let n = 0; n < values.length; n++) {
    const other = encodeBytes(values[n]);
    if (other === values[n]) continue;
    changed ??= [...values];
    changed[n] = other;
  }
  return changed ?? values;
}

/** Parses an operation's JSON output and decodes Base64 to bytes. */
export function parseWithBytes(json: string): unknown {
  const output: unknown = JSON.parse(json);
  // Most responses contain no bytes and need no conversion.
  return /"BS?"/.test(json) ? decodeBytes(output) : output;
}

/** Decodes Base64 in a parsed value, in place. */
export function decodeBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const field = fields[name];
    if (name === 'B' && typeof field === 'string') fields.B = Buffer.from(field, 'base64');
    else if (name === 'BS' && isTexts(field))
      fields.BS = field.map((each) => Buffer.from(each, 'base64'));
    else decodeBytes(field);
  }
  return value;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && typeof value[0] === 'string';

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
