import * as v from 'valibot';
import { auditSchema } from '../core/replay/audit.ts';

/*
 * What the API answers, as schemas: the types of the views follow from them, and so does the
 * description at /api/openapi.json.
 */

const time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, in UTC'));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const json = v.pipe(v.unknown(), v.description('any JSON'));
const cursor = v.pipe(
  v.optional(v.string()),
  v.description('hand it back to go on; none at the end of the list'),
);

/** An instance in a list. */
export const summary = v.object({
  model: v.string(),
  modelVersion: count,
  transaction: v.string(),
  version: v.pipe(count, v.description('how many commits the instance has')),
  status: v.string(),
  done: v.boolean(),
  progress: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description('null where the model has no milestones'),
  ),
  startedAt: v.pipe(v.nullable(time), v.description('null until an event is applied')),
  updatedAt: time,
  statusSince: time,
  parked: v.pipe(count, v.description('how many of its events wait for a redrive')),
});

const milestone = v.object({
  id: v.string(),
  label: v.string(),
  state: v.picklist(['reached', 'current', 'pending', 'late', 'skipped']),
  at: v.nullable(time),
  expectedBy: v.nullable(time),
});

const eta = v.object({
  id: v.pipe(v.string(), v.description('the milestone')),
  p50: v.pipe(time, v.description('half of the finished instances had reached it by then')),
  p90: v.pipe(time, v.description('nine of ten had')),
});

/** An instance with everything. */
export const instance = v.object({
  ...summary.entries,
  milestones: v.array(milestone),
  eta: v.pipe(
    v.array(eta),
    v.description('for milestones to come, where enough instances have finished to tell'),
  ),
  timers: v.array(v.object({ name: v.string(), dueAt: time })),
  state: json,
});

/** Which moment of an instance an answer is about. */
const asOf = v.object({
  version: v.pipe(count, v.description('the commit that made it so')),
  at: v.pipe(time, v.description('the time that was asked for, or when that commit was made')),
});

const { parked: _parked, eta: _eta, ...known } = instance.entries;

/**
 * An instance as it was. How many events were parked then, and what was likely to come, is not kept: it
 * says nothing of them.
 */
export const pastInstance = v.object({ ...known, asOf });

const setBy = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  at: time,
  modelVersion: count,
  event: v.object({ id: v.string(), source: v.string(), type: v.string(), time }),
});

/** Which event set each field of a state. */
export const explanation = v.object({
  asOf,
  fields: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('a JSON Pointer, RFC 6901')),
      value: v.optional(json),
      removed: v.pipe(
        v.optional(v.literal(true)),
        v.description('the field that was asked for is not there any more; setBy removed it'),
      ),
      setBy: v.pipe(
        v.nullable(setBy),
        v.description('null: further back than this answer looked; the next one says'),
      ),
      pathBefore: v.pipe(
        v.optional(v.string()),
        v.description('with null: the path of the same field in the next answer'),
      ),
    }),
  ),
  cursor: v.pipe(
    v.optional(v.string()),
    v.description('hand it back to look further back; none when all is explained'),
  ),
});

/** An event of an instance's history, with what became of it. */
export const entry = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  modelVersion: v.pipe(count, v.description('the version of the model that applied it')),
  at: time,
  event: v.object({
    id: v.string(),
    source: v.string(),
    type: v.string(),
    time,
    replyto: v.pipe(v.optional(v.string()), v.description('who hears the outcome')),
    data: json,
  }),
  outcome: v.picklist(['applied', 'rejected']),
  reason: v.nullable(v.string()),
  status: v.pipe(v.string(), v.description('after it')),
  state: v.pipe(json, v.description('after it')),
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
  count: v.pipe(count, v.description('how many times of it were seen; old ones count less')),
  p50: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
  p90: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
};

/** A model with everything. */
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
          from: v.pipe(v.nullable(v.string()), v.description('null: from the start')),
          to: v.string(),
          ...stepTimes,
        }),
      ),
      statuses: v.array(v.object({ status: v.string(), ...stepTimes })),
    }),
    v.description('how long steps took: milestones of finished instances, statuses that were left'),
  ),
});

/** A model's code as one deployment left it. */
export const modelVersion = v.object({
  functionVersion: v.pipe(v.string(), v.description("the number of its function's version")),
  version: v.pipe(count, v.description('what the model said of its version')),
  functionArn: v.string(),
  registeredAt: time,
  current: v.pipe(v.boolean(), v.description('whether it is what applies events')),
});

/** A record that could not be taken. */
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
    v.description('each bad event of a request, by its place'),
  ),
});

const tally = { more: v.pipe(v.boolean(), v.description('there are more than were counted')) };

/** How many instances there are, model by model. */
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
        v.description('applied or rejected in each of the last 60 minutes, some seconds late'),
      ),
    }),
  ),
  deadLetters: v.object({ deadLetters: count, ...tally }),
});

/** What whoever asks may do. */
export const me = v.object({
  roles: v.pipe(
    v.array(v.picklist(['viewer', 'operator'])),
    v.description(
      'a viewer reads; an operator also redrives, deletes, rolls back, makes and revokes links, and puts events',
    ),
  ),
});

const linkId = v.pipe(v.string(), v.description('revokes the link'));

/** A link to an instance's status page, as it is told once. */
export const link = v.object({
  id: linkId,
  url: v.pipe(v.string(), v.url()),
  token: v.string(),
  expiresAt: time,
});

/** A link in a list. Neither its token nor its URL is kept. */
const listedLink = v.object({ id: linkId, createdAt: time, expiresAt: time });

/** One page each of what there are many of. */
export const pageAnswers = {
  instances: v.object({ instances: v.array(summary), cursor }),
  wholeInstances: v.object({ instances: v.array(instance), cursor }),
  history: v.object({ entries: v.array(entry), cursor }),
  deadLetters: v.object({ deadLetters: v.array(deadLetter), cursor }),
  models: v.object({ models: v.array(model) }),
  versions: v.object({ versions: v.array(modelVersion) }),
  links: v.object({ links: v.array(listedLink), cursor }),
};

/** What those answers say that have nothing to show. */
export const actionAnswers = {
  accepted: v.object({ accepted: count }),
  redriven: v.object({ redriven: count }),
  rebuilding: v.object({
    audits: v.array(auditSchema),
    rebuilding: v.pipe(count, v.description('how many are going to be rebuilt; 0 in a dry run')),
    cursor,
  }),
  redrivenOfMany: v.object({ redriven: count, cursor }),
  forgotten: v.object({
    forgotten: v.pipe(v.literal(true), v.description('the key is destroyed')),
    rewritten: v.pipe(
      v.nullable(count),
      v.description(
        'commits that held the fields in plain text, and no longer do; null: the model is not registered, so nobody looked',
      ),
    ),
    parked: v.pipe(
      count,
      v.description('parked events, of the first 100, that still hold plain text'),
    ),
    revokedLinks: v.pipe(count, v.description("links to the instance's status page")),
    cursor,
  }),
  revoked: v.object({ revoked: v.pipe(count, v.description('how many links')) }),
  healthy: v.object({ ok: v.literal(true) }),
};
