import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/api/checks/run-checks.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import type { DeadLetter } from '../../../src/core/event/dead-letter.ts';
import { behindReason } from '../../../src/core/event/dead-letter-reason.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { placed } from '../../support/data/events.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { registryRequest } from '../../support/models/registry-request.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

const minute = 60_000;
const hour = 60 * minute;
const T1 = { model: 'counter', transaction: 'T1' };

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

async function checks(): Promise<CheckResult[]> {
  const { status, body } = await api.clock.runUntil(
    api.get<{ checks: CheckResult[] }>('/api/checks'),
  );
  expect(status).toBe(200);
  return body.checks;
}

const check = async (id: string) => (await checks()).find((each) => each.id === id);
const others = async (...ids: string[]) =>
  (await checks()).filter(({ id }) => !ids.includes(id)).map(({ state }) => state);

/** Stores the status row of the instance T1 with the given changes. */
async function putRow(changes: { parked?: number; dueAt?: string }): Promise<void> {
  await api.apply(placed(1));
  api.instances.putRow({ ...api.instances.rowOf(T1)!, ...changes });
}

const letter = (n: number, more: Partial<DeadLetter> = {}): DeadLetter => ({
  id: `00000000${n}-0123456789abcdef`,
  reason: 'no such model: parcel',
  at: toIso(api.clock.now() - n * hour),
  modelId: null,
  transactionId: null,
  eventId: null,
  partitionKey: 'T1',
  parked: null,
  raw: Buffer.from('{}'),
  ...more,
});

describe('GET /api/checks', () => {
  it('reports `ok` for every check of a healthy installation', async () => {
    expect((await api.get<object>('/api/checks')).body).toEqual({
      version: '1.2.3',
      checks: [
        ['stream', 'milepost-events is active: 4 shards, 7 days of retention'],
        ['dispatcher', 'it reads the stream; its latest batch succeeded'],
        ['lag', 'no records are waiting; none arrived in the last 15 minutes'],
        [
          'notification-stream',
          'milepost-events-notifications is active: 4 shards, 7 days of retention',
        ],
        ['publisher', 'it reads the notification stream; its latest batch succeeded'],
        ['notification-lag', 'no records are waiting; none arrived in the last 15 minutes'],
        ['archiver', 'it reads new commits; its latest batch succeeded'],
        ['models', '1 model, each with its newest code'],
        ['clock', 'no timer or deadline is pending'],
        ['parked', 'no instance has parked events'],
        ['dead-letters', 'there are no rejected records'],
        ['alarms', 'no alarm is raised (1 alarm checked)'],
      ].map(([id, detail]) => ({ id, state: 'ok', detail, remedy: null })),
    });
  });

  it('omits the checks of the lag and the alarms if CloudWatch is not available, as in the local service', async () => {
    api.installation.moveToOneMachine();
    const ids = (await checks()).map(({ id }) => id);
    expect(ids).not.toContain('lag');
    expect(ids).not.toContain('alarms');
    expect(ids).toContain('clock');
  });

  it('includes the notification stream even if the publisher does not read it', async () => {
    const publisher = api.installation.consumers.findIndex(({ name }) => name === 'publisher');
    api.installation.consumers.splice(publisher, 1);
    const ids = (await checks()).map(({ id }) => id);
    expect(ids).toContain('notification-stream');
    expect(ids).not.toContain('notification-lag');
  });

  it('is allowed for viewers but not for callers without a role', async () => {
    api.roles = ['viewer'];
    expect((await api.get('/api/checks')).status).toBe(200);
    api.roles = [];
    expect((await api.get('/api/checks')).status).toBe(403);
  });

  it('calls AWS once for simultaneous requests', async () => {
    const calls: string[] = [];
    api.installation.interfere = (operation) => void calls.push(operation);
    await Promise.all(Array.from({ length: 20 }, () => api.get('/api/checks')));
    expect(calls.filter((each) => each === 'DescribeAlarms')).toHaveLength(1);
    await api.get('/api/checks');
    expect(calls.filter((each) => each === 'DescribeAlarms')).toHaveLength(2);
  });
});

