import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetterRoutes } from '../../../src/api/dead-letters/dead-letter-routes.ts';
import { type Problem, problemAnswer } from '../../../src/api/http/problem.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { MilepostError } from '../../../src/core/errors.ts';
import type { DeadLetter } from '../../../src/core/event/dead-letter.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { CountersInMemory } from '../../support/aws-in-memory/counters-in-memory.ts';
import { failing } from '../../support/aws-in-memory/instances-in-memory.ts';
import type { ItemAccess } from '../../support/aws-in-memory/item-access.ts';
import { allDeadLetters } from '../../support/aws-in-memory/stores-in-memory.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { macsOf } from '../../support/data/event-macs.ts';
import { placed } from '../../support/data/events.ts';
import { letterIdAt } from '../../support/data/letter-id.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { registryRequest } from '../../support/models/registry-request.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

interface ListBody {
  readonly deadLetters: readonly { readonly id: string; readonly raw: string }[];
  readonly cursor?: string;
}

async function putLetter(second: number, more: Partial<DeadLetter> = {}): Promise<DeadLetter> {
  const letter = {
    id: letterIdAt(second, Date.UTC(2026, 0, 1, 0, 0, second)),
    reason: 'not UTF-8',
    at: toIso(Date.UTC(2026, 0, 1, 0, 0, second)),
    modelId: null,
    transactionId: null,
    eventId: null,
    partitionKey: `key ${second}`,
    parked: null,
    raw: Buffer.of(0xff, 0x00, second),
    ...more,
  };
  await api.deadLetters.put([letter]);
  return letter;
}

const letterIds = async () => (await allDeadLetters(api.deadLetters)).map(({ id }) => id);

const instance = { model: 'counter', transaction: 'T1' };

/**
 * Parks the given number of events of one instance. Only the first event is faulty. Returns the dead letters of the
 * events.
 */
async function park(count: number): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = [];
  const events = Array.from({ length: count }, (_, n) => placed(n, { id: `e${n}` }));
  const change = await api.instances.parking.begin(instance, events[0]!.position);
  for (const [n, { event, position }] of events.entries()) {
    const hints = { modelId: 'counter', transactionId: 'T1', eventId: event.id };
    const letter = await putLetter(n, { ...hints, parked: position });
    const { id: letterId, reason, at } = letter;
    await api.instances.parking.park([{ event, position, reason, fault: n === 0, at, letterId }]);
    letters.push(letter);
  }
  await api.instances.parking.finish(change, { count, since: letters[0]!.at });
  return letters;
}

describe('GET /api/dead-letters', () => {
  it('returns the ids from the record, and the bytes of the record in Base64', async () => {
    const { id } = await putLetter(1, { modelId: 'm', transactionId: 'T', eventId: 'e' });
    expect((await api.get('/api/dead-letters')).body).toEqual({
      deadLetters: [
        {
          id,
          reason: 'not UTF-8',
          at: '2026-01-01T00:00:01.000Z',
          modelId: 'm',
          transactionId: 'T',
          eventId: 'e',
          parked: false,
          raw: '/wAB',
        },
      ],
    });
  });

  it('returns dead letters in pages, newest first', async () => {
    const letters = [await putLetter(1), await putLetter(2), await putLetter(3)];
    const newest = letters.toReversed().map(({ id }) => id);
    const first = await api.get<ListBody>('/api/dead-letters?limit=2');
    expect(first.body.deadLetters.map(({ id }) => id)).toEqual(newest.slice(0, 2));
    const next = `/api/dead-letters?limit=2&cursor=${first.body.cursor}`;
    expect((await api.get<ListBody>(next)).body).toEqual({
      deadLetters: [expect.objectContaining({ id: newest[2] })],
    });
  });

  it('returns an empty list if there are no dead letters', async () => {
    expect((await api.get('/api/dead-letters')).body).toEqual({ deadLetters: [] });
  });
});

