import type { StandardSchemaV1 } from '@standard-schema/spec';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json/json.ts';
import { type JsonSchema, jsonSchemaOf } from '../../../src/core/json/json-schema-of.ts';
import { declaredPrefix, findUnmatchedPath } from '../../../src/core/model/schema-fields.ts';

interface Person {
  name: string;
  children?: Person[] | undefined;
}
const person: v.GenericSchema<Person> = v.object({
  name: v.string(),
  children: v.optional(v.array(v.lazy(() => person))),
});

const lives = (schema: v.GenericSchema, path: string) =>
  findUnmatchedPath(jsonSchemaOf(schema), path.split('.')) === undefined;

describe('a path', () => {
  const text = v.string();
  const one = v.object({ name: text });
  it.each<[what: string, v.GenericSchema, live: string[], dead: string[]]>([
    ['object', one, ['name', '*'], ['nmae', 'name.first', '0', 'name.*', '*.first']],
    ['nested objects', v.object({ a: v.object({ b: text }) }), ['a', 'a.b', '*.b'], ['b', 'a.c']],
    ['optional', v.object({ a: v.optional(one) }), ['a.name'], ['a.nmae']],
    ['nullable', v.object({ a: v.nullable(one) }), ['a', 'a.name'], ['a.nmae']],
    ['nullish with a default', v.nullish(one, { name: 'x' }), ['name'], ['nmae']],
    ['union', v.union([one, v.object({ id: text })]), ['name', 'id'], ['nmae']],
    [
      'variant',
      v.variant('kind', [
        v.object({ kind: v.literal('a'), name: text }),
        v.object({ kind: v.literal('b'), id: text }),
      ]),
      ['name', 'id'],
      ['kind.x'],
    ],
    ['intersection', v.intersect([one, v.object({ id: text })]), ['name', 'id'], ['nmae']],
    ['array', v.array(one), ['*', '0', '*.name', '12.name'], ['name', '*.nmae', 'x']],
    ['tuple', v.tuple([one, text]), ['0.name', '*.name'], ['0.nmae', '1.name', 'name']],
    ['strict tuple', v.strictTuple([one]), ['0.name'], ['1']],
    ['record', v.record(text, one), ['Fred', 'Fred.name', '*.name'], ['Fred.nmae', '*.nmae']],
    ['any', v.object({ a: v.any() }), ['a.b.c', 'a.*.0'], ['b']],
    ['unknown', v.unknown(), ['a', '*.b'], []],
    ['custom', v.custom(() => true), ['a', '*.b'], []],
    ['loose object', v.looseObject({ name: text }), ['name', 'other', 'other.deep'], ['name.x']],
    ['strict object', v.strictObject({ name: text }), ['name'], ['other']],
    ['object with rest', v.objectWithRest({ id: text }, one), ['id', 'x.name'], ['x.nmae']],
    ['object without fields', v.object({}), [], ['name', '*']],
    [
      'transformation',
      v.pipe(
        one,
        v.transform(({ name }) => ({ first: name })),
      ),
      ['name'],
      ['first'],
    ],
    [
      'recursive object',
      person,
      ['name', 'children.*.children.0.name'],
      ['children.name', 'children.*.x'],
    ],
    ['picklist', v.picklist(['a']), [], ['a', '*']],
    ['never', v.object({ a: v.never() }), ['a'], ['a.b']],
  ])('matches exactly the fields that a schema allows: %s', (_, schema, live, dead) => {
    expect(live.filter((path) => !lives(schema, path))).toEqual([]);
    expect(dead.filter((path) => lives(schema, path))).toEqual([]);
  });

  it('always matches if the library does not export JSON Schema', () => {
    const validate = (value: unknown) => ({ value });
    const bare = { version: 1 as const, vendor: 'own', validate };
    const refuses = () => {
      throw new Error('not supported');
    };
    const schemas: StandardSchemaV1[] = [
      { '~standard': bare },
      { '~standard': { ...bare, jsonSchema: { input: refuses, output: refuses } } as never },
      { '~standard': { ...bare, vendor: 'valibot' } },
    ];
    for (const schema of schemas)
      expect(findUnmatchedPath(jsonSchemaOf(schema), ['a', '*'])).toBeUndefined();
  });

  it('is checked with the JSON Schema that the schema library exports', () => {
    const generated: JsonSchema = {
      $ref: '#/$defs/a~1b',
      $defs: { 'a/b': { type: 'object', properties: { name: {} }, additionalProperties: false } },
    };
    const validate = (value: unknown) => ({ value });
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'own',
        validate,
        jsonSchema: { input: () => generated, output: () => generated },
      },
    } as StandardSchemaV1;
    expect(findUnmatchedPath(jsonSchemaOf(schema), ['name', 'x'])).toBeUndefined();
    expect(findUnmatchedPath(jsonSchemaOf(schema), ['nmae'])).toEqual({
      parent: [],
      name: 'nmae',
      fields: ['name'],
    });
  });

  it('always matches a schema in another document or at an anchor, but never one that refers only to itself', () => {
    const elsewhere: JsonSchema = { $ref: 'https://example.org/other.json' };
    const anchor = { $ref: '#a', $defs: { a: { $anchor: 'a', properties: { name: {} } } } };
    for (const schema of [elsewhere, anchor])
      expect(findUnmatchedPath(schema, ['name'])).toBeUndefined();
    expect(findUnmatchedPath({ $ref: '#' }, ['name'])).toMatchObject({ name: 'name' });
  });
});