describe('a check that cannot be completed', () => {
  it('is reported as unknown after five seconds, while the other checks complete', async () => {
    api.installation.interfere = (operation) =>
      operation === 'DescribeStreamSummary' ? new Promise(() => {}) : undefined;
    expect(await check('stream')).toMatchObject({
      state: 'unknown',
      detail: 'no response within 5 seconds',
    });
    expect(new Set(await others('stream', 'notification-stream'))).toEqual(new Set(['ok']));
  });

  it('names the missing permission', async () => {
    const resource = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm:*';
    api.installation.interfere = (operation) => {
      if (operation !== 'DescribeAlarms') return;
      const message = `User: arn:aws:sts::111122223333:assumed-role/Api/Api is not authorized to perform: cloudwatch:DescribeAlarms on resource: ${resource} because no identity-based policy allows the cloudwatch:DescribeAlarms action`;
      throw new ServiceError('AccessDenied', message, 403);
    };
    expect(await check('alarms')).toEqual({
      id: 'alarms',
      state: 'unknown',
      detail: `the API's role is not allowed to call cloudwatch:DescribeAlarms on ${resource}; look for a permissions boundary or a service control policy that denies it`,
      remedy: null,
    });
    expect(new Set(await others('alarms'))).toEqual(new Set(['ok']));
  });

  it('reports and logs the reason', async () => {
    const failure = new ServiceError('InternalFailure', 'try again', 500);
    api.installation.interfere = () => {
      throw failure;
    };
    const states = (await checks()).map(({ id, state }) => [id, state]);
    expect(Object.fromEntries(states)).toEqual({
      stream: 'unknown',
      dispatcher: 'unknown',
      lag: 'unknown',
      'notification-stream': 'unknown',
      publisher: 'unknown',
      'notification-lag': 'unknown',
      archiver: 'unknown',
      models: 'ok',
      clock: 'unknown',
      parked: 'ok',
      'dead-letters': 'ok',
      alarms: 'unknown',
    });
    expect((await check('dispatcher'))?.detail).toBe(
      'could not be checked: InternalFailure: try again',
    );
    expect(api.errors).toContain(failure);
  });

  it('is reported as unknown if a table cannot be read', async () => {
    await putRow({ dueAt: toIso(api.clock.now()) });
    api.instances.interfere = () => {
      throw new Error('the table is gone');
    };
    expect(await check('clock')).toMatchObject({
      state: 'unknown',
      detail: 'could not be checked: the table is gone',
    });
  });
});

describe('a stream', () => {
  const put = (StreamStatus: 'CREATING' | 'UPDATING' | 'DELETING') =>
    api.installation.streamsByName.set('milepost-events', { StreamStatus });

  it.each([
    ['CREATING', 'warning'],
    ['UPDATING', 'ok'],
    ['DELETING', 'failed'],
  ] as const)('that is %s results in the state `%s`', async (status, state) => {
    put(status);
    expect(await check('stream')).toMatchObject({ state });
  });

  it('is reported as failed if it ignores partition keys', async () => {
    api.installation.streamsByName.set('milepost-events', {
      StreamARN: 'arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
      StreamStatus: 'ACTIVE',
      RecordDistributionStrategy: 'AUTO',
    });
    expect(await check('stream')).toMatchObject({
      state: 'failed',
      detail: 'milepost-events ignores partition keys, so its records can be out of order',
      remedy: expect.stringContaining(
        'update-stream-record-distribution-strategy --stream-arn arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
      ),
    });
  });

  it('is reported as failed if it does not exist', async () => {
    api.installation.streamsByName.delete('milepost-events');
    expect(await check('stream')).toMatchObject({
      state: 'failed',
      detail: 'the stream milepost-events does not exist, so records cannot be put on it',
    });
  });
});

