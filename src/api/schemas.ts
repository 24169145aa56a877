import * as v from 'valibot';
import { auditSchema } from '../core/replay/audit.ts';

/*
 * The schemas of the API's responses. The types of the views and the description at /api/openapi.json derive from
 * them.
 */

const time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, in UTC'));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const json = v.pipe(v.unknown(), v.description('any JSON'));
const cursor = v.pipe(
  v.optional(v.string()),
  v.description('send it to get the next page; absent on the last page'),
);

/** An instance in a list. */
export const summary = v.object({
  model: v.string(),
  modelVersion: count,
  transaction: v.string(),
  version: v.pipe(count, v.description('the number of commits of the instance')),
  status: v.string(),
  done: v.boolean(),
  progress: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description('null if the model has no milestones'),
  ),
  startedAt: v.pipe(v.nullable(time), v.description('null until an event is applied')),
  updatedAt: time,
  statusSince: time,
  parked: v.pipe(count, v.description('the number of its parked events')),
});

const milestone = v.object({
  id: v.string(),
  label: v.string(),
  state: v.picklist(['reached', 'current', 'pending', 'late', 'skipped']),
  at: v.nullable(time),
  expectedBy: v.nullable(time),
});

const eta = v.object({
  id: v.pipe(v.string(), v.description('the id of the milestone')),
  p50: v.pipe(time, v.description('half of the finished instances reached it by this time')),
  p90: v.pipe(time, v.description('nine of ten finished instances reached it by this time')),
});

/** A complete instance. */
export const instance = v.object({
  ...summary.entries,
  milestones: v.array(milestone),
  eta: v.pipe(
    v.array(eta),
    v.description('estimates for pending milestones, once enough instances have finished'),
  ),
  timers: v.array(v.object({ name: v.string(), dueAt: time })),
  state: json,
});

/** The moment that a response represents. */
const asOf = v.object({
  version: v.pipe(count, v.description('the latest commit at that moment')),
  at: v.pipe(time, v.description('the requested time, or the time of the requested commit')),
});

const { parked: _parked, eta: _eta, ...known } = instance.entries;

/**
 * An instance at a moment in the past. Past parked counts and estimates are not stored, so they are absent.
 */
export const pastInstance = v.object({ ...known, asOf });

const setBy = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  at: time,
  modelVersion: count,
  event: v.object({ id: v.string(), source: v.string(), type: v.string(), time }),
});

/** The event that set each field of a state. */
export const explanation = v.object({
  asOf,
  fields: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('a JSON Pointer, RFC 6901')),
      value: v.optional(json),
      removed: v.pipe(
        v.optional(v.literal(true)),
        v.description('the requested field no longer exists; `setBy` removed it'),
      ),
      setBy: v.pipe(
        v.nullable(setBy),
        v.description(
          'null: set before the commits that this response read; the next page explains it',
        ),
      ),
      pathBefore: v.pipe(
        v.optional(v.string()),
        v.description('if `setBy` is null: the path of the same field on the next page'),
      ),
    }),
  ),
  cursor: v.pipe(
    v.optional(v.string()),
    v.description('send it to read earlier commits; absent when every field is explained'),
  ),
});

/** A history entry: an event with its outcome and the state after it. */
export const entry = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  modelVersion: v.pipe(count, v.description('the version of the model that applied it')),
  at: time,
  event: v.object({
    id: v.string(),
    source: v.string(),
    type: v.string(),
    time,
    replyto: v.pipe(
      v.optional(v.string()),
      v.description('the instance that receives the outcome'),
    ),
    data: json,
  }),
  outcome: v.picklist(['applied', 'rejected']),
  reason: v.nullable(v.string()),
  status: v.pipe(v.string(), v.description('the status after the event')),
  state: v.pipe(json, v.description('the state after the event')),
});

/** A model in a list. */
export const model = v.object({
  id: v.string(),
  version: count,
  title: v.string(),
  statuses: v.array(v.string()),
  milestones: v.array(
    v.object({ id: v.string(), label: v.string(), optional: v.optional(v.boolean()) }),
  ),
  functionArn: v.string(),
});

const stepTimes = {
  count: v.pipe(count, v.description('the number of observations; older ones have less weight')),
  p50: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
  p90: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
};

