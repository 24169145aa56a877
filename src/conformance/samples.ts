import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { messageOf } from '../common/message-of.ts';
import { issuesText } from '../common/schema-issues.ts';
import { MilepostError } from '../core/errors.ts';
import { firstFlaw, parseWithFlaws } from '../core/json/exact-json.ts';
import type { Json } from '../core/json/json.ts';
import { requiredTime, toUtc } from '../core/time/timestamp.ts';

const expect = v.strictObject({
  accepted: v.optional(v.boolean()),
  status: v.optional(v.string()),
  reason: v.optional(v.string()),
  state: v.optional(v.unknown()),
});

const time = v.pipe(
  v.string(),
  v.check(
    (text) => toUtc(text) !== undefined,
    ({ received }) => `must be ${requiredTime}; got ${received}`,
  ),
);

const common = { time: v.optional(time), expect: v.optional(expect) };
const event = v.strictObject({
  ...common,
  type: v.string(),
  data: v.optional(v.unknown(), {}),
  id: v.optional(v.string()),
  source: v.optional(v.string()),
});
/** A history step in which a running timer fires. */
const fired = v.strictObject({ ...common, fired: v.string() });

const samples = v.strictObject({
  histories: v.pipe(
    v.array(
      v.strictObject({
        name: v.string(),
        events: v.pipe(v.array(v.union([fired, event])), v.minLength(1)),
      }),
    ),
    v.minLength(1),
  ),
});

/** Sample histories for testing a model: see docs/how-to/write-a-model-in-another-language.md. */
export type Samples = v.InferOutput<typeof samples>;
export type History = Samples['histories'][number];
export type SampleEvent = History['events'][number];

/**
 * Reads a file of sample histories.
 *
 * @throws MilepostError `bad-request` if the file cannot be read or is invalid.
 */
export async function readSamples(file: string): Promise<Samples> {
  let value: Json;
  try {
    value = parseWithFlaws(await readFile(file, 'utf8'));
  } catch (error) {
    throw new MilepostError('bad-request', `${file}: ${messageOf(error)}`, { cause: error });
  }
  const flaw = firstFlaw(value);
  const parsed = v.safeParse(samples, value);
  if (parsed.success && flaw === undefined) return parsed.output;
  const wrong = flaw ?? issuesText(parsed.issues!);
  throw new MilepostError('bad-request', `${file} is not a valid samples file: ${wrong}`);
}
