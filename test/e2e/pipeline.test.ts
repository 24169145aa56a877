import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { awsVersion, dataIsText } from '../support/aws-command-line.ts';
import { aggregate } from '../support/data/aggregate.ts';
import { kinesisTestRecord } from '../support/data/kinesis-test-record.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance {
  readonly version: number;
  readonly status: string;
  readonly state: { readonly app: Record<string, { status: string; failed: number }> };
}
interface History {
  readonly entries: {
    version: number;
    event: { id: string; data: unknown };
    outcome: string;
    reason: string | null;
    status: string;
  }[];
  readonly cursor?: string;
}
interface DeadLetters {
  readonly deadLetters: {
    id: string;
    reason: string;
    raw: string;
    modelId: string | null;
    transactionId: string | null;
    eventId: string | null;
  }[];
}

const run = promisify(execFile);

const service = sharedService();

const cloudEvent = (more: object) => ({
  specversion: '1.0',
  source: 'tv',
  type: 'account.created',
  modelid: 'activation',
  ...more,
});
const putRaw = (data: Uint8Array | string, key = 'k') =>
  service.kinesis.send(
    new PutRecordCommand({
      StreamName: service.ready.stream,
      PartitionKey: key,
      Data: Buffer.from(data),
    }),
  );
const deadLetterOf = async (raw: Uint8Array | string) => {
  const wanted = Buffer.from(raw).toString('base64');
  const { deadLetters } = await service.eventually<DeadLetters>(
    '/api/dead-letters?limit=100',
    (body) => body.deadLetters.some((letter) => letter.raw === wanted),
  );
  return deadLetters.find((letter) => letter.raw === wanted)!;
};