describe('an event source mapping', () => {
  const put = (name: string, state: string, lastProcessingResult = 'OK') =>
    api.installation.mappingsByUuid.set(`${name}-uuid`, { state, lastProcessingResult });

  it.each([
    ['dispatcher', 'events wait on the stream'],
    ['publisher', 'notifications wait on their stream'],
    ['archiver', 'the archive is missing new commits'],
  ])(
    'is reported as failed if it is disabled, with the command that enables it: %s',
    async (name, consequence) => {
      put(name, 'Disabled');
      expect(await check(name)).toEqual({
        id: name,
        state: 'failed',
        detail: `its event source mapping is disabled, so ${consequence}`,
        remedy: `aws lambda update-event-source-mapping --uuid ${name}-uuid --enabled --region eu-west-1`,
      });
    },
  );

  it.each([
    ['Disabling', 'failed', 'being disabled, so events wait on the stream'],
    ['Deleting', 'failed', 'being deleted, so events wait on the stream'],
    ['Enabling', 'warning', 'being enabled; wait a minute and check again'],
    ['Creating', 'warning', 'being created; wait a minute and check again'],
    ['Updating', 'warning', 'being updated; wait a minute and check again'],
  ])('that is %s results in the state `%s`', async (state, found, text) => {
    put('dispatcher', state);
    expect(await check('dispatcher')).toMatchObject({
      state: found,
      detail: `its event source mapping is ${text}`,
    });
  });

  it('is reported as failed if its latest batch failed, with the command that shows the log', async () => {
    put('dispatcher', 'Enabled', 'PROBLEM: Function call failed');
    expect(await check('dispatcher')).toMatchObject({
      state: 'failed',
      detail: 'its latest batch failed: PROBLEM: Function call failed',
      remedy: 'aws logs tail dispatcher-logs --since 15m --region eu-west-1',
    });
    api.installation.moveToOneMachine();
    expect(await check('dispatcher')).toMatchObject({
      detail: expect.stringContaining('; see the log of the service'),
      remedy: null,
    });
  });

  it('is reported as ok if it has received no records', async () => {
    put('dispatcher', 'Enabled', 'No records processed');
    expect(await check('dispatcher')).toMatchObject({
      state: 'ok',
      detail: 'it reads the stream; it has received no records recently',
    });
  });

  it('is reported as failed if it does not exist', async () => {
    api.installation.mappingsByUuid.delete('dispatcher-uuid');
    expect(await check('dispatcher')).toMatchObject({
      state: 'failed',
      detail:
        'the event source mapping dispatcher-uuid does not exist, so events wait on the stream',
      remedy:
        'aws lambda list-event-source-mappings --function-name dispatcher-fn --region eu-west-1',
    });
  });
});

describe('the lag', () => {
  it.each([
    [1_500, 'ok', '1 second'],
    [59_999, 'ok', '59 seconds'],
    [minute, 'warning', '1 minute'],
    [15 * minute, 'failed', '15 minutes'],
    [50 * hour, 'failed', '2 days'],
  ])('of %i ms results in the state `%s`', async (age, state, text) => {
    api.installation.metrics.set('IteratorAge dispatcher-fn', [age, 0, 0]);
    api.installation.metrics.set('Invocations dispatcher-fn', [1, 1, 1]);
    expect(await check('lag')).toMatchObject({
      state,
      detail: `the last record in a recent batch had waited for ${text}`,
      remedy:
        state === 'ok' ? null : 'aws logs tail dispatcher-logs --since 15m --region eu-west-1',
    });
  });

  it('is reported as ok if the latest value is low, even after a high value', async () => {
    api.installation.metrics.set('IteratorAge dispatcher-fn', [10, 20 * minute]);
    expect(await check('lag')).toMatchObject({ state: 'ok' });
  });

  it('is reported as failed if records arrive but the dispatcher is not invoked', async () => {
    api.installation.metrics.set('IncomingRecords milepost-events', [5, 0, 0, 0, 7]);
    expect(await check('lag')).toMatchObject({
      state: 'failed',
      detail: '7 records arrived in the last 15 minutes, but the dispatcher was not invoked',
      remedy: 'aws lambda get-event-source-mapping --uuid dispatcher-uuid --region eu-west-1',
    });
  });

  it('ignores the most recent records because their metrics may be incomplete', async () => {
    api.installation.metrics.set('IncomingRecords milepost-events', [5, 5]);
    expect(await check('lag')).toMatchObject({ state: 'ok' });
  });
});

describe('the models', () => {
  const registered = (functionVersion: string) => ({
    functionVersion,
    version: 1,
    functionArn: `arn:aws:lambda:us-east-1:000000000000:function:counter:${functionVersion}`,
    registeredAt: '2026-01-01T00:00:00.000Z',
  });

  it('result in a warning if a model was rolled back to earlier code', async () => {
    await api.models.writer.keepVersion('counter', registered('1'), registryRequest());
    await api.models.writer.keepVersion('counter', registered('2'), registryRequest());
    api.models.register(registryEntry('counter', { functionVersion: '1' }));
    expect(await check('models')).toMatchObject({
      state: 'warning',
      detail: 'counter is rolled back to function version 1; the newest is 2',
      remedy: 'milepost versions counter',
    });
    api.models.register(registryEntry('counter', { functionVersion: '2' }));
    expect(await check('models')).toMatchObject({ state: 'ok' });
  });

  it('are not rolled back if they moved to a function without versions, even if earlier versions remain', async () => {
    await api.models.writer.keepVersion('counter', registered('1'), registryRequest());
    api.models.register(registryEntry('counter', { functionVersion: undefined }));
    expect(await check('models')).toMatchObject({ state: 'ok' });
  });

  it('result in a warning if no model is registered', async () => {
    api.models.unregister('counter');
    expect(await check('models')).toMatchObject({
      state: 'warning',
      detail: 'no model is registered, so every event becomes a dead letter',
    });
  });
});

