import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { Deadline } from '../../src/common/deadline.ts';
import { emit, notify } from '../../src/core/effects/effect.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model } from '../../src/core/model/model.ts';
import { seal } from '../../src/core/personal-data/sealed.ts';
import { CompletedTails } from '../../src/model-runtime/completed-tails.ts';
import { handleModelRequest } from '../../src/model-runtime/model-handler.ts';
import type {
  ModelAnswer,
  ModelRequest,
  PositionedEvent,
} from '../../src/model-runtime/protocol.ts';
import type { HistoryRewriter } from '../../src/model-runtime/sealing/history-rewriter.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import {
  InstancesInMemory,
  writesCommit,
  writesStatus,
} from '../support/aws-in-memory/instances-in-memory.ts';
import { type ItemAccess, statementAccess } from '../support/aws-in-memory/item-access.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { dataKeysInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

/** A model that emits an event for each `sent` event and publishes a notification for each `told` event. */
const model = defineModel({
  id: 'counter',
  title: 'Counts',
  statuses: ['Open'],
  events: { added: v.unknown(), sent: v.unknown(), told: v.unknown() },
  initial: () => ({ count: 0 }),
  transition({ type }, { count }) {
    if (type === 'sent')
      return accept(
        { count: count + 1 },
        emit({ model: 'other', transaction: 'O1', type: 'heard', data: { count } }),
      );
    if (type === 'told') return accept({ count: count + 1 }, notify('Told', { count }));
    return accept({ count: count + 1 });
  },
  describe: () => ({ status: 'Open' }),
}) as unknown as Model;

let clock: ManualClock;
let instances: InstancesInMemory;
let stream: EventStreamInMemory;
let notifier: NotifierInMemory;
let dataKeys: DataKeys;
let completedTails: CompletedTails;

beforeEach(() => {
  clock = new ManualClock();
  instances = new InstancesInMemory(clock);
  stream = new EventStreamInMemory();
  notifier = new NotifierInMemory();
  dataKeys = dataKeysInMemory(clock);
  completedTails = new CompletedTails();
});

/** Returns the outcomes that the model's function reports. The function has ten seconds. */
async function outcomes(events: readonly PositionedEvent[], more: { resume?: true } = {}) {
  const { store, rows } = instances;
  const around = { model, store, stream, notifier, clock, rows, dataKeys, completedTails };
  const answerBy = new Deadline(clock, clock.now() + 10_000);
  const request = handleModelRequest(around, { op: 'transition', events, ...more }, { answerBy });
  const answer = (await clock.runUntil(request)) as ModelAnswer;
  expect(clock.now()).toBeLessThanOrEqual(answerBy.at);
  return answer.outcomes.map((each) =>
    each.outcome === 'failed' ? `${each.fault}: ${each.reason}` : each.outcome,
  );
}

const noAnswer = "service: AWS did not respond within the function's time limit";
let place = 0;
const event = (transaction: string, type = 'added') => placed(++place, { transaction, type });

/** Returns an event with sealed data, as a parked event has. */
async function sealed(transaction: string): Promise<PositionedEvent> {
  const { event: plain, position } = event(transaction);
  return {
    event: { ...plain, data: seal(plain.data, await dataKeys.getOrCreate(plain), plain) },
    position,
  };
}

/** Makes DynamoDB never respond to a batch of writes that contains a matching write. */
function neverAnswer(isUnanswered: (access: ItemAccess) => boolean): void {
  const { client } = instances;
  const execute = client.batchExecuteStatement.bind(client);
  client.batchExecuteStatement = (input) =>
    input.Statements!.map(statementAccess).some(isUnanswered) ? never() : execute(input);
}