/** A complete model. */
export const modelDetail = v.object({
  ...model.entries,
  eventTypes: v.array(v.string()),
  diagram: v.nullable(
    v.object({
      nodes: v.array(v.object({ id: v.string(), label: v.string() })),
      edges: v.array(v.object({ from: v.string(), to: v.string(), label: v.string() })),
    }),
  ),
  steps: v.pipe(
    v.object({
      milestones: v.array(
        v.object({
          from: v.pipe(v.nullable(v.string()), v.description('null: the start of the instance')),
          to: v.string(),
          ...stepTimes,
        }),
      ),
      statuses: v.array(v.object({ status: v.string(), ...stepTimes })),
    }),
    v.description('durations: between milestones of finished instances, and in completed statuses'),
  ),
});

/** A version of a model's code: one deployment. */
export const modelVersion = v.object({
  functionVersion: v.pipe(v.string(), v.description('the version number of its Lambda function')),
  version: v.pipe(count, v.description('the version that the model declares')),
  functionArn: v.string(),
  registeredAt: time,
  current: v.pipe(v.boolean(), v.description('true if this version applies events')),
});

/** A dead letter: a rejected record or a parked event. */
export const deadLetter = v.object({
  id: v.string(),
  reason: v.string(),
  at: time,
  modelId: v.nullable(v.string()),
  transactionId: v.nullable(v.string()),
  eventId: v.nullable(v.string()),
  raw: v.pipe(v.string(), v.base64(), v.description("the record's bytes, in base64")),
});

/** RFC 9457. */
export const problem = v.looseObject({
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  errors: v.pipe(
    v.optional(v.array(v.object({ index: count, detail: v.string() }))),
    v.description('the invalid events of a request, by index'),
  ),
});

const tally = {
  more: v.pipe(v.boolean(), v.description('true if there are more than were counted')),
};

/** The number of instances of each model. */
export const overview = v.object({
  models: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      statuses: v.array(v.object({ status: v.string(), instances: count, ...tally })),
      parked: v.object({ instances: count, ...tally }),
      late: v.object({ instances: count, ...tally }),
      eventsPerMinute: v.pipe(
        v.array(v.object({ minute: time, events: count })),
        v.description(
          'applied and rejected events in each of the last 60 minutes, delayed by a few seconds',
        ),
      ),
    }),
  ),
  deadLetters: v.object({ deadLetters: count, ...tally }),
});

/** The roles of the caller. */
export const me = v.object({
  roles: v.pipe(
    v.array(v.picklist(['viewer', 'operator'])),
    v.description(
      'a viewer reads; an operator also redrives, deletes, rolls back, creates and revokes links, and sends events',
    ),
  ),
});

const linkId = v.pipe(v.string(), v.description('the id to revoke the link by'));

/** A new link to an instance's status page; its token is returned only once. */
export const link = v.object({
  id: linkId,
  url: v.pipe(v.string(), v.url()),
  token: v.string(),
  expiresAt: time,
});

/** A link in a list. Its token and URL are not stored. */
const listedLink = v.object({ id: linkId, createdAt: time, expiresAt: time });

/** The responses of lists. */
export const pageAnswers = {
  instances: v.object({ instances: v.array(summary), cursor }),
  wholeInstances: v.object({ instances: v.array(instance), cursor }),
  history: v.object({ entries: v.array(entry), cursor }),
  deadLetters: v.object({ deadLetters: v.array(deadLetter), cursor }),
  models: v.object({ models: v.array(model) }),
  versions: v.object({ versions: v.array(modelVersion) }),
  links: v.object({ links: v.array(listedLink), cursor }),
};

/** The responses of actions. */
export const actionAnswers = {
  accepted: v.object({ accepted: count }),
  redriven: v.object({ redriven: count }),
  rebuilding: v.object({
    audits: v.array(auditSchema),
    rebuilding: v.pipe(
      count,
      v.description('the number of instances that will be rebuilt; 0 in a dry run'),
    ),
    cursor,
  }),
  redrivenOfMany: v.object({ redriven: count, cursor }),
  forgotten: v.object({
    forgotten: v.pipe(v.literal(true), v.description('the key is destroyed')),
    rewritten: v.pipe(
      v.nullable(count),
      v.description(
        'the number of commits from which plain text was removed; null: no search, because the model is not registered',
      ),
    ),
    parked: v.pipe(
      count,
      v.description(
        'the number of parked events, among the first 100, that still contain plain text',
      ),
    ),
    revokedLinks: v.pipe(
      count,
      v.description("the number of revoked links to the instance's status page"),
    ),
    cursor,
  }),
  revoked: v.object({ revoked: v.pipe(count, v.description('the number of revoked links')) }),
  healthy: v.object({ ok: v.literal(true) }),
};