describe('the clock', () => {
  it('is reported as ok before a timer is due and shortly afterward', async () => {
    await putRow({ dueAt: toIso(api.clock.now() + 90_000) });
    expect(await check('clock')).toMatchObject({
      state: 'ok',
      detail: 'the next timer or deadline is due in 1 minute',
    });
    await api.clock.advance(2 * minute);
    expect(await check('clock')).toMatchObject({ state: 'ok', detail: 'timers fire on time' });
  });

  it("is reported as failed if a due timer has not fired, with the command that shows the clock's log", async () => {
    await putRow({ dueAt: toIso(api.clock.now() - 4 * minute) });
    expect(await check('clock')).toMatchObject({
      state: 'failed',
      detail: 'a timer or deadline has been due for 4 minutes',
      remedy: 'aws logs tail clock-logs --since 15m --region eu-west-1',
    });
    api.installation.moveToOneMachine();
    expect(await check('clock')).toMatchObject({
      state: 'failed',
      detail:
        'a timer or deadline has been due for 4 minutes; if this does not change within 3 minutes, for example after an import, restart the service',
      remedy: null,
    });
  });

  it('is reported as failed if its rule is disabled, with the command that enables the rule', async () => {
    api.installation.rules.set('clock-rule', 'DISABLED');
    expect(await check('clock')).toMatchObject({
      state: 'failed',
      detail: 'its rule clock-rule is disabled, so timers do not fire reliably',
      remedy: 'aws events enable-rule --name clock-rule --region eu-west-1',
    });
    api.installation.rules.delete('clock-rule');
    expect(await check('clock')).toMatchObject({
      state: 'failed',
      detail: 'its rule clock-rule does not exist, so timers do not fire reliably',
    });
  });
});

describe('parked events and dead letters', () => {
  const parked = { shard: 'shardId-000000000000', sequence: '1' };

  /** Parks events of an instance. The first event failed, and the other events wait for it. */
  async function park(
    transaction: string,
    hoursAgo: number,
    count: number,
    reason = 'TypeError: boom',
  ) {
    const instance = { model: 'counter', transaction };
    const at = toIso(api.clock.now() - hoursAgo * hour);
    const events = Array.from({ length: count }, (_, n) => placed(n, { id: `e${n}`, transaction }));
    const change = await api.instances.parking.begin(instance, events[0]!.position);
    await api.instances.parking.park(
      events.map((event, n) => ({
        ...event,
        reason: n === 0 ? reason : behindReason,
        fault: n === 0,
        at,
        letterId: `${transaction}-${n}`,
      })),
    );
    await api.instances.parking.finish(change, { count, since: at });
  }

  it('are counted separately, with the most frequent reason', async () => {
    await park('T1', 5, 3);
    await api.deadLetters.put([
      letter(1),
      letter(2, { reason: 'not JSON' }),
      letter(3),
      letter(5, { parked, reason: 'TypeError: boom' }),
    ]);
    expect(await check('parked')).toEqual({
      id: 'parked',
      state: 'warning',
      detail:
        '1 instance has parked events; the oldest event has waited for 5 hours; most frequent reason: "TypeError: boom"',
      remedy: 'milepost list --parked',
    });
    expect(await check('dead-letters')).toEqual({
      id: 'dead-letters',
      state: 'warning',
      detail: expect.stringMatching(
        /^3 dead letters; the newest arrived \d hours? ago; most frequent reason: "no such model: parcel" \(2 of 3\)$/,
      ),
      remedy: 'milepost dead-letters',
    });
  });

  it('are reported with the reasons of the failed events, not of the events that wait for them', async () => {
    await park('T1', 5, 9);
    await park('T2', 3, 9);
    await park('T3', 4, 1, 'TypeError: bang');
    expect((await check('parked'))?.detail).toBe(
      '3 instances have parked events; the oldest event has waited for 5 hours; most frequent reason: "TypeError: boom" (2 of 3)',
    );
  });

  it('are reported without a reason while a redrive has not reached the oldest remaining event', async () => {
    await park('T1', 5, 3);
    const instance = { model: 'counter', transaction: 'T1' };
    await api.instances.parking.remove(instance, [placed(0).position]);
    expect((await check('parked'))?.detail).toBe('1 instance has parked events');
  });

  it('are grouped under one reason if their reasons differ only in the event id', async () => {
    await park('T1', 5, 2, 'model counter failed on add e0: boom');
    await park('T2', 5, 2, 'model counter failed on add e0: boom');
    await api.deadLetters.put([
      letter(1, { eventId: 'a', reason: 'cannot read a: oh' }),
      letter(2, { eventId: 'b', reason: 'cannot read b: oh' }),
    ]);
    expect((await check('parked'))?.detail).toContain(
      '"model counter failed on add: boom" (2 of 2)',
    );
    expect((await check('dead-letters'))?.detail).toContain('"cannot read: oh" (2 of 2)');
  });

  const parkedLetters = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...letter(1, { parked }),
      id: `1${String(n).padStart(8, '0')}-0123456789abcdef`,
    }));

  it('include rejected records that arrived before hundreds of parked events', async () => {
    await api.deadLetters.put([letter(2, { reason: 'not JSON' }), ...parkedLetters(250)]);
    expect(await check('dead-letters')).toMatchObject({
      state: 'warning',
      detail: '1 dead letter; the newest arrived 2 hours ago; most frequent reason: "not JSON"',
    });
  });

  it('are reported as partly unchecked if the newest 1,000 dead letters are all parked events', async () => {
    await api.deadLetters.put([letter(2), ...parkedLetters(1_000)]);
    expect(await check('dead-letters')).toMatchObject({
      state: 'ok',
      detail: 'the newest 1000 dead letters are parked events; older ones were not checked',
    });
  });

  it('are counted up to 100, and long reasons are shortened', async () => {
    const reason = 'x'.repeat(500);
    const letters = Array.from({ length: 130 }, (_, n) => ({
      ...letter(1, { reason }),
      id: `${String(n).padStart(9, '0')}-0123456789abcdef`,
    }));
    await api.deadLetters.put(letters);
    const found = await check('dead-letters');
    expect(found?.detail).toMatch(/^100 or more dead letters; .*x…" \(100 of 100\)$/);
    expect(found?.detail.length).toBeLessThan(300);
  });
});