describe("a model's Lambda function whose requests to AWS fail", () => {
  it.each([
    ['the read of the instances', () => void (instances.client.query = never)],
    ['the write of the commit', () => neverAnswer(writesCommit)],
    ['the write of the status row', () => neverAnswer(writesStatus)],
  ])(
    'returns its events to the stream before it times out if %s gets no response',
    async (_, break_) => {
      break_();
      expect(await outcomes([event('A'), event('B')])).toEqual([noAnswer, noAnswer]);
    },
  );

  it('returns its events to the stream before it times out if its request for the keys of sealed events gets no response', async () => {
    const parked = await sealed('A');
    dataKeys.get = never;
    expect(await outcomes([parked], { resume: true })).toEqual([noAnswer]);
  });

  it('reports a service failure if the keys of sealed events cannot be read', async () => {
    const [first, second, third] = await Promise.all([sealed('A'), sealed('A'), sealed('A')]);
    const toOpen = dataKeys.get.bind(dataKeys);
    let calls = 0;
    dataKeys.get = async (instance) => {
      if (++calls > 1) throw new ServiceError('KMSInternalException', 'KMS does not answer', 500);
      return toOpen(instance);
    };
    expect(await outcomes([first, second, third], { resume: true })).toEqual([
      'applied',
      'service: KMS does not answer',
      'behind',
    ]);
  });

  it.each([
    ['send events', 'sent', () => void (stream.kinesis.interfere = never)],
    ['publish notifications', 'told', () => void (notifier.stream.kinesis.interfere = never)],
  ])(
    'returns to the stream only the events of instances that %s if the target stream does not respond',
    async (_, type, break_) => {
      // An instance's first event sets its status, which publishes a notification. Later `added` events publish nothing.
      await outcomes([event('A'), event('B')]);
      break_();
      expect(await outcomes([event('A'), event('B', type)])).toEqual(['applied', noAnswer]);
    },
  );
});

describe('a request from the API to a function that cannot reach AWS', () => {
  const history: HistoryRewriter = { rewrite: () => Promise.resolve({ rewritten: 0 }) };
  const transaction = 'A';
  const requests: [ModelRequest['op'], ModelRequest][] = [
    ['audit', { op: 'audit', model: 'counter', transactions: [transaction] }],
    ['fold-until', { op: 'fold-until', transaction, eventTime: '2026-01-01T00:00:00.000Z' }],
    ['deadlines', { op: 'deadlines', transaction, now: '2026-01-01T00:00:00.000Z' }],
    ['forget', { op: 'forget', transaction }],
  ];
  const timed = { ...model, deadlines: () => ({}) };
  const ask = (request: ModelRequest) => {
    const { store, rows } = instances;
    const around = { model: timed, store, rows, stream, notifier, clock, dataKeys, history };
    const answerBy = Deadline.in(clock, 10_000);
    return clock.runUntil(handleModelRequest({ ...around, completedTails }, request, { answerBy }));
  };

  it.each(requests)(
    'gets a response before the function times out if AWS never responds: %s',
    async (_, request) => {
      instances.client.query = never;
      dataKeys.destroy = never;
      expect(await ask(request)).toEqual({
        unavailable: "AWS did not respond within the function's time limit",
      });
    },
  );

  it.each(requests.slice(1))('gets the error message of an outage: %s', async (_, request) => {
    const failure = () => Promise.reject(new ServiceError('InternalServerError', 'outage', 500));
    instances.client.query = failure;
    dataKeys.destroy = failure;
    expect(await ask(request)).toEqual({ unavailable: 'outage' });
  });

  it.each(requests.slice(1))('fails if a retry would not help: %s', async (_, request) => {
    const failure = () => Promise.reject(new TypeError('damaged'));
    instances.client.query = failure;
    dataKeys.destroy = failure;
    await expect(ask(request)).rejects.toThrow('damaged');
  });
});

describe('the tail of a commit', () => {
  it('is repeated after a failure, when its event is redelivered', async () => {
    stream.kinesis.failure = new Error('throttled');
    const sending = event('A', 'sent');
    expect(await outcomes([sending])).toEqual(['service: throttled']);
    stream.kinesis.failure = undefined;
    expect(await outcomes([sending])).toEqual(['duplicate']);
    expect(stream.records).toHaveLength(1);
  });

  it('is not repeated if only the tail of another instance in the batch failed', async () => {
    const [first, second] = [event('A', 'sent'), event('B', 'sent')];
    expect(await outcomes([first])).toEqual(['applied']);
    stream.kinesis.failure = new Error('throttled');
    // A redelivery in a batch with a failing event.
    expect(await outcomes([first, second])).toEqual(['duplicate', 'service: throttled']);
    stream.kinesis.failure = undefined;
    expect(await outcomes([first, second])).toEqual(['duplicate', 'duplicate']);
    expect(stream.records).toHaveLength(2);
  });
});
