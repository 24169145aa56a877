import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import type { CommitTail } from '../../src/core/history/commit.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { TransitionInvocation } from '../../src/dispatcher/model-invoker.ts';
import { CompletedTails } from '../../src/model-runtime/completed-tails.ts';
import type { TransitionRequest } from '../../src/model-runtime/protocol.ts';
import { RecordsRefusedError } from '../../src/stream/records-refused-error.ts';
import { nuisanceKey } from './neighbors.ts';
import type { Faults, Sabotage } from './sabotage.ts';
import { dispatching, replaced, storing } from './tampering.ts';

const hour = 60 * 60 * 1_000;

/** Replaces the results of model invocations. */
const invoking = (
  change: (invocation: TransitionInvocation, request: TransitionRequest) => TransitionInvocation,
): Sabotage =>
  dispatching(({ models }) => ({
    models: {
      async transition(functionArn, request) {
        const invocation = await models.transition(functionArn, request);
        return request.op === 'transition' ? change(invocation, request) : invocation;
      },
    },
  }));

/** Shifts the clock of dispatchers by `later` milliseconds, which makes records look older or newer to them. */
const judgingAt = (later: number): Sabotage =>
  dispatching(({ clock }: DispatchDependencies) => ({
    clock: { ...clock, now: () => clock.now() + later },
  }));

/** Changes DynamoDB's responses to batch requests. */
const answering = (change: (answer: BatchAnswer, input: object) => BatchAnswer): Sabotage => ({
  client: (client) => ({
    async send(command) {
      const answer = (await client.send(command)) as BatchAnswer;
      const { input } = command as { input: object };
      return 'RequestItems' in input || 'Statements' in input ? change(answer, input) : answer;
    },
  }),
});

type BatchAnswer = Pick<Awaited<ReturnType<DynamoDb['batchGetItem']>>, 'UnprocessedKeys'> & {
  readonly Responses?: unknown;
};