describe('POST /api/dead-letters/{id}/redrive', () => {
  const redrive = (id: string) => api.send('POST', `/api/dead-letters/${id}/redrive`);

  it('puts the record on the stream unchanged and deletes the dead letter', async () => {
    const kept = await putLetter(1);
    const letter = await putLetter(2);
    expect(await redrive(letter.id)).toMatchObject({ status: 202, body: { redriven: 1 } });
    expect(api.stream.records).toEqual([{ partitionKey: 'key 2', data: letter.raw }]);
    expect(await letterIds()).toEqual([kept.id]);
    expect(await redrive(letter.id)).toMatchObject(problem(404, letter.id));
  });

  it('puts the record on the stream once if several requests arrive at the same time', async () => {
    const letter = await putLetter(1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redrive(letter.id)));
    expect(api.stream.records).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 202 && status !== 404)).toEqual([]);
    expect(await letterIds()).toEqual([]);
  });

  it('can be repeated immediately if the stream fails', async () => {
    const letter = await putLetter(1);
    const put = api.stream.put.bind(api.stream);
    api.stream.put = async () => {
      api.stream.put = put;
      throw new Error('Kinesis is unavailable');
    };
    expect((await redrive(letter.id)).status).toBe(500);
    expect(await redrive(letter.id)).toMatchObject({ status: 202, body: { redriven: 1 } });
  });

  it('accepts ids in the earlier format, which does not contain the position of the record', async () => {
    const letter = await putLetter(2, { id: '0mjtfpfk0-dfd8744da9d81190' });
    expect((await api.get(`/api/dead-letters/${letter.id}`)).status).toBe(200);
    expect(await redrive(letter.id)).toMatchObject({ status: 202, body: { redriven: 1 } });
    expect(await letterIds()).toEqual([]);
  });

  it('puts notifications on the notification stream instead of the event stream', async () => {
    const letter = await putLetter(2, { isNotification: true });
    expect(await redrive(letter.id)).toMatchObject({ status: 202 });
    expect(api.notificationStream.records).toEqual([{ partitionKey: 'key 2', data: letter.raw }]);
    expect(api.stream.records).toEqual([]);
    expect(await letterIds()).toEqual([]);
  });

  describe('for a notification of a tracker that no longer publishes notifications', () => {
    const send = (path: string) => {
      const routes = deadLetterRoutes({
        deadLetters: api.deadLetters,
        parking: api.instances.parking,
        stream: api.stream,
        models: api.models,
        clock: api.clock,
        ownStream: api.stream,
        notificationStream: undefined,
        dataKeys: undefined,
        logError: (error) => api.errors.push(error),
      });
      routes.onError((error, context) => problemAnswer(context, error as Problem));
      return routes.request(path, { method: 'POST' });
    };

    it('responds with 409 and keeps the dead letter', async () => {
      const { id } = await putLetter(1, { isNotification: true });
      const answer = await send(`/${id}/redrive`);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({
        detail: expect.stringContaining('publishes none; delete it'),
      });
      expect(await letterIds()).toEqual([id]);
    });

    it('does not prevent a bulk redrive of the other dead letters', async () => {
      const { id } = await putLetter(1, { isNotification: true });
      await putLetter(2);
      expect(await (await send('/redrive')).json()).toEqual({ redriven: 1 });
      expect(await letterIds()).toEqual([id]);
    });
  });

  it('puts a signed redrive request for the instance of a parked event on the stream', async () => {
    const [letter] = await park(1);
    expect(await redrive(letter!.id)).toMatchObject({ status: 202, body: { redriven: 1 } });
    await api.send('DELETE', `/api/dead-letters/${letter!.id}`);
    const asked = { source: 'milepost:api', type: 'milepost.redrive', transactionid: 'T1' };
    expect(api.stream.events).toMatchObject([asked, asked]);
    for (const { data } of api.stream.records)
      expect(await macsOf().findFlaw(data)).toBeUndefined();
  });

  it('responds with 409 to the parked event of a model that was removed', async () => {
    const [letter] = await park(1);
    const request = registryRequest();
    await api.models.writer.put(registryEntry('counter'), request);
    await api.models.writer.remove('counter', { ...request, type: 'Delete' });
    for (const path of [`/api/dead-letters/${letter!.id}`, '/api/instances/counter/T1'])
      expect(await api.send('POST', `${path}/redrive`)).toMatchObject(
        problem(409, 'the model counter is not registered; deploy it first'),
      );
    const { body } = await api.send('POST', '/api/dead-letters/redrive');
    expect(body).toEqual({ redriven: 0 });
    expect(api.stream.records).toEqual([]);
    expect(await letterIds()).toEqual([letter!.id]);
  });

  it('responds with 503 if the signing keys cannot be read', async () => {
    const [letter] = await park(1);
    api.macs = { sign: () => Promise.reject(new MilepostError('busy', 'throttled')) };
    expect(await redrive(letter!.id)).toMatchObject(problem(503));
    expect(api.stream.records).toEqual([]);
  });

  it('deletes the dead letter of an event that is no longer parked', async () => {
    const [letter] = await park(1);
    await api.instances.parking.remove(instance, [letter!.parked!]);
    expect(await redrive(letter!.id)).toMatchObject({ status: 202, body: { redriven: 0 } });
    expect(api.stream.records).toEqual([]);
    expect(await letterIds()).toEqual([]);
  });

  it('keeps the dead letter if the stream rejects the record', async () => {
    const letter = await putLetter(1);
    api.stream.kinesis.failure = new Error('no stream');
    expect(await redrive(letter.id)).toMatchObject(problem(500));
    expect(await allDeadLetters(api.deadLetters)).toEqual([letter]);
  });

  const unknown = ['0mjtfpfk0-0000000000000000', 'nobody', 'a%2Fb', '%25', 'x'.repeat(3000)];
  it.each(unknown.map((id) => [abbreviated(id), id]))(
    'responds with 404 to the id %s',
    async (_, id) => {
      expect(await redrive(id)).toMatchObject(problem(404, 'there is no dead letter'));
      expect(api.stream.records).toEqual([]);
    },
  );
});

