import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../run.ts';
import { service, signalSource, startServicePerTest } from '../../service-per-test.ts';
import { json, problem } from '../../stub-service.ts';

startServicePerTest();
let folder: string;
beforeEach(async () => {
  service.data.models = ['activation', 'm'].map(model);
  folder = await mkdtemp(join(tmpdir(), 'milepost-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (argv: readonly string[], around = {}) =>
  run(['put', ...argv, '--api', service.url], around);
const putText = (text: string | Iterable<string | Buffer>, around = {}) =>
  put(['--file', '-'], {
    stdin: Readable.from(bytesOf(typeof text === 'string' ? [text] : text)),
    ...around,
  });
function* bytesOf(parts: Iterable<string | Buffer>) {
  for (const part of parts) yield Buffer.from(part);
}
const event = (id: number | string, more = '') =>
  `{"id":"${id}","type":"t","modelid":"m","transactionid":"x"${more}}`;
const posted = () => service.received.filter(({ method }) => method === 'POST');
const model = (id: string) => ({ id, title: id, version: 1, statuses: [], milestones: [] });
const ids = () => service.events.map(({ id }) => id);

describe('milepost put with one event', () => {
  it('sends the event that the options describe', async () => {
    const options = { source: 'tv', id: 'e1', time: '2026-01-01T00:00:00Z', replyto: 'm/t' };
    const { status, stdout } = await put([
      'activation',
      'ATV-123',
      'activation.requested',
      '--data={"service":"NBC"}',
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ]);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'accepted activation.requested for activation/ATV-123, id e1\n',
    });
    expect(service.events).toEqual([
      {
        specversion: '1.0',
        type: 'activation.requested',
        modelid: 'activation',
        transactionid: 'ATV-123',
        data: { service: 'NBC' },
        ...options,
      },
    ]);
  });

  it('generates an event id and prints it', async () => {
    const { stdout } = await put(['m', 'x', 't']);
    const id = /id ([0-9a-f-]{36})\n$/.exec(stdout)?.[1];
    expect(ids()).toEqual([id]);
    const asJson = await put(['m', 'x', 't', '--json']);
    expect(asJson.stdout).toBe('{"accepted":1}\n');
    expect(asJson.stderr).toBe(`id ${String(ids()[1])}\n`);
    expect(ids()[1]).not.toBe(id);
  });

  it('sends data unchanged', async () => {
    await put(['m', 'x', 't', '--data', '{"n": 1.10, "big": 12345678901234567890}']);
    expect(service.received[0]?.body).toContain('"data":{"n": 1.10, "big": 12345678901234567890}}');
  });

  it.each([
    ['a web page', { status: 200, body: '<html></html>' }],
    ['unrelated JSON', json(200, { foo: 1 })],
    ['no content', { status: 204 }],
  ])('fails if the service responds with %s instead of accepting the event', async (_, answer) => {
    service.script = ({ method }) => (method === 'POST' ? answer : undefined);
    for (const more of [[], ['--json']]) {
      const { status, stdout, stderr } = await put(['m', 'x', 't', ...more]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^error: .* returned .*; is it Milepost\?\n$/);
    }
  });

  it('prints why the API rejected the event', async () => {
    service.script = () => problem(400, 'bad', [{ index: 0, detail: 'time must be RFC 3339' }]);
    const { status, stdout, stderr } = await put(['m', 'x', 't', '--time', 'yesterday']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: time must be RFC 3339 (400)\n');
  });
});

describe('milepost put for an unknown model', () => {
  const known = () => (service.data.models = ['parcel', 'session'].map(model));

  it('sends the event and prints a warning that suggests the closest name', async () => {
    known();
    expect(await put(['parcle', 'P-1', 'parcel.packed', '--id=e1'])).toMatchObject({
      status: 0,
      stdout: 'accepted parcel.packed for parcle/P-1, id e1\n',
      stderr:
        'warning: there is no model `parcle`; did you mean `parcel`? Events for `parcle` become dead letters; redrive them after you deploy the model.\n',
    });
    expect((await put(['parcel', 'P-1', 'parcel.packed', '--id=e1'])).stderr).toBe('');
  });

  it('warns once for each unknown model of a file', async () => {
    known();
    const names = ['parcle', 'parcel', 'nope', 'parcle', 'nope'];
    const lines = names.map((id) => `{"id":"1","type":"t","modelid":"${id}","transactionid":"x"}`);
    const { status, stdout, stderr } = await putText(lines.join('\n'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'accepted 5, refused 0\n' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^warning: there is no model `parcle`; did you mean `parcel`\?/),
      expect.stringMatching(/^warning: there is no model `nope`\. Events for/),
    ]);
  });

  it.each([
    ['the service closes the connection', 'hang up'],
    ['the caller lacks the role', problem(403, 'this takes the role viewer')],
    ['the response contains no list', json(200, {})],
  ] as const)(
    'sends the event without a warning if the models cannot be listed because %s',
    async (_, answer) => {
      service.script = ({ method }) => (method === 'GET' ? answer : undefined);
      const { status, stderr, waits } = await put(['parcle', 'x', 't']);
      expect({ status, stderr, waits }).toEqual({ status: 0, stderr: '', waits: [] });
    },
  );
});

describe('milepost put --file', () => {
  it('sends each line unchanged and skips blank lines', async () => {
    const line = `{ "id":"1", "modelid":"m", "data":{"n":1.0e2,"big":12345678901234567890} }`;
    const file = join(folder, 'events.ndjson');
    await writeFile(file, `\uFEFF\n${line}\r\n\n   \n${event('ü\u2028')}`);
    const { status, stdout, stderr } = await put(['--file', file]);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'accepted 2, refused 0\n',
      stderr: '',
    });
    expect(posted().map(({ body }) => body)).toEqual([`[${line},${event('ü\u2028')}]`]);
  });

  it('sends 20,000 lines in order, 500 per request', async () => {
    const file = join(folder, 'events.ndjson');
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    await writeFile(file, all.map((i) => `${event(i)}\n`).join(''));
    expect(await put(['--file', file])).toMatchObject({
      status: 0,
      stdout: 'accepted 20000, refused 0\n',
    });
    expect(posted()).toHaveLength(40);
    expect(ids()).toEqual(all.map(String));
  });

  it('keeps requests below the size limit of the API, which counts a quotation mark as two bytes', async () => {
    const data = `,"data":${JSON.stringify('"'.repeat(100_000))}`;
    const { status } = await putText(Array.from({ length: 50 }, (_, i) => `${event(i, data)}\n`));
    expect(status).toBe(0);
    expect(ids()).toHaveLength(50);
    for (const { body } of service.received)
      expect(JSON.stringify(body).length).toBeLessThan(6_100_000);
  });

  it('reads at most one request ahead', async () => {
    let read = 0;
    let ahead = 0;
    const lines = (function* () {
      for (; read < 5000; read++) {
        ahead = Math.max(ahead, read - service.events.length);
        yield Buffer.from(`${event(read)}\n`);
      }
    })();
    await putText(lines);
    expect(service.events).toHaveLength(5000);
    // One request, plus the buffer of a stream.
    expect(ahead).toBeLessThan(500 + 100);
  });

  it('sends the valid lines and reports each invalid line', async () => {
    const lines = [event(1), '{"id":"2"}', '', 'oops \x1b', event(5), '"text"', '{', event(8)];
    const { status, stdout, stderr } = await putText(lines.join('\n'));
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 3, refused 4\n' });
    expect(ids()).toEqual(['1', '5', '8']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'line 2: modelid is missing',
      expect.stringMatching(/^line 4: not JSON: .*\\x1b/),
      'line 6: modelid is missing',
      'line 7: not JSON: an event must be on one line',
    ]);
  });

  it('isolates the invalid event if the service does not name it', async () => {
    service.script = ({ body }) => (body.includes('"5"') ? problem(400, 'too deep') : undefined);
    const { status, stdout, stderr } = await putText(
      Array.from({ length: 9 }, (_, i) => `${event(i)}\n`),
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 8, refused 1\n' });
    expect(stderr).toBe('line 6: too deep (400)\n');
    expect(ids()).toEqual(['0', '1', '2', '3', '4', '6', '7', '8']);
  });

  it('sends smaller requests if a proxy rejects a request as too large', async () => {
    service.script = ({ body }) =>
      body.length > 200 ? { status: 413, body: 'Request Too Long' } : undefined;
    const { status, stdout } = await putText(Array.from({ length: 20 }, (_, i) => `${event(i)}\n`));
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'accepted 20, refused 0\n' });
    expect(ids()).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });

  it('rejects a line that is not UTF-8 and a line that is too long', async () => {
    const { stdout, stderr } = await putText([
      Buffer.from([0x7b, 0xff, 0x0a]),
      ...Array.from({ length: 20 }, () => 'x'.repeat(100_000)),
      `\n${event(3)}\n`,
    ]);
    expect(stdout).toBe('accepted 1, refused 2\n');
    expect(stderr).toBe('line 1: not UTF-8\nline 2: the event is longer than 1024 KB\n');
  });

  it('refuses a UTF-16 file as a whole', async () => {
    const text = `\uFEFF${event(1)}\n${event(2)}\n`;
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      const { status, stdout, stderr } = await putText([bytes]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 0, refused 1\n' });
      expect(stderr).toBe('line 1: the file is encoded in UTF-16; convert it to UTF-8\n');
    }
  });

  it('sends no request for an empty file', async () => {
    const file = join(folder, 'empty');
    await writeFile(file, '');
    expect(await put(['--file', file])).toMatchObject({
      status: 0,
      stdout: 'accepted 0, refused 0\n',
    });
    expect(await putText(' \n\n')).toMatchObject({ status: 0, stdout: 'accepted 0, refused 0\n' });
    expect(service.received).toEqual([]);
  });

  it('prints the numbers of accepted and refused events as JSON with --json', async () => {
    const stdin = Readable.from([Buffer.from(`${event(1)}\nx\n`)]);
    const { stdout } = await put(['--file', '-', '--json'], { stdin });
    expect(stdout).toBe('{"accepted":1,"refused":1}\n');
  });

  it('prints the line where it stopped if the service becomes unreachable', async () => {
    service.script = (_, nth) => (nth === 3 ? 'hang up' : undefined);
    const lines = Array.from({ length: 1600 }, (_, i) => `${i === 700 ? '{}' : event(i)}\n`);
    const { status, stdout, stderr } = await putText(['\n', ...lines]);
    // The third request repeats the second batch of 500 lines without the invalid line.
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 500, refused 0\n' });
    expect(stderr).toMatch(
      /^error: stopped at line 502: cannot reach [^\n]+\? Send the file again from this line, [^\n]+\n$/,
    );
    expect(posted()).toHaveLength(3);
  });

  it('prints the line where it stopped if the rest of the file cannot be read', async () => {
    const broken = (async function* () {
      yield Buffer.from(`${event(1)}\n${event(2)}\n`);
      await Promise.resolve();
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
    })();
    const { status, stdout, stderr } = await put(['--file', '-'], { stdin: broken });
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 2, refused 0\n' });
    expect(stderr).toContain('stopped at line 3: cannot continue reading: EIO');
  });

  it('reports unknown models on the same line as the line where it stopped', async () => {
    const lines = Array.from({ length: 501 }, (_, i) => `${event(i).replace('"m"', '"nope"')}\n`);
    service.script = ({ method }, nth) =>
      method === 'POST' && nth === 2 ? problem(403, 'this takes the role operator') : undefined;
    const { status, stdout, stderr } = await putText(lines);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 500, refused 0\n' });
    expect(stderr).toMatch(
      /^error: stopped at line 501: this takes the role operator \(403\); send [^\n]+\. warning: there is no model `nope`[^\n]+\n$/,
    );
  });

  it('sends an event that arrives alone before the next event arrives', async () => {
    const slow = (async function* () {
      for (const id of ['1', '2', '3']) {
        yield Buffer.from(`${event(id)}\n`);
        await vi.waitFor(() => expect(ids()).toContain(id), { timeout: 10_000 });
      }
    })();
    const { status, stdout } = await put(['--file', '-'], { stdin: slow });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'accepted 3, refused 0\n' });
    expect(ids()).toEqual(['1', '2', '3']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])(
    'sends what it has read after %s, and prints the line where it stopped',
    async (signal, code) => {
      const signals = signalSource();
      const stdin = (async function* () {
        yield Buffer.from(`${event(1)}\n${event(2)}\n{"id":`);
        signals.emit(signal);
        await new Promise(() => undefined);
      })();
      const { status, stdout, stderr } = await put(['--file', '-', '--wait'], { stdin, signals });
      expect(stdout).toBe('accepted 2, refused 0: applied 0, unknown 2\n');
      expect(stderr).toContain('error: stopped at line 3: interrupted; send the file again from');
      expect({ status, ids: ids() }).toEqual({ status: code, ids: ['1', '2'] });
    },
  );

  it('exits with the status of Ctrl+C even if it had already read the whole file', async () => {
    const signals = signalSource();
    service.script = ({ method }) => {
      if (method === 'POST') signals.emit('SIGINT');
      return undefined;
    };
    const { status, stdout } = await putText(event(1), { signals });
    expect({ status, stdout }).toEqual({ status: 130, stdout: 'accepted 1, refused 0\n' });
    const file = join(folder, 'event.ndjson');
    await writeFile(file, event(2));
    expect(await put(['--file', file, '--wait'], { signals })).toMatchObject({
      status: 130,
      stdout: 'accepted 1, refused 0: applied 0, unknown 1\n',
    });
  });

  it('retries if the service is busy', async () => {
    service.script = (_, nth) =>
      nth === 1 ? { ...problem(503, 'busy'), headers: { 'retry-after': '1' } } : undefined;
    const { status, waits } = await putText(event(1));
    expect({ status, waits, ids: ids() }).toEqual({ status: 0, waits: [1000], ids: ['1'] });
  });

  it('stops at a 400 response that is not from Milepost, without sending every event separately', async () => {
    service.script = () => ({ status: 400, body: 'Client sent HTTP to an HTTPS server.' });
    const { status, stdout, stderr } = await putText([`${event(1)}\n`, `${event(2)}\n`]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'accepted 0, refused 0\n' });
    expect(stderr).toContain('stopped at line 1: ');
    expect(posted()).toHaveLength(1);
  });

  it('says what to do if the service denies access', async () => {
    service.script = () => json(401, { message: 'Unauthorized' });
    expect((await putText(event(1))).stderr).toMatch(
      /^error: stopped at line 1: Unauthorized \(401\); set MILEPOST_TOKEN to a valid token; send the file again/,
    );
  });

  it('stops at an unexpected response', async () => {
    service.script = () => json(202, { ok: true });
    const { status, stderr } = await putText(event(1));
    expect(status).toBe(1);
    expect(stderr).toContain('stopped at line 1: ');
  });

  it('shows progress only on a terminal', async () => {
    const file = join(folder, 'events.ndjson');
    await writeFile(file, `${event(1)}\nx\n`);
    const { stderr } = await put(['--file', file], { columns: 40, env: { NO_COLOR: '1' } });
    expect(stderr).toContain('██████████ 100%  accepted 1, refused 1');
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
    expect((await put(['--file', file])).stderr).not.toContain('█');
  });
});

