import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { protocolSchemas } from '../../../src/model-runtime/remote/json-schemas.ts';
import {
  describeAnswer,
  describeRequest,
  foldAnswer,
  foldRequest,
} from '../../../src/model-runtime/remote/schemas.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'src', 'model-runtime', 'remote', 'protocol');
const page = readFileSync(join(root, 'docs', 'reference', 'model-function-protocol.md'), 'utf8');

const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true } });
const schemas = protocolSchemas();
const compiled = new Map<string, ValidateFunction>(
  Object.entries(schemas).map(([file, schema]) => [
    file.replace('.schema.json', ''),
    ajv.compile(schema),
  ]),
);
const sources: Record<string, v.GenericSchema> = {
  'describe-request': describeRequest,
  'describe-answer': describeAnswer,
  'fold-request': foldRequest,
  'fold-answer': foldAnswer,
};

const examples = [...page.matchAll(/<!-- example: (\S+) -->\n```json\n(.*?)```/gs)].map(
  ([, name = '', json = '']) => [name, JSON.parse(json) as object] as const,
);

/** Yields a copy of the value for each change or removal of one member, with the path of the member. */
function* spoilt(
  value: unknown,
  put: (part: unknown) => unknown,
  at = '',
): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const set = (other: unknown) => {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = other;
      return put(copy);
    };
    for (const other of [null, 0, 'x', {}, [0]]) yield [`${at}.${key}`, set(other)];
    if (!Array.isArray(value)) yield [`${at}.${key}`, set(undefined)];
    yield* spoilt(part, set, `${at}.${key}`);
  }
}

describe('the schemas of the protocol', () => {
  it('are identical to the output of npm run protocol', () => {
    const files = readdirSync(folder).map((file) => [
      file,
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown,
    ]);
    expect(Object.fromEntries(files)).toEqual(schemas);
  });

  it('accept the examples of the protocol page, one for each schema', () => {
    expect(examples.map(([name]) => name)).toEqual([...compiled.keys()].toSorted(byPlace));
    for (const [name, example] of examples) {
      const validate = compiled.get(name)!;
      expect([validate(example), validate.errors]).toEqual([true, null]);
      expect(v.is(sources[name]!, example)).toBe(true);
    }
  });

  it('reject a message with one changed member if and only if Milepost rejects it', () => {
    let refused = 0;
    const differing: unknown[] = [];
    for (const [name, example] of examples)
      for (const [where, wrong] of spoilt(example, (whole) => whole)) {
        const json = JSON.parse(JSON.stringify(wrong)) as unknown;
        const isTaken = v.is(sources[name]!, json);
        if (!isTaken) refused++;
        // JSON Schema declares a time as a format, which validators can ignore.
        if (/\.(?:time|at|expectedBy|dueAt)$/.test(where)) continue;
        if (compiled.get(name)!(json) !== isTaken) differing.push([name, where, json]);
      }
    expect(differing).toEqual([]);
    expect(refused).toBeGreaterThan(200);
  });
});

const order = ['describe-request', 'describe-answer', 'fold-request', 'fold-answer'];
const byPlace = (a: string, b: string) => order.indexOf(a) - order.indexOf(b);