describe('every path that exists in data', () => {
  interface Sample {
    readonly schema: v.GenericSchema;
    readonly value: Json;
  }
  const leaf = fc.constantFrom<Sample>(
    { schema: v.string(), value: 'x' },
    { schema: v.number(), value: 5 },
    { schema: v.unknown(), value: { deep: [{ x: 1 }] } },
    { schema: v.picklist(['a', 'b']), value: 'a' },
  );
  const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
    const members = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('sample'), {
      maxKeys: 3,
      noNullPrototype: true,
    });
    const objectOf = (made: Record<string, Sample>) => ({
      entries: Object.fromEntries(Object.entries(made).map(([name, each]) => [name, each.schema])),
      value: Object.fromEntries(Object.entries(made).map(([name, each]) => [name, each.value])),
    });
    return {
      sample: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        members.map((made): Sample => {
          const { entries, value } = objectOf(made);
          return { schema: v.object(entries), value };
        }),
        members.map((made): Sample => {
          const { entries, value } = objectOf(made);
          return { schema: v.looseObject(entries), value: { ...value, other: { x: 1 } } };
        }),
        tie('sample').map(
          (each): Sample => ({ schema: v.array(each.schema), value: [each.value] }),
        ),
        fc.array(tie('sample'), { maxLength: 3 }).map(
          (made): Sample => ({
            schema: v.tuple(made.map(({ schema }) => schema)),
            value: made.map(({ value }) => value),
          }),
        ),
        tie('sample').map(
          (each): Sample => ({
            schema: v.record(v.string(), each.schema),
            value: { Fred: each.value },
          }),
        ),
        fc.tuple(tie('sample'), tie('sample')).map(
          ([one, other]): Sample => ({
            schema: v.union([one.schema, v.nullable(v.lazy(() => other.schema))]),
            value: other.value,
          }),
        ),
      ),
    };
  });
  const pathsIn = (value: Json): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => [
          [name],
          ...pathsIn(each).map((rest) => [name, ...rest]),
        ])
      : [];

  it('matches the schema, even if any of its names is replaced with a star', () => {
    fc.assert(
      fc.property(sample, fc.infiniteStream(fc.boolean()), ({ schema, value }, stars) => {
        for (const path of pathsIn(value)) {
          const starred = path.map((name) => (stars.next().value ? '*' : name));
          expect(findUnmatchedPath(jsonSchemaOf(schema), starred)).toBeUndefined();
        }
      }),
    );
  });
});

describe('the declared prefix of a path', () => {
  it.each<[string, v.GenericSchema, path: string, start: string]>([
    ['the whole path', v.object({ a: v.array(v.object({ b: v.string() })) }), 'a.0.b', 'a.0.b'],
    [
      'the path up to the key of a record',
      v.object({ by: v.record(v.string(), v.number()) }),
      'by.Fred',
      'by',
    ],
    ['the path up to an unknown field', v.strictObject({ a: v.string() }), 'Fred', ''],
    ['the path up to unconstrained data', v.object({ a: v.unknown() }), 'a.Fred', 'a'],
  ])('is %s', (_, schema, path, start) => {
    expect(declaredPrefix(jsonSchemaOf(schema), path.split('.')).join('.')).toBe(start);
  });
});
