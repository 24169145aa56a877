import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { decompress } from '../../src/aws/dynamodb/compress.ts';
import { statusKey } from '../../src/aws/instances/instance-keys.ts';
import { emit } from '../../src/core/effects/effect.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model } from '../../src/core/model/model.ts';
import { rebuildEvent } from '../../src/core/replay/rebuild.ts';
import { unsealEvents } from '../../src/model-runtime/sealing/sealed-events.ts';
import type { Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import { allDeadLetters } from '../support/aws-in-memory/stores-in-memory.ts';
import { signed } from '../support/data/event-macs.ts';
import { Pipeline } from '../support/service/pipeline.ts';

/**
 * A model that collects strings as personal data. An event can set a business key and make the instance send an event.
 */
const collector = defineModel({
  id: 'collector',
  title: 'A collection',
  statuses: ['Open'],
  events: {
    collected: v.object({
      texts: v.optional(v.array(v.string()), []),
      key: v.optional(v.string()),
      tell: v.optional(v.string()),
    }),
  },
  sensitive: { state: ['people.*.passport'] },
  initial: () => ({ people: [] as { passport: string }[], key: '' }),
  transition({ data: { texts, key, tell } }, state) {
    const people = [...state.people, ...texts.map((passport) => ({ passport }))];
    const told = tell === undefined ? [] : [emit({ model: 'm', transaction: tell, type: 'told' })];
    return accept({ people, key: key ?? state.key }, ...told);
  },
  describe: () => ({ status: 'Open' }),
  keys: ({ key }) => (key === '' ? {} : { customer: key }),
}) as unknown as Model;

const giant = '\u{1F600}'.repeat(256);
const others = Array.from({ length: 20 }, (_, n) => `T${n}`);
const passports = (count: number, bytes = 5) =>
  Array.from({ length: count }, () => randomBytes(bytes).toString('hex'));
const collected = (transaction: string, data: object = {}, id?: string) => ({
  transaction,
  type: 'collected',
  data,
  ...(id === undefined ? {} : { id }),
});
const applied = { outcome: 'applied', reason: null };

/** A replacer for `JSON.stringify` that decompresses binary attributes so that tests can search their text. */
function readable(name: string, value: unknown): unknown {
  if (name !== 'B') return value;
  try {
    return decompress(Buffer.from((value as { data: number[] }).data));
  } catch {
    return '';
  }
}

/** How long a process uses a data key before it reads the key again, in milliseconds. */
const keyCacheTtl = 60_001;

const ofT3 = (text: string) => text.includes('"collector#T3"');
const writesCommit = (text: string) => /^(?:Put|BatchExecute).*COMMIT#/.test(text);

/** Wraps a client so that commands fail if `isRefused` returns true for their text. */
const refusing =
  (isRefused: (text: string) => boolean, name = 'ValidationException') =>
  (client: Sending): Sending => ({
    send: (command) =>
      isRefused(
        `${command.constructor.name} ${JSON.stringify((command as { input: object }).input, readable)}`,
      )
        ? Promise.reject(new ServiceError(name, 'refused for good', 400))
        : client.send(command),
  });

describe('an instance with a transaction id of the maximum length', () => {
  it('is committed and is found by its business key, like the other instances of its batch', async () => {
    const pipeline = new Pipeline(collector);
    const batch = [giant, ...others].map((each) => collected(each, { key: '42' }));
    expect(await pipeline.deliver(pipeline.records(...batch))).toHaveLength(0);
    for (const each of [giant, ...others])
      expect(await pipeline.history(each)).toMatchObject([applied]);
    expect(pipeline.parkedReasons).toEqual([]);
    expect(await pipeline.found({ key: 'customer:42' })).toEqual([giant, ...others].toSorted());
    expect(await pipeline.found({ prefix: giant })).toEqual([giant]);
    expect(await pipeline.found({ prefix: 'T1' })).toHaveLength(11);
  });
});

describe('an event with a state that sealing makes too large', () => {
  it('is rejected with the size of the state as the reason, and events of other instances are applied', async () => {
    const pipeline = new Pipeline(collector);
    const batch = [
      collected('small', { texts: passports(10), tell: 'a' }),
      collected('large', { texts: passports(10_000) }, 'too much'),
      ...others.map((each) => collected(each, { tell: each })),
    ];
    const records = pipeline.records(...batch);
    expect(await pipeline.deliver(records)).toHaveLength(0);
    expect(await pipeline.history('large')).toMatchObject([
      {
        outcome: 'rejected',
        reason: expect.stringMatching(/personal data sealed would grow to \d+ bytes/),
      },
    ]);
    for (const each of ['small', ...others])
      expect(await pipeline.history(each)).toMatchObject([applied]);
  });

  it('is also rejected if several events of a batch enlarge the state', async () => {
    const pipeline = new Pipeline(collector);
    const batch = Array.from({ length: 14 }, () => collected('T1', { texts: passports(50, 200) }));
    expect(await pipeline.deliver(pipeline.records(...batch))).toHaveLength(0);
    const outcomes = (await pipeline.history('T1')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      ...Array<string>(10).fill('applied'),
      ...Array<string>(4).fill('rejected'),
    ]);
  });
});

