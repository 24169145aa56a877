import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { toIso } from '../../../../src/core/time/timestamp.ts';
import { placed } from '../../../support/data/events.ts';
import { letterIdAt } from '../../../support/data/letter-id.ts';
import { registryEntry } from '../../../support/models/registry-entry.ts';
import { MemoryApi } from '../../../support/service/memory-api.ts';
import { run } from '../../run.ts';

interface Put {
  readonly id: string;
  readonly source?: string | null;
  readonly type: string;
  readonly modelid: string;
  readonly transactionid: string;
  readonly data?: object;
}

let api: MemoryApi;
let taken: number;
/** Returns the response to a request or throws an error. Returns undefined to let the API respond. */
let script: (path: string, init?: RequestInit) => Promise<Response | undefined> | undefined;
beforeEach(() => {
  script = () => undefined;
  api = new MemoryApi();
  api.models.register(registryEntry('parcel'));
  taken = 0;
});

/** Processes the next records of the stream like the deployed functions. */
async function process(most = Infinity): Promise<void> {
  const events = (api.stream.events as Put[]).slice(taken, taken + most);
  for (const event of events) await take(event, ++taken);
}

async function take(event: Put, place: number): Promise<void> {
  const { id, type, modelid: model, transactionid: transaction, data } = event;
  const arrived = placed(place, {
    id,
    source: event.source ?? 'unknown',
    type,
    model,
    transaction,
    data: (data ?? {}) as never,
  });
  if (model === 'counter' && type !== 'failed') return api.apply(arrived);
  const isParked = type === 'failed';
  const letter = {
    id: letterIdAt(place, Date.UTC(2026, 0, 1, 0, 0, place)),
    reason: isParked ? 'told to fail' : `no such model: ${model}`,
    at: toIso(Date.UTC(2026, 0, 1, 0, 0, place)),
    modelId: model,
    transactionId: transaction,
    eventId: id,
    partitionKey: transaction,
    parked: isParked ? arrived.position : null,
    raw: Buffer.from(JSON.stringify(event)),
  };
  await api.deadLetters.put([letter]);
  if (!isParked) return;
  const { reason, at, id: letterId } = letter;
  const change = await api.instances.parking.begin({ model, transaction }, arrived.position);
  await api.instances.parking.park([{ ...arrived, reason, fault: true, at, letterId }]);
  await api.instances.parking.finish(change, { count: 1, since: at });
}