describe('milepost put --file with a JSON array', () => {
  const array = `\n [\n  {"id":"a]\\"[,", "modelid":"m", "data":[1.10,{"b":[]}]},\n\n  ${event('b')}\n , ${event('c')} ]\n`;

  it('sends the events of the array unchanged', async () => {
    const { status, stdout } = await putText(array);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'accepted 3, refused 0\n' });
    expect(service.received[0]?.body).toBe(
      `[{"id":"a]\\"[,", "modelid":"m", "data":[1.10,{"b":[]}]},${event('b')},${event('c')}]`,
    );
  });

  it('reads the array regardless of how its bytes are split into chunks', async () => {
    await putText(Array.from(array, (character) => Buffer.from(character)));
    expect(ids()).toEqual(['a]"[,', 'b', 'c']);
  });

  it.each([
    ['[]', 'accepted 0, refused 0\n', ''],
    [`[${event(1)},]`, 'accepted 1, refused 0\n', ''],
    [`[\n${event(1)},\n{"id":2},\n{oops},\n${event(4)}]`, 'accepted 2, refused 2\n', 'line 3: '],
    [`\uFEFF[${event(1)}]`, 'accepted 1, refused 0\n', ''],
    [`[\n{\n"id":\n2\n},${event(1)}]`, 'accepted 1, refused 1\n', 'line 2: '],
    [`[\n${event(1)}\n`, 'accepted 1, refused 1\n', 'line 3: the array is not closed\n'],
    [`[\n${event(1)},\n{"id`, 'accepted 1, refused 1\n', 'line 3: the file ends within this event'],
    [`[${event(1)}]\n[`, 'accepted 1, refused 1\n', 'line 2: text after the end of the array\n'],
  ])('reports the accepted and refused events of %j', async (text, counts, said) => {
    const { stdout, stderr } = await putText(text);
    expect(stdout).toBe(counts);
    expect(stderr.slice(0, said.length)).toBe(said);
  });
});