describe('the alarms', () => {
  const alarm = (name: string, StateValue: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA', more = {}) => ({
    AlarmName: `Milepost-${name}`,
    StateValue,
    AlarmActions: ['arn:of:topic'],
    ...more,
  });

  it('are named while they are in the state ALARM', async () => {
    api.installation.alarmsOfStack = [
      alarm('Age', 'ALARM'),
      alarm('Parked', 'OK'),
      alarm('Errors', 'ALARM'),
      alarm('Idle', 'INSUFFICIENT_DATA'),
    ];
    expect(await check('alarms')).toMatchObject({
      state: 'failed',
      detail: '2 of 4 alarms are raised: Milepost-Age, Milepost-Errors',
      remedy:
        'aws cloudwatch describe-alarms --alarm-names Milepost-Age Milepost-Errors --region eu-west-1',
    });
  });

  it('are found on all pages of the response, without the alarms of other stacks', async () => {
    api.installation.alarmsOfStack = [
      ...Array.from({ length: 250 }, (_, n) => alarm(`A${n}`, 'ALARM')),
      { AlarmName: 'Other-Age', StateValue: 'ALARM' },
    ];
    expect((await check('alarms'))?.detail).toBe(
      '250 of 250 alarms are raised: Milepost-A0, Milepost-A1, Milepost-A2, Milepost-A3, Milepost-A4 and 245 others',
    );
  });

  it('are all named if there are at most five', async () => {
    api.installation.alarmsOfStack = Array.from({ length: 5 }, (_, n) => alarm(`A${n}`, 'ALARM'));
    expect((await check('alarms'))?.detail).toBe(
      '5 of 5 alarms are raised: Milepost-A0, Milepost-A1, Milepost-A2, Milepost-A3, Milepost-A4',
    );
  });

  it.each([{ AlarmActions: [] }, { ActionsEnabled: false }])(
    'result in a warning if an alarm has no enabled action: %j',
    async (silent) => {
      api.installation.alarmsOfStack = [alarm('Age', 'OK'), alarm('Parked', 'OK', silent)];
      expect(await check('alarms')).toMatchObject({
        state: 'warning',
        detail: 'no action is set for 1 of 2 alarms; set `alarmTopic` in the CDK app and deploy it',
        remedy: 'npx cdk deploy',
      });
    },
  );

  it('result in a warning if the stack has no alarms', async () => {
    api.installation.alarmsOfStack = [];
    expect(await check('alarms')).toMatchObject({ state: 'warning' });
  });
});