describe('dispatch after a permanent error from AWS', () => {
  it.each([
    [
      'the commit',
      (text: string) =>
        ofT3(text) && text.includes('COMMIT#0000000001') && !/^(?:Get|BatchGet|Query)/.test(text),
    ],
    [
      'the status row',
      (text: string) =>
        ofT3(text) && text.includes('statusShard') && !text.includes('queueVersion'),
    ],
    [
      'the entry of the key index',
      (text: string) => ofT3(text) && /^(?!Query|Get|BatchGet).*#key#customer/.test(text),
    ],
    ['the read', (text: string) => ofT3(text) && /^BatchGet|^Query.*COMMIT/.test(text)],
  ])(
    'parks only the events of the affected instance, with the reason, if AWS rejects %s',
    async (_, isRefused) => {
      const pipeline = new Pipeline(collector, refusing(isRefused));
      const records = pipeline.records(
        ...others.map((each) => collected(each, { key: '42', tell: each })),
      );
      expect(await pipeline.deliver(records)).toHaveLength(0);
      const queues = await Promise.all(others.map((each) => pipeline.queue(each)));
      expect(new Map(others.map((each, n) => [each, queues[n]]))).toEqual(
        new Map(others.map((each) => [each, each === 'T3' ? ['refused for good'] : []])),
      );
      expect(pipeline.failureReasons).toEqual([]);
    },
  );

  it('sends the effects of other instances once, even if the batch is redelivered', async () => {
    const pipeline = new Pipeline(
      collector,
      refusing((text) => ofT3(text) && text.includes('#key#')),
    );
    const records = pipeline.records(
      ...others.map((each) => collected(each, { key: '42', tell: each })),
    );
    await pipeline.deliver(records);
    await pipeline.deliver(records);
    const sent = pipeline.stream.records.map(({ partitionKey }) => partitionKey);
    expect(sent.filter((each) => each !== 'T3').toSorted()).toEqual(
      others.filter((each) => each !== 'T3').toSorted(),
    );
  });

  it('parks only the event whose effects AWS rejects', async () => {
    const pipeline = new Pipeline(collector);
    const put = pipeline.stream.put.bind(pipeline.stream);
    pipeline.stream.put = (records) =>
      records.some(({ partitionKey }) => partitionKey === 'T3')
        ? Promise.reject(new ServiceError('InvalidArgumentException', 'no such key', 400))
        : put(records);
    const records = pipeline.records(...others.map((each) => collected(each, { tell: each })));
    expect(await pipeline.deliver(records)).toHaveLength(0);
    expect(pipeline.stream.records).toHaveLength(19);
    expect(await pipeline.queue('T3')).toEqual(['no such key']);
    expect(pipeline.parkedReasons).toHaveLength(1);
  });

  it('parks the failing event and the later events of its instance, but no earlier event', async () => {
    const isRefused = (text: string) => writesCommit(text) && text.includes('bad one');
    const pipeline = new Pipeline(collector, refusing(isRefused));
    const ids = ['e1', 'e2', 'e3', 'bad one', 'e5'];
    const records = pipeline.records(...ids.map((id) => collected('T1', {}, id)));
    expect(await pipeline.deliver(records)).toHaveLength(0);
    expect((await pipeline.history('T1')).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    expect(await pipeline.queue('T1')).toEqual([
      'refused for good',
      'an earlier event of the instance is parked',
    ]);
  });
});

describe('dispatch after a temporary error from AWS', () => {
  it('returns the events to the stream', async () => {
    for (const name of [
      'AccessDeniedException',
      'ResourceNotFoundException',
      'ThrottlingException',
    ]) {
      const pipeline = new Pipeline(
        collector,
        refusing((text) => text.includes('COMMIT#'), name),
      );
      const records = pipeline.records(...others.map((each) => collected(each)));
      expect(await pipeline.deliver(records)).toHaveLength(20);
      expect(await pipeline.queue('T3')).toEqual([]);
    }
  });
});

describe('an event whose numbers take up more space when they are rewritten than in the record', () => {
  it('is parked with sealed data that can be unsealed', async () => {
    const pipeline = new Pipeline(collector, refusing(writesCommit));
    const [small] = pipeline.records(collected('T1', { numbers: [] }));
    const numbers = `[${Array<string>(50_000).fill('1e20').join(',')}]`;
    const text = Buffer.from(small!.data).toString().replace('[]', numbers);
    expect(await pipeline.deliver([{ ...small!, data: Buffer.from(text) }])).toHaveLength(0);
    const parked = await pipeline.parking.oldest({ model: 'collector', transaction: 'T1' }, 1);
    expect(await unsealEvents(pipeline.keys, parked)).toMatchObject([
      { value: { event: { data: { numbers: Array<number>(50_000).fill(1e20) } } } },
    ]);
  });
});

describe('an instance whose data key KMS can never decrypt again', () => {
  it('delays no other instance, and its events become dead letters that can be redriven', async () => {
    const pipeline = new Pipeline(collector);
    await pipeline.deliver(pipeline.records(...others.map((each) => collected(each))));
    await pipeline.clock.advance(keyCacheTtl);
    const decrypt = pipeline.kms.decrypt.bind(pipeline.kms);
    pipeline.kms.decrypt = (keyId, encrypted, context) =>
      context.transaction === 'T3'
        ? Promise.reject(new ServiceError('IncorrectKeyException', 'another key', 400))
        : decrypt(keyId, encrypted, context);
    const batch = [...others, 'T3'].map((each) => collected(each, { texts: ['a'] }));
    const records = pipeline.records(...batch);
    expect(await pipeline.deliver(records)).toHaveLength(0);
    expect(await pipeline.history('T4')).toMatchObject([applied, applied]);
    expect(await pipeline.queue('T3')).toEqual([]);
    const letters = await allDeadLetters(pipeline.deadLetters);
    expect(letters).toMatchObject(
      [records[3]!, records.at(-1)!].map(({ data }) => ({
        reason: 'could not be sealed: another key',
        transactionId: 'T3',
        parked: null,
        raw: data,
      })),
    );
    expect(pipeline.parkedReasons).toEqual([]);
    pipeline.kms.decrypt = decrypt;
    const redriven = pipeline.records(...batch.slice(0, 2));
    const again = letters.map(({ raw }, n) => ({ ...redriven[n]!, data: raw }));
    expect(await pipeline.deliver(again)).toHaveLength(0);
    expect(await pipeline.history('T3')).toMatchObject([applied, applied, applied]);
  });
});

describe('a batch of rebuilds in which AWS throttles one instance', () => {
  it('rebuilds the other instances, and turns the failed request into a dead letter after three hours', async () => {
    let isThrottled = false;
    const isRefused = (text: string) =>
      isThrottled && ofT3(text) && text.includes('"queueVersion"');
    const pipeline = new Pipeline(collector, refusing(isRefused, 'ThrottlingException'));
    await pipeline.deliver(pipeline.records(...others.map((each) => collected(each))));
    for (const each of others)
      pipeline.database.delete('instances', {
        pk: { S: `collector#${each}` },
        sk: { S: statusKey },
      });
    isThrottled = true;
    const requests = pipeline.records(...others.map((each) => collected(each))).map((record, n) => {
      const instance = { model: 'collector', transaction: others[n]! };
      return { ...record, data: signed(rebuildEvent(instance, { rowsOnly: true })) };
    });
    expect(await pipeline.deliver(requests)).toEqual([requests[3]]);
    const rebuilt = others.filter((each) => each !== 'T3');
    expect(await pipeline.found({ prefix: 'T' })).toEqual(rebuilt.toSorted());
    await pipeline.clock.advance(3 * 60 * 60 * 1_000);
    expect(await pipeline.deliver(requests)).toEqual([]);
    expect(await allDeadLetters(pipeline.deadLetters)).toMatchObject([
      {
        transactionId: 'T3',
        reason: expect.stringContaining(
          'could not be rebuilt, because AWS kept failing for hours: ',
        ),
      },
    ]);
  });
});
