import * as v from 'valibot';
import { escapeControls } from '../../common/escape.ts';

// Strings are escaped when they are parsed, because they are printed on a terminal. Cursors are not escaped, because
// they are sent back.
const text = v.pipe(v.string(), v.transform(escapeControls));
const cursor = v.nullish(v.string());

const summary = v.object({
  model: text,
  transaction: text,
  version: v.number(),
  status: text,
  done: v.boolean(),
  progress: v.nullable(v.number()),
  updatedAt: text,
  parked: v.number(),
  risk: v.nullish(
    v.object({
      state: v.picklist(['at-risk', 'late']),
      milestone: v.nullish(text),
      since: text,
      lateBy: v.nullish(text),
    }),
  ),
});

const instance = v.object({
  ...summary.entries,
  modelVersion: v.number(),
  reference: v.nullish(text),
  startedAt: v.nullable(text),
  oldestParked: v.nullish(v.object({ eventId: text, reason: text, at: text })),
  statusSince: text,
  milestones: v.array(
    v.object({
      id: text,
      label: text,
      state: v.picklist(['reached', 'current', 'pending', 'at-risk', 'late', 'skipped']),
      at: v.nullish(text),
      expectedBy: v.nullish(text),
      atRiskAt: v.nullish(text),
      paused: v.nullish(v.boolean()),
      lateBy: v.nullish(text),
    }),
  ),
  eta: v.nullish(v.array(v.object({ id: text, p50: text, p90: text })), []),
  timers: v.array(v.object({ name: text, dueAt: text })),
  state: v.unknown(),
});

const asOf = v.object({ version: v.number(), at: text });
const anyAsOf = v.union([asOf, v.object({ version: v.number(), eventTime: text })]);

const explanation = v.object({
  asOf,
  fields: v.array(
    v.object({
      // The path is not escaped, because it is compared with paths on other pages.
      path: v.string(),
      value: v.optional(v.unknown()),
      removed: v.optional(v.boolean()),
      setBy: v.nullable(
        v.object({
          version: v.number(),
          event: v.object({ source: text, type: text, time: text }),
        }),
      ),
      pathBefore: v.optional(v.string()),
    }),
  ),
});

const entry = v.object({
  version: v.number(),
  modelVersion: v.nullish(v.number()),
  event: v.object({ id: text, source: text, type: text, time: text }),
  outcome: v.picklist(['applied', 'rejected']),
  reason: v.nullish(text),
  status: text,
});

const model = v.object({
  id: text,
  version: v.number(),
  title: text,
  statuses: v.array(text),
  milestones: v.array(v.object({ id: text })),
});

const version = v.object({
  functionVersion: text,
  version: v.number(),
  registeredAt: text,
  current: v.boolean(),
});

const deadLetter = v.object({
  id: text,
  reason: text,
  at: text,
  modelId: v.nullish(text),
  transactionId: v.nullish(text),
  eventId: v.nullish(text),
  parked: v.boolean(),
  raw: v.string(),
});

/** A dead letter without the bytes of its record. */
const deadLetterSummary = v.omit(deadLetter, ['raw']);

const check = v.object({
  id: text,
  state: v.picklist(['ok', 'warning', 'failed', 'unknown']),
  detail: text,
  /** The commands of the remedy; empty if there is none. The API returns text with one command per line. */
  remedy: v.pipe(
    v.nullable(v.string()),
    v.transform((lines): readonly string[] =>
      (lines ?? '').split('\n').filter(Boolean).map(escapeControls),
    ),
  ),
});

/** The schemas of API responses, limited to the members that the CLI uses. */
export const responses = {
  checks: v.object({ version: text, checks: v.array(check) }),
  accepted: v.object({ accepted: v.number() }),
  models: v.object({ models: v.array(model) }),
  instance,
  /** Past instances do not contain the number of parked events. The default is 0. */
  pastInstance: v.object({ ...instance.entries, parked: v.optional(v.number(), 0), asOf: anyAsOf }),
  explanation,
  instances: v.object({ instances: v.array(summary), cursor }),
  counts: v.object({
    counts: v.array(v.object({ value: text, instances: v.number() })),
    cursor,
  }),
  sla: v.object({
    weeks: v.array(
      v.object({
        from: text,
        milestones: v.array(
          v.object({
            label: text,
            met: v.number(),
            breached: v.number(),
            open: v.number(),
            attainment: v.nullable(v.number()),
          }),
        ),
      }),
    ),
  }),
  counterRebuild: v.object({
    step: v.picklist(['waiting', 'counting', 'deleting', 'done']),
    rows: v.number(),
  }),
  history: v.object({ entries: v.array(entry), cursor }),
  version,
  versions: v.object({ versions: v.array(version) }),
  deadLetter,
  deadLetters: v.object({ deadLetters: v.array(deadLetter), cursor }),
  deadLetterSummaries: v.object({ deadLetters: v.array(deadLetterSummary), cursor }),
  search: v.object({
    instances: v.array(summary),
    byKey: v.array(summary),
    deadLetters: v.array(deadLetterSummary),
  }),
  foundEvents: v.object({
    events: v.array(
      v.object({ model: text, transaction: text, version: v.number(), type: text, time: text }),
    ),
    cursor,
  }),
  link: v.object({ id: text, url: text, expiresAt: text }),
  links: v.object({
    links: v.array(v.object({ id: text, createdAt: text, expiresAt: text })),
    cursor,
  }),
  revoked: v.object({ revoked: v.number() }),
  redriven: v.object({ redriven: v.number() }),
  /** A page of any list; only its cursor is read. */
  page: v.object({ cursor }),
};

/** An instance in a response from the API. */
export type InstanceResponse = v.InferOutput<typeof instance>;
/** An instance in a list that the API returns. */
export type ListedInstance = v.InferOutput<typeof summary>;
/** A past instance in a response from the API. */
export type PastInstanceResponse = InstanceResponse & {
  readonly asOf: v.InferOutput<typeof anyAsOf>;
};
/** A dead letter in a response from the API; `raw` is Base64. */
export type DeadLetterResponse = v.InferOutput<typeof deadLetter>;
export type DeadLetterSummary = v.InferOutput<typeof deadLetterSummary>;
/** A field of a state with the event that set it. */
export type ExplainedField = v.InferOutput<typeof explanation>['fields'][number];