/** Faults in the handling of slow responses, throttling, and outages of AWS. */
export const availabilityFaults: Faults = {
  // Faults in the deadlines of functions.
  'a dispatcher ignores its deadline': [
    {
      scenario: { nuisance: 'blocks', modelTimeout: 120_000 },
      dispatch: (run) => (records, deadline) => run(records, deadline.earlierBy(-24 * hour)),
    },
    /the dispatcher ran out of time/,
  ],
  "a model's function waits for AWS until it times out": [
    { scenario: { outages: {} }, modelTime: ({ until }) => ({ until }) },
    /a model's function ran out of time/,
  ],
  // Faults that confuse slow AWS services with faulty models.
  "a model's function that waits for AWS reports a failure of the model": [
    {
      scenario: { outages: {} },
      ...invoking((invocation) => {
        if (invocation.kind !== 'answered') return invocation;
        const outcomes = invocation.answer.outcomes.map((each) =>
          each.outcome === 'failed' && each.fault === 'service'
            ? { ...each, fault: 'model' as const }
            : each,
        );
        return { ...invocation, answer: { outcomes } };
      }),
    },
    /is parked unnecessarily/,
  ],
  'a function that Lambda cannot invoke is treated as failed': [
    {
      scenario: { outages: { service: 'lambda' } },
      ...invoking((invocation) =>
        invocation.kind === 'unavailable' ? { ...invocation, kind: 'failed' } : invocation,
      ),
    },
    /is parked unnecessarily/,
  ],
  'code that never returns is treated as a slow AWS service': [
    {
      scenario: { nuisance: 'blocks' },
      ...invoking((invocation) =>
        invocation.kind === 'failed' ? { ...invocation, kind: 'unavailable' } : invocation,
      ),
    },
    /was delayed for/,
  ],
  'all events of an invocation are treated as faulty if one of them blocks it': [
    {
      scenario: { nuisance: 'blocks' },
      ...invoking((invocation, { events }) => {
        if (invocation.kind !== 'failed') return invocation;
        const { reason } = invocation;
        const outcome = { outcome: 'failed', fault: 'model', reason } as const;
        return { kind: 'answered', answer: { outcomes: events.map(() => outcome) } };
      }),
    },
    /is parked unnecessarily/,
  ],
  'events are sealed with another key if their key cannot be read': [
    {
      scenario: { outages: { service: 'kms' }, sealed: true },
      ...dispatching(({ dataKeys }) => ({
        dataKeys:
          dataKeys &&
          replaced(dataKeys, {
            getOrCreate: (instance) => dataKeys.getOrCreate(instance).catch(() => Buffer.alloc(32)),
          }),
      })),
    },
    /differs from every event that was sent/,
  ],
  'an event is parked after its first failure': [
    {
      scenario: { nuisance: 'throws' },
      ...dispatching(({ retry }) => ({ retry: { ...retry, attempts: 1 } })),
    },
    /was parked after/,
  ],
  // Faults in the classification of failures.
  'an event whose record is old is treated as if AWS had rejected it for hours': [
    {
      scenario: { outages: {}, backlogMs: 13 * hour },
      ...dispatching(() => ({
        failureTracker: {
          firstFailureOf: () => Number.NEGATIVE_INFINITY,
          recordBatch: () => {},
          hasOtherProgressedSince: () => false,
        },
      })),
    },
    /is parked unnecessarily/,
  ],
  'an event that AWS rejects for hours is never parked': [
    { scenario: { nuisance: 'starved' }, ...judgingAt(-24 * hour) },
    /was delayed for/,
  ],
  'events of all instances are returned to the stream if AWS rejects the commit of one instance': [
    {
      scenario: { nuisance: 'starved' },
      ...storing((store) => ({
        commit: (commits) =>
          commits.length > 1 && commits.some(({ transaction }) => transaction === nuisanceKey)
            ? Promise.resolve(commits.map(() => ({ error: new Error('refused as a whole') })))
            : store.commit(commits),
      })),
    },
    /was delayed for/,
  ],
  'a tail is treated as completed before it is completed': [
    {
      scenario: { outages: {} },
      model: () => ({
        completedTails: new (class extends CompletedTails {
          override has(commit: CommitTail): boolean {
            const isKnown = super.has(commit);
            this.add(commit);
            return isKnown;
          }
        })(),
      }),
    },
    /was never sent|was published with 0 ids|the row has|status row/,
  ],
  // Faults in the handling of payload limits.
  'events that exceed the payload limit are treated as applied': [
    {
      scenario: { bulky: true },
      ...invoking((invocation, { events }) =>
        invocation.kind === 'too-large'
          ? {
              kind: 'answered',
              answer: { outcomes: events.map(() => ({ outcome: 'applied' })) },
            }
          : invocation,
      ),
    },
    /is lost/,
  ],
  // Faults in the recognition of seen events.
  'an event that may be a duplicate is treated as new': [
    storing(() => ({
      // oxlint-disable-next-line require-yield -- a store without commits
      async *summariesBefore() {
        await Promise.resolve();
      },
    })),
    /is in the history twice/,
  ],
  // Faults in the put requests that several senders share.
  'records that the stream rejected are treated as put': [
    {
      scenario: { outages: { service: 'kinesis', kind: 'partial' } },
      model: ({ stream }) => ({
        stream: {
          put: (records) =>
            stream.put(records).catch((error: unknown) => {
              throw error instanceof RecordsRefusedError
                ? new RecordsRefusedError(error.message, [])
                : error;
            }),
        },
      }),
    },
    /was never sent/,
  ],
  // Faults in the limits on attempts and record age.
  'a batch is abandoned after ten attempts': [
    { scenario: { outages: {} }, mapping: { MaximumRetryAttempts: 10 } },
    /is lost/,
  ],
  'a record is abandoned after five minutes': [
    { scenario: { outages: {} }, mapping: { MaximumRecordAgeInSeconds: 300 } },
    /is lost/,
  ],
  'a shard has only one lane': [
    { scenario: { nuisance: 'blocks' }, mapping: { ParallelizationFactor: 1 } },
    /was delayed for/,
  ],
  // Faults in the handling of incomplete responses and registry reads.
  'a response without results is treated as success': [
    {
      scenario: { outages: {} },
      weather: { hollow: 0.05 },
      ...answering((answer, input) => {
        const { Statements } = input as { Statements?: readonly unknown[] };
        return { Responses: Statements ? Statements.map(() => ({})) : {}, ...answer };
      }),
    },
    /is lost|was found instead of|the row/,
  ],
  'a model that was registered a moment ago is treated as missing': [
    {
      scenario: { outages: {} },
      registry: (registry) => replaced(registry, { getConsistent: (id) => registry.get(id) }),
    },
    /is wrongly a dead letter/,
  ],
};