/** Runs the CLI against the API. Events are processed while the CLI waits. */
const put = (argv: readonly string[], lines: readonly object[] = [], most?: number) =>
  run(['put', ...argv], {
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url);
      return (await script(pathname, init)) ?? api.app.request(pathname + search, init);
    },
    // Let timers run, such as the timer of `--timeout`.
    wait: () => setImmediate().then(() => process(most)),
    stdin: Readable.from(lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`))),
  });

const added = (id: string, n: number, more: object = {}) => ({
  id,
  type: 'added',
  modelid: 'counter',
  transactionid: 'T1',
  data: { n },
  ...more,
});

describe('milepost put --wait', () => {
  it('prints that an event was applied, with the resulting status', async () => {
    const ran = await put(['counter', 'T1', 'added', '--data={"n":12}', '--id=e1', '--wait']);
    expect(ran).toMatchObject({
      status: 0,
      stdout: 'accepted added for counter/T1, id e1\napplied: counter/T1 is High\n',
      stderr: '',
    });
  });

  it('prints why an event was rejected', async () => {
    await api.apply(placed(900));
    const ran = await put(['counter', 'T1', 'added', '--data={"n":-1}', '--wait']);
    expect(ran).toMatchObject({ status: 1, stderr: 'rejected: below zero; counter/T1 is Low\n' });
    expect(ran.stdout).toMatch(/^accepted [^\n]*\n$/);
  });

  it('recognizes a duplicate even if the first event is far back in the history', async () => {
    for (let n = 0; n < 120; n++) await api.apply(placed(n, { id: `e${n}`, source: 'tv' }));
    const event = ['counter', 'T1', 'added', '--data={"n":1}', '--source=tv'];
    const ran = await put([...event, '--id=e3', '--wait']);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain('duplicate: counter/T1 already processed this event and is High');
    // An event with the same id from another source is not a duplicate.
    taken = 1;
    expect((await put([...event, '--source=radio', '--id=e3', '--wait'])).stdout).toContain(
      'applied: counter/T1 is High',
    );
  });

  it('prints why an event is parked and how to redrive it', async () => {
    const ran = await put(['counter', 'T 1', 'failed', '--wait']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toBe(
      "parked: told to fail; fix the cause, then run: milepost redrive counter 'T 1'\n",
    );
  });

  it('prints a command that works for a transaction id that starts with a hyphen', async () => {
    const ran = await put(['--wait', '--', 'counter', '-1', 'failed']);
    expect(ran.stderr).toMatch(/; fix the cause, then run: milepost redrive -- counter -1\n$/);
  });

  it('prints the dead letter of an event for an unknown model and ignores an older dead letter', async () => {
    await take({ id: 'e1', type: 'added', modelid: 'parcle', transactionid: 'T1' }, 1);
    taken = 1;
    api.stream.records.push({ partitionKey: 'T1', data: Buffer.from('{}') });
    const ran = await put(['parcle', 'T1', 'added', '--id=e1', '--wait']);
    const id = letterIdAt(2, Date.UTC(2026, 0, 1, 0, 0, 2));
    expect(ran).toMatchObject({
      status: 1,
      stderr: `dead letter: no such model: parcle; did you mean \`parcel\`? After you deploy the model, run: milepost redrive --dead-letter ${id}\n`,
    });
  });

  it('prints the dead letter of an event for a model that resembles no other model', async () => {
    const ran = await put(['shipping', 'T1', 'added', '--wait']);
    const id = letterIdAt(1, Date.UTC(2026, 0, 1, 0, 0, 1));
    expect(ran).toMatchObject({
      status: 1,
      stderr: `dead letter: no such model: shipping; after you deploy the model, run: milepost redrive --dead-letter ${id}\n`,
    });
  });

  it('prints the dead letter of an event for a model that was deleted in the meantime', async () => {
    script = (path) =>
      path.endsWith('/models')
        ? Promise.resolve(Response.json({ models: [{ id: 'shipping' }] }))
        : undefined;
    const ran = await put(['shipping', 'T1', 'added', '--wait']);
    const id = letterIdAt(1, Date.UTC(2026, 0, 1, 0, 0, 1));
    expect(ran).toMatchObject({
      status: 1,
      stderr: `dead letter: no such model: shipping; see: milepost dead-letters show ${id}\n`,
    });
  });

  it('reports an unknown model on the same line as an unknown outcome', async () => {
    const ran = await put(['parcle', 'T1', 'added', '--timeout', '0.1'], [], 0);
    expect(ran).toMatchObject({
      status: 1,
      stderr:
        'unknown: no outcome after 0.1 s; there is no model `parcle`; did you mean `parcel`? To see whether it becomes a dead letter, run later: milepost dead-letters\n',
    });
  });

  it('reports an unknown outcome when --timeout expires', async () => {
    const ran = await put(['counter', 'T1', 'added', '--timeout', '0.1'], [], 0);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toBe(
      'unknown: no outcome after 0.1 s; to check again, run: milepost history counter T1\n',
    );
  });

  it.each([
    ['a history', '/history'],
    ['the dead letters', '/dead-letters'],
    ['the instance of a dead letter', '/instances/parcle/T2'],
  ])('continues if %s temporarily cannot be read', async (_what, path) => {
    let failures = 0;
    script = (asked) => {
      if (taken > 0 && asked.endsWith(path) && failures++ === 0)
        throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    };
    const lines = [
      added('a', 1),
      added('b', 2),
      added('c', 1, { modelid: 'parcle', transactionid: 'T2' }),
    ];
    const ran = await put(['--file', '-', '--wait'], lines);
    expect(ran.stdout).toContain('accepted 3, refused 0: applied 2, dead letters 1\n');
    expect(failures).toBeGreaterThan(1);
  });

  it('prints why outcomes are unknown if the service does not become available again', async () => {
    script = (asked) => {
      if (taken > 0 && asked.endsWith('/history'))
        throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    };
    const ran = await put(['counter', 'T1', 'added', '--timeout', '0.1']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(
      /^unknown: no outcome after 0\.1 s: cannot reach \S+: other side closed; is the service running\? To check again, run: milepost history counter T1\n$/,
    );
  });

  it('ends the pause before the next request when --timeout expires', async () => {
    const ran = await run(['put', 'counter', 'T1', 'added', '--timeout', '0.1'], {
      fetch: async (url, init) => api.app.request(new URL(url).pathname, init),
      wait: (_ms, _value, { signal } = {}) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('unknown: no outcome after 0.1 s; to check again');
  });

  it('aborts a request without a response when --timeout expires', async () => {
    let isSent = false;
    script = (asked, init) => {
      if (init?.method === 'POST') isSent = true;
      if (!isSent || !asked.endsWith('/history')) return undefined;
      const { promise, reject } = Promise.withResolvers<undefined>();
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      return promise;
    };
    const ran = await put(['counter', 'T1', 'added', '--timeout', '0.1']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('unknown: no outcome after 0.1 s');
  });

  it('prints the line where it stopped if the history before a batch cannot be read', async () => {
    script = (asked) => {
      if (asked.includes('T501')) throw new TypeError('fetch failed');
    };
    const lines = Array.from({ length: 600 }, (_, i) =>
      added(`e${i}`, 1, { transactionid: `T${i + 1}` }),
    );
    const ran = await put(['--file', '-', '--wait'], lines);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain('accepted 500, refused 0: applied 500\n');
    expect(ran.stderr).toContain('error: stopped at line 501: cannot reach ');
  });

  it('sends the events of an instance whose stored data is damaged, and reads their outcomes from the dead letters', async () => {
    script = (asked) =>
      asked.startsWith('/api/instances/counter/damaged')
        ? Promise.resolve(Response.json({ title: 'Error', detail: 'damaged' }, { status: 500 }))
        : undefined;
    const lines = [
      added('e1', 1),
      added('e2', 1, { transactionid: 'damaged', type: 'failed' }),
      added('e3', 1, { transactionid: 'damaged2' }),
      added('e4', 1),
    ];
    const ran = await put(['--file', '-', '--timeout', '0.5'], lines);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe('accepted 4, refused 0: applied 2, parked 1, unknown 1\n');
    expect(ran.stderr).toBe(
      'event e2 parked: told to fail; fix the cause, then run: milepost redrive counter damaged\n' +
        'event e3 unknown: damaged (500)\n',
    );
  });

  it('immediately reports an unknown outcome if the id of the instance is not allowed in a path', async () => {
    const ran = await put(['counter', 'a/../b', 'added', '--wait']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^unknown: .*path.*\n$/);
  });

  it.each([
    [
      'an empty transaction id',
      { transactionid: '' },
      'transactionid must have 1 to 256 characters',
    ],
    ['a model id that is a path segment', { modelid: '.' }, 'modelid must have 1 to 64 characters'],
    ['a surrogate', { transactionid: '\ud800' }, 'transactionid must be well-formed Unicode'],
  ])('refuses only the invalid event if it has %s', async (_what, invalid, reason) => {
    const ran = await put(
      ['--file', '-', '--wait'],
      [added('a', 1), added('b', 1, invalid), added('c', 1)],
    );
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe('accepted 2, refused 1: applied 2\n');
    expect(ran.stderr).toMatch(new RegExp(`^line 2: ${reason}[^\n]*\n$`));
  });

  it('prints why the API rejected the event if its transaction id is empty', async () => {
    const ran = await put(['counter', '', 'added', '--wait']);
    expect(ran).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: transactionid must have 1 to 256 characters (400)\n',
    });
  });

  it('waits for an event whose source is null, which is equivalent to a missing source', async () => {
    const events = [added('a', -1, { source: null })];
    const ran = await put(['--file', '-', '--wait'], events);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe('accepted 1, refused 0: applied 0, rejected 1\n');
  });

  it('prints one line of JSON per result with --json', async () => {
    const ran = await put([
      'counter',
      'T1',
      'added',
      '--data={"n":1}',
      '--id=e1',
      '--wait',
      '--json',
    ]);
    expect(
      ran.stdout
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { accepted: 1 },
      {
        model: 'counter',
        transaction: 'T1',
        source: 'unknown',
        id: 'e1',
        outcome: 'applied',
        status: 'Low',
        reason: null,
        deadLetter: null,
      },
    ]);
  });

  it('with --json prints a failure as text on standard error and as JSON on standard output', async () => {
    const event = ['counter', 'T1', 'added', '--data={"n":-1}', '--id=e1'];
    const ran = await put([...event, '--wait', '--json']);
    expect(ran).toMatchObject({ status: 1, stderr: 'rejected: below zero; counter/T1 is Low\n' });
    expect(JSON.parse(ran.stdout.split('\n')[1]!)).toMatchObject({ id: 'e1', outcome: 'rejected' });
  });

  it('with --json prints a generated event id only on standard output', async () => {
    const ran = await put(['counter', 'T1', 'added', '--data={"n":-1}', '--wait', '--json']);
    expect(ran).toMatchObject({ status: 1, stderr: 'rejected: below zero; counter/T1 is Low\n' });
    const { id } = JSON.parse(ran.stdout.split('\n')[1]!) as { id: string };
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([401, 403])(
    'with --json prints a generated event id if the service responds with %i to reads after it accepted the event',
    async (status) => {
      let isSent = false;
      script = (asked, init) => {
        if (init?.method === 'POST') isSent = true;
        return isSent && asked.endsWith('/history')
          ? Promise.resolve(Response.json({ message: 'denied' }, { status }))
          : undefined;
      };
      const ran = await put(['counter', 'T1', 'added', '--wait', '--json']);
      const [{ id }] = api.stream.events as [Put];
      expect(ran).toMatchObject({ status: 1, stdout: '{"accepted":1}\n' });
      expect(ran.stderr).toMatch(`id ${id}\nerror: denied (${status})`);
    },
  );

  it('lists the rejected events and dead letters of a file, and counts all outcomes', async () => {
    await api.apply(placed(900, { id: 'old', source: 'unknown' }));
    const events = [
      added('a', 1),
      added('b', -1),
      added('a', 1),
      added('old', 1),
      added('c', 20, { transactionid: 'T2' }),
      added('d', 1, { modelid: 'nope' }),
    ];
    const ran = await put(['--file', '-', '--wait'], events, 2);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toBe(
      'accepted 6, refused 0: applied 2, duplicate 2, rejected 1, dead letters 1\n',
    );
    const lines = ran.stderr.split('\n');
    expect(lines).toContain('event b rejected: below zero; counter/T1 is Low');
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^event d dead letter: no such model: nope; after you deploy the model, run: milepost redrive --dead-letter /,
      ),
    );
    expect(ran.stderr).not.toContain('warning:');
  });

  it.each(['0', '0.01', 'soon', '-1', '100000'])('rejects the timeout `%s`', async (text) => {
    expect((await put(['counter', 'T1', 'added', `--timeout=${text}`])).status).toBe(2);
  });
});