describe('POST /api/dead-letters/redrive', () => {
  interface Redriven {
    readonly redriven: number;
    readonly cursor?: string;
  }
  const redriveAll = async (query = '') =>
    (await api.send<Redriven>('POST', `/api/dead-letters/redrive${query}`)).body;
  const putLetters = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => putLetter(n)));
  const putKeys = () => api.stream.records.map(({ partitionKey }) => partitionKey);
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`);

  it('puts the records on the stream oldest first, even across several pages', async () => {
    await putLetters(230);
    expect(await redriveAll()).toEqual({ redriven: 230 });
    expect(putKeys()).toEqual(keys(230));
    expect(await letterIds()).toEqual([]);
  });

  it('leaves a record that the stream permanently rejects, and redrives all other records', async () => {
    const [first, second, third] = [await putLetter(1), await putLetter(2), await putLetter(3)];
    const failure = new ServiceError('InvalidArgumentException', 'the record is too large', 400);
    api.stream.kinesis.interfere = (records) => {
      if (records.some(({ partitionKey }) => partitionKey === second.partitionKey)) throw failure;
    };
    expect(await redriveAll()).toEqual({ redriven: 2 });
    expect(api.stream.records.map(({ data }) => data)).toEqual([first.raw, third.raw]);
    expect(await letterIds()).toEqual([second.id]);
    expect(api.errors).toEqual([failure]);
  });

  it('puts one redrive request for an instance on the stream, however many of its events are parked', async () => {
    await park(150);
    expect(await redriveAll()).toEqual({ redriven: 150 });
    expect(api.stream.events).toMatchObject([{ type: 'milepost.redrive', transactionid: 'T1' }]);
  });

  it('responds with 503 if the stream is unavailable', async () => {
    await putLetter(1);
    api.stream.kinesis.failure = new ServiceError('InternalFailure', 'outage', 500);
    const answer = await api.send('POST', '/api/dead-letters/redrive');
    expect(answer).toMatchObject(problem(503));
  });

  it('redrives only the dead letters with the given reason, which may omit the event id', async () => {
    const fault = (eventId: string) => ({
      eventId,
      reason: `model m failed on t ${eventId}: oh`,
    });
    await putLetter(0, fault('a'));
    await putLetter(1, fault('b'));
    await putLetter(2);
    const reason = encodeURIComponent('model m failed on t: oh');
    expect(await redriveAll(`?reason=${reason}`)).toEqual({ redriven: 2 });
    expect(putKeys()).toEqual(keys(2));
  });

  it('continues from the cursor and omits dead letters that arrived after the first request', async () => {
    await putLetters(230);
    const put = api.stream.put.bind(api.stream);
    api.stream.put = async (records) => {
      await put(records);
      await api.clock.advance(60);
    };
    // A request ends after five seconds, even if it has not redriven a whole page.
    const first = await redriveAll();
    expect(first).toEqual({ redriven: 84, cursor: expect.any(String) });
    const rejectedAgain = await putLetter(300);
    let { cursor } = first;
    while (cursor !== undefined) ({ cursor } = await redriveAll(`?cursor=${cursor}`));
    expect(putKeys()).toEqual(keys(230));
    expect(await letterIds()).toEqual([rejectedAgain.id]);
  });

  it('responds with 404 to the cursor of another list', async () => {
    await putLetters(2);
    const { body } = await api.get<ListBody>('/api/dead-letters?limit=1');
    const path = `/api/dead-letters/redrive?cursor=${body.cursor}`;
    expect(await api.send('POST', path)).toMatchObject(problem(404, 'cursor'));
  });
});

describe('DELETE /api/dead-letters/{id} of a parked event', () => {
  const path = '/api/instances/counter/T1';

  const remove = ({ id }: DeadLetter) => api.send('DELETE', `/api/dead-letters/${id}`);
  const shown = async () => {
    const { body } = await api.get<{ parked: number }>(path);
    const queued = await api.instances.parking.oldest(instance, 9);
    return [body.parked, queued.map(({ event }) => event.id), await letterIds()];
  };

  it('lets the instance continue without the event', async () => {
    const [first, second] = await park(2);
    expect((await remove(first!)).status).toBe(204);
    expect(await shown()).toEqual([1, ['e1'], [second!.id]]);
    expect(api.stream.events).toMatchObject([{ type: 'milepost.redrive', transactionid: 'T1' }]);
    expect(await remove(first!)).toMatchObject(problem(404));
  });

  it('removes an instance without other events from the lists and counters', async () => {
    const counters = new CountersInMemory(api.instances, api.clock);
    const listed = async () => {
      const { body } = await api.get<{ instances: unknown[] }>('/api/instances?model=counter');
      const totals = await counters.counts.totals(['counter']);
      return [body.instances.length, totals.get('counter')?.get('status:Parked') ?? 0];
    };
    const [first] = await park(1);
    expect(await listed()).toEqual([1, 1]);
    expect((await remove(first!)).status).toBe(204);
    expect(await api.get(path)).toMatchObject(problem(404));
    expect(await listed()).toEqual([0, 0]);
    // A later event of the instance is parked again.
    await park(1);
    expect(await listed()).toEqual([1, 1]);
    expect((await shown())[0]).toBe(1);
  });

  it('removes an event that was parked years ago', async () => {
    const [first] = await park(2);
    await api.clock.advance(3 * 365 * 24 * 60 * 60 * 1000);
    expect((await remove(first!)).status).toBe(204);
    expect((await shown())[1]).toEqual(['e1']);
  });

  it.each([1, 2])(
    'also removes an event that dispatchers park again in the meantime (times: %i)',
    async (times) => {
      const [first, second] = await park(2);
      const { deadLetters } = api;
      const removeLetter = deadLetters.remove.bind(deadLetters);
      let left = times;
      deadLetters.remove = async (id) => {
        if (left > 0) {
          left--;
          await park(1);
        }
        await removeLetter(id);
      };
      expect((await remove(first!)).status).toBe(204);
      expect(await shown()).toEqual([1, ['e1'], [second!.id]]);
      expect(left).toBe(0);
    },
  );

  const isParked = ({ sk }: ItemAccess) => sk.startsWith('PARKED#');
  it.each<[step: string, isFailing: (access: ItemAccess) => boolean, status: number]>([
    ['begin', ({ attributes }) => attributes[0] === 'queueVersion', 500],
    ['find', (access) => access.kind === 'get' && isParked(access), 500],
    ['remove', (access) => access.kind === 'delete' && isParked(access), 500],
    ['oldest', ({ kind }) => kind === 'query', 500],
    ['finish', ({ attributes }) => attributes[0] === 'parked', 500],
    ['put', () => false, 500],
  ])('can be retried if the step `%s` fails', async (step, isFailing, status) => {
    const [first, second] = await park(2);
    api.instances.interfere = failing(isFailing);
    if (step === 'put') api.stream.kinesis.failure = new Error('throttled');
    expect(await remove(first!)).toMatchObject(problem(status));
    api.instances.interfere = () => {};
    api.stream.kinesis.failure = undefined;
    expect((await remove(first!)).status).toBe(204);
    expect(await shown()).toEqual([1, ['e1'], [second!.id]]);
    expect(api.stream.events).toMatchObject([{ type: 'milepost.redrive' }]);
  });
});