describe('an event updates the status of its instance', () => {
  it('if the AWS SDK puts it', async () => {
    await putRaw(JSON.stringify(cloudEvent({ id: 'e1', transactionid: 'SDK-1' })), 'SDK-1');
    const instance = await service.eventually(instancePath('activation', 'SDK-1'), () => true);
    expect(instance).toEqual({
      model: 'activation',
      modelVersion: 1,
      transaction: 'SDK-1',
      version: 1,
      status: 'New',
      done: false,
      progress: 0.33,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.any(String),
      statusSince: expect.any(String),
      milestones: [
        {
          id: 'created',
          label: 'Device registered',
          state: 'reached',
          at: expect.any(String),
          expectedBy: null,
          atRiskAt: null,
        },
        {
          id: 'requested',
          label: 'Activation requested',
          state: 'current',
          at: null,
          expectedBy: null,
          atRiskAt: null,
        },
        {
          id: 'activated',
          label: 'Activated',
          state: 'pending',
          at: null,
          expectedBy: null,
          atRiskAt: null,
        },
      ],
      timers: [],
      parked: 0,
      state: { created_at: expect.any(Number), app: {} },
    });
  });

  it.runIf(awsVersion !== undefined)('if the AWS CLI puts it', async () => {
    const event = JSON.stringify(cloudEvent({ id: 'e1', transactionid: 'ATV-123' }));
    await run(
      'aws',
      [
        'kinesis',
        'put-record',
        '--endpoint-url',
        service.ready.kinesis,
        '--region',
        'us-east-1',
        '--stream-name',
        'milepost-events',
        '--partition-key',
        'ATV-123',
        ...dataIsText,
        '--data',
        event,
      ],
      { env: { ...process.env, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' } },
    );
    const history = await service.eventually<History>(
      `${instancePath('activation', 'ATV-123')}/history`,
      () => true,
    );
    expect(history).toEqual({
      entries: [
        {
          version: 1,
          modelVersion: 1,
          at: expect.any(String),
          event: {
            id: 'e1',
            source: 'tv',
            type: 'account.created',
            time: expect.any(String),
            data: {},
          },
          outcome: 'applied',
          reason: null,
          status: 'New',
          state: { created_at: expect.any(Number), app: {} },
        },
      ],
    });
  });

  it('if it is posted to the API, as in the example in the documentation', async () => {
    const transactionid = 'STORY-1';
    const entitled = (id: string, token: string) =>
      cloudEvent({
        id,
        transactionid,
        type: 'entitlement.requested',
        data: { service: 'ABC', token },
      });
    await service.post(
      cloudEvent({ id: 's1', transactionid }),
      cloudEvent({
        id: 's2',
        transactionid,
        type: 'activation.requested',
        data: { service: 'ABC', token: '' },
      }),
      ...['s3', 's4', 's5', 's6'].map((id) => entitled(id, 'MTOB1J')),
    );
    const { entries } = await service.eventually<History>(
      `${instancePath('activation', transactionid)}/history`,
      (body) => body.entries.length === 6,
    );
    expect(entries.map((entry) => entry.event.id)).toEqual(['s1', 's2', 's3', 's4', 's5', 's6']);
    expect(entries.slice(2).map((entry) => entry.status)).toEqual([
      'Waiting',
      'Waiting',
      'Waiting',
      'Suspended',
    ]);
  });

  it('if the Kinesis Producer Library aggregates it with other events', async () => {
    const events = ['k1', 'k2', 'k3'].flatMap((id) =>
      ['KPL-1', 'KPL-2'].map((transactionid) => ({
        partitionKey: transactionid,
        data: Buffer.from(
          JSON.stringify(
            cloudEvent({
              id,
              transactionid,
              ...(id !== 'k1' && {
                type: 'activation.requested',
                data: { service: `service ${id}`, token: 'T' },
              }),
            }),
          ),
        ),
      })),
    );
    const bad = {
      partitionKey: 'KPL-1',
      data: Buffer.from('not an event, aggregated with events'),
    };
    await putRaw(aggregate([...events.slice(0, 3), bad, ...events.slice(3)]), 'a');
    for (const transaction of ['KPL-1', 'KPL-2']) {
      const { entries } = await service.eventually<History>(
        `${instancePath('activation', transaction)}/history`,
        (body) => body.entries.length === 3,
      );
      expect(entries.map(({ event, outcome }) => [event.id, outcome])).toEqual([
        ['k1', 'applied'],
        ['k2', 'applied'],
        ['k3', 'applied'],
      ]);
    }
    expect(await deadLetterOf(bad.data)).toMatchObject({ reason: expect.stringMatching(/JSON/) });
  });

  it('with any transaction id', async () => {
    for (const transactionid of ['a/b', 'a b%20c', '100%', 'x/history', 'é😀', '#?&=+', 'a#b']) {
      await service.post(cloudEvent({ id: 'odd', transactionid }));
      await service.eventually(
        instancePath('activation', transactionid),
        (body) => body.transaction === transactionid,
      );
      const { entries } = await service.eventually<History>(
        `${instancePath('activation', transactionid)}/history`,
        () => true,
      );
      expect(entries).toHaveLength(1);
    }
  });

  it('if it contains unusual numbers that a double can represent, which are stored unchanged', async () => {
    const data =
      '{"service":"N","big":9007199254740992,"small":1e-300,"long":0.30000000000000004,"text":"12345678901234567890"}';
    await putRaw(
      `{"id":"n","type":"activation.requested","modelid":"activation","transactionid":"NUM","data":${data}}`,
      'NUM',
    );
    const { entries } = await service.eventually<History>(
      `${instancePath('activation', 'NUM')}/history`,
      () => true,
    );
    expect(entries[0]?.event.data).toEqual(JSON.parse(data));
  });

  it('once, even if it is put repeatedly', async () => {
    const event = cloudEvent({ id: 'twice', transactionid: 'DUP-1' });
    await service.post(event, event);
    await service.post(
      event,
      cloudEvent({
        id: 'last',
        transactionid: 'DUP-1',
        type: 'activation.requested',
        data: { service: 'A' },
      }),
    );
    const { entries } = await service.eventually<History>(
      `${instancePath('activation', 'DUP-1')}/history`,
      (body) => body.entries.some((entry) => entry.event.id === 'last'),
    );
    expect(entries.map((entry) => entry.event.id)).toEqual(['twice', 'last']);
  });

  it('in put order, even among 400 events', async () => {
    const events = Array.from({ length: 400 }, (_, i) =>
      cloudEvent({
        id: `o${i}`,
        transactionid: `ORDER-${i % 2}`,
        type: 'entitlement.requested',
        data: { service: 'none', n: i },
      }),
    );
    await service.post(...events);
    for (const which of [0, 1]) {
      const path = `${instancePath('activation', `ORDER-${which}`)}/history`;
      await service.eventually<Instance>(instancePath('activation', `ORDER-${which}`), () => true);
      const ids: string[] = [];
      for (let cursor = ''; ids.length < 200; ) {
        const page = await service.eventually<History>(
          `${path}?limit=70${cursor}`,
          (body) => body.entries.length > 0,
        );
        ids.push(...page.entries.map((entry) => entry.event.id));
        if (!page.cursor) {
          if (ids.length < 200) ids.length = 0;
          cursor = '';
        } else cursor = `&cursor=${page.cursor}`;
      }
      expect(ids).toEqual(
        events
          .filter((_, i) => i % 2 === which)
          .map((event) => (event as unknown as { id: string }).id),
      );
    }
  });
});

describe('an invalid record', () => {
  const valid = { id: 'e', type: 't', modelid: 'activation', transactionid: 'BAD' };
  it.each<[string, Uint8Array | string, string]>([
    ['not JSON', 'hello', 'not JSON'],
    ['not an object', '[1]', 'not a JSON object'],
    ['no id', JSON.stringify({ ...valid, id: undefined }), 'id is missing'],
    ['a long type', JSON.stringify({ ...valid, type: 'x'.repeat(257) }), 'type must have 1 to 256'],
    ['an unknown model', JSON.stringify({ ...valid, modelid: 'nobody' }), 'no such model: nobody'],
    ['300 KB', JSON.stringify({ ...valid, data: 'x'.repeat(300_000) }), 'too large'],
    ['broken UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'not UTF-8'],
    ['a __proto__ key', '{"id":"e","__proto__":{"a":1}}', '__proto__'],
    ['an invalid date', JSON.stringify({ ...valid, time: '2026-02-30T00:00:00Z' }), 'RFC 3339'],
    [
      'a number that a double cannot represent',
      '{"id":"e","data":{"n":12345678901234567890}}',
      '12345678901234567890',
    ],
    ['a single space', ' ', 'not JSON'],
  ])('becomes a dead letter with its bytes and the reason (%s)', async (_, raw, reason) => {
    await putRaw(raw);
    const letter = await deadLetterOf(raw);
    expect(letter.reason).toContain(reason);
  });

  it('does not block later events', async () => {
    await putRaw('nonsense 1', 'SAME-KEY');
    await putRaw(JSON.stringify(cloudEvent({ id: 'e1', transactionid: 'BEHIND' })), 'SAME-KEY');
    await service.eventually(instancePath('activation', 'BEHIND'), (body) => body.version === 1);
    expect((await deadLetterOf('nonsense 1')).reason).toContain('not JSON');
  });

  it('becomes a dead letter if the dispatcher is invoked directly', async () => {
    const { Functions } = await service.lambda.send(new ListFunctionsCommand({}));
    const dispatcher = Functions?.find(({ FunctionName }) => FunctionName?.includes('Dispatcher'));
    const answer = await service.lambda.send(
      new InvokeCommand({
        FunctionName: dispatcher?.FunctionName,
        LogType: 'Tail',
        ClientContext: Buffer.from('{"ctx":"what, me worry?"}').toString('base64'),
        Payload: notebookPayload,
      }),
    );
    expect(answer.FunctionError).toBeUndefined();
    expect(JSON.parse(answer.Payload!.transformToString())).toEqual({ batchItemFailures: [] });
    expect(Buffer.from(answer.LogResult!, 'base64').toString()).toContain('REPORT RequestId');
    const letter = await deadLetterOf('{"foo":"data for you"}');
    expect(letter.reason).toContain('id is missing');
  });

  it('can be redriven', async () => {
    await putRaw('once more');
    const letter = await deadLetterOf('once more');
    const { status } = await service.ask(`/api/dead-letters/${letter.id}/redrive`, {
      method: 'POST',
    });
    expect(status).toBe(202);
    const { deadLetters } = await service.eventually<DeadLetters>(
      '/api/dead-letters?limit=100',
      (body) => body.deadLetters.some((each) => each.raw === letter.raw && each.id !== letter.id),
    );
    expect(deadLetters.some(({ id }) => id === letter.id)).toBe(false);
  });
});

describe('the API', () => {
  it('lists the shipped models that the stack registered', async () => {
    const { body } = await service.ask<{ models: { id: string; functionArn: string }[] }>(
      '/api/models',
    );
    expect(body.models.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['activation', 'service-request']),
    );
    expect(body.models[0]?.functionArn).toMatch(/^arn:aws:lambda:us-east-1:/);
  });

  it('lists instances, newest change first', async () => {
    for (const transactionid of ['LIST-1', 'LIST-2', 'LIST-3']) {
      await service.post(cloudEvent({ id: 'l', transactionid }));
      await service.eventually(instancePath('activation', transactionid), () => true);
    }
    await service.post(cloudEvent({ id: 'again', transactionid: 'LIST-1' }));
    const { instances } = await service.eventually<{
      instances: { transaction: string; version: number }[];
    }>(
      '/api/instances?q=LIST-',
      ({ instances }) => instances[0]?.transaction === 'LIST-1' && instances[0].version === 2,
    );
    expect(instances.map(({ transaction }) => transaction)).toEqual(['LIST-1', 'LIST-3', 'LIST-2']);
  });

  it('rejects events that are not UTF-8 instead of replacing characters', async () => {
    const json = JSON.stringify(cloudEvent({ id: 'latin-1', transactionid: 'Genève' }));
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json' },
      body: Buffer.from(json, 'latin1'),
    };
    const { status, body } = await service.ask('/api/events', init);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 400, detail: 'the body must be UTF-8' });
  });

  it('responds with a problem if a resource does not exist', async () => {
    const { status, body, headers } = await service.ask(instancePath('activation', 'nobody'));
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({
      title: 'Not found',
      status: 404,
      detail: expect.stringContaining('activation/nobody'),
    });
  });
});

/** The test payload in the notebook that Milepost is based on, unchanged. */
const notebookPayload = JSON.stringify({ Records: [kinesisTestRecord] });
