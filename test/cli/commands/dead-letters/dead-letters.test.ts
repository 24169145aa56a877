import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetter } from '../../samples.ts';
import { ask, minutesAgo, service, startServicePerTest } from '../../service-per-test.ts';
import { problem } from '../../stub-service.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();

describe('milepost dead-letters', () => {
  beforeEach(() => {
    service.data.deadLetters = [
      deadLetter('d1', '{"oops\x1b', { at: minutesAgo(120) }),
      deadLetter('d2', Buffer.from([0xff, 0x41]), {
        modelId: 'nope',
        transactionId: 'ATV-1',
        at: minutesAgo(7),
      }),
    ];
  });

  it('lists dead letters with their reasons', async () => {
    const { stdout } = await ask(['dead-letters']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "id  when    model  transaction  reason
      d1  2h ago                      not JSON
      d2  7m ago  nope   ATV-1        not JSON
      "
    `);
  });

  it('shows whole reasons instead of a table if the terminal is too narrow for readable reasons', async () => {
    const reason =
      "model claim failed on claim.approved WC-1/2: Cannot read 'currency' (model.ts:54:36)";
    const id = '0mwzmm87a-2an2m4t5hz94byvozh4agqf1ps16o-08d03b5c';
    service.data.deadLetters = [deadLetter(id, 'x', { reason, eventId: 'WC-1/2' })];
    const narrow = await ask(['dead-letters'], { columns: 100, env: { NO_COLOR: '1' } });
    expect(narrow.stdout).toContain(`\nreason  ${reason}\n`);
    const wide = await ask(['dead-letters'], { columns: 130, env: { NO_COLOR: '1' } });
    expect(wide.stdout).toMatch(/ model claim failed on claim.approved WC-1\/2: [^\n]*…\n/);
  });

  it('shows the content of dead letters with --raw and escapes bytes that are not text', async () => {
    const { stdout } = await ask(['dead-letters', '--raw']);
    expect(stdout).toContain('{"oops\\x1b\n');
    expect(stdout).toMatch(/transaction {2}ATV-1\n(.*\n)*\\xffA\n$/);
  });

  it('shows the dead letters from all pages with the reason in --reason', async () => {
    service.data.deadLetters = Array.from({ length: 230 }, (_, i) =>
      deadLetter(`d${i}`, 'x', { reason: i % 100 === 0 ? 'no\nreason' : 'no' }),
    );
    const ids = (stdout: string) => [...stdout.matchAll(/^(d\d+) /gm)].map(([, id]) => id);
    const { stdout, stderr } = await ask(['dead-letters', '--reason', 'no\nreason']);
    expect(ids(stdout)).toEqual(['d0', 'd100', 'd200']);
    expect(stderr).toBe('');
    // This is the reason as the list prints it, with escapes.
    const copied = await ask(['dead-letters', '--reason', 'no\\nreason']);
    expect(ids(copied.stdout)).toEqual(['d0', 'd100', 'd200']);
    // This is the reason as the pages and `milepost doctor` print it, without the event id.
    service.data.deadLetters = [
      deadLetter('d5', 'x', { reason: 'model m failed on t e5: oh', eventId: 'e5' }),
      deadLetter('d6', 'x', { reason: 'model m failed on t e6: oh', eventId: 'e6' }),
    ];
    const common = await ask(['dead-letters', '--reason', 'model m failed on t: oh']);
    expect(ids(common.stdout)).toEqual(['d5', 'd6']);
    expect(await ask(['dead-letters', '--reason', 'none'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'There are no dead letters with this reason.\n',
    });
  });
});

describe('milepost dead-letters show', () => {
  const show = async (raw: Uint8Array | string) => {
    service.data.deadLetters = [deadLetter('d1', raw)];
    const { stdout } = await ask(['dead-letters', 'show', 'd1']);
    return stdout.split('\n\nContent ')[1];
  };

  it('shows the known fields of a dead letter', async () => {
    const known = { modelId: 'm', transactionId: 'T\x1b', eventId: 'e', at: minutesAgo(3) };
    service.data.deadLetters = [deadLetter('d1', '{}', known)];
    const { status, stdout } = await ask(['dead-letters', 'show', 'd1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^id {11}d1\nwhen {9}\d.* \(3m ago\)\nmodel {8}m\n/);
    expect(stdout).toContain('\ntransaction  T\\x1b\nevent        e\nreason       not JSON\n\n');
  });

  it('shows JSON on several lines without changing its values', async () => {
    expect(
      await show('{"a":[1,{"b":[] , "c":{}}],"a":12345678901234567890.10,"__proto__":"{\\""}'),
    ).toMatchInlineSnapshot(`
      "(73 bytes)
      {
        "a": [
          1,
          {
            "b": [],
            "c": {}
          }
        ],
        "a": 12345678901234567890.10,
        "__proto__": "{\\""
      }
      "
    `);
  });

  it.each([
    ['text', 'Hello,\r\nwörld', '(14 bytes)\nHello,\\r\\nwörld\n'],
    ['one byte', 'x', '(1 byte)\nx\n'],
    ['empty content', '', '(0 bytes)\n\n'],
    ['bytes that are not text', Uint8Array.of(0x7b, 0xff, 0x7d, 0), '(4 bytes)\n{\\xff}\\x00\n'],
    ['JSON that is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), '(3 bytes)\n"\\xff"\n'],
    ['JSON with control characters', '"\u009b31m\u202e"', '(10 bytes)\n"\\u009b31m\\u202e"\n'],
    ['a number', ' 42\r\n', '(5 bytes)\n42\n'],
  ])('shows %s', async (_, raw, content) => {
    expect(await show(raw)).toBe(content);
  });

  it('keeps deeply nested JSON on one line', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(await show(`\n${deep}`)).toBe(`(100001 bytes)\n${deep}\n`);
  });

  it("prints the API's response with --json", async () => {
    service.data.deadLetters = [deadLetter('d1', 'x')];
    const shown = await ask(['dead-letters', 'show', 'd1', '--json']);
    expect(JSON.parse(shown.stdout)).toEqual(service.data.deadLetters[0]);
  });

  it('reports that the dead letter does not exist', async () => {
    expect(await ask(['dead-letters', 'show', 'd/9'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: there is no dead letter d/9 (404)\n',
    });
  });
});

describe('milepost dead-letters reasons', () => {
  const at = { newest: minutesAgo(1), fault: minutesAgo(2), noModel: minutesAgo(300) };
  beforeEach(() => {
    service.data.deadLetters = [
      deadLetter('d0', 'x', { at: at.newest }),
      ...Array.from({ length: 230 }, (_, i) =>
        deadLetter(`d${i + 1}`, 'x', {
          at: i === 0 ? at.fault : minutesAgo(i + 2),
          reason: `model m failed on t e${i}: oh`,
          eventId: `e${i}`,
        }),
      ),
      deadLetter('d231', 'x', { at: at.noModel, reason: 'no such model: parcel' }),
      deadLetter('d232', 'x', { at: minutesAgo(400), reason: 'no such model: parcel' }),
    ];
  });

  it('counts the dead letters from all pages by reason, the most frequent reason first', async () => {
    const { status, stdout, stderr } = await ask(['dead-letters', 'reasons']);
    expect([status, stderr]).toEqual([0, '']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "dead letters  newest  reason
               230  2m ago  model m failed on t: oh
                 2  5h ago  no such model: parcel
                 1  1m ago  not JSON
      "
    `);
  });

  it('prints the counts as JSON with --json', async () => {
    const { stdout } = await ask(['dead-letters', 'reasons', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      reasons: [
        {
          reason: 'model m failed on t: oh',
          deadLetters: 230,
          newest: at.fault,
        },
        {
          reason: 'no such model: parcel',
          deadLetters: 2,
          newest: at.noModel,
        },
        { reason: 'not JSON', deadLetters: 1, newest: at.newest },
      ],
    });
  });

  it('says so if there are no dead letters', async () => {
    service.data.deadLetters = [];
    expect(await ask(['dead-letters', 'reasons'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'There are no dead letters.\n',
    });
  });
});

describe('milepost dead-letters delete', () => {
  const ids = () => service.data.deadLetters.map(({ id }) => id);
  beforeEach(() => {
    const ofWaiting = { modelId: 'activation', transactionId: 'waits' };
    service.data.deadLetters = [
      deadLetter('d1', 'x'),
      deadLetter('d2', '{}', { ...ofWaiting, parked: true }),
      deadLetter('d3', '{}', ofWaiting),
      deadLetter('d4', '{}'),
    ];
  });

  it('deletes dead letters and names the instances that continue without a deleted event', async () => {
    expect(await ask(['dead-letters', 'delete', 'd1', 'd2', 'd3'])).toMatchObject({
      status: 0,
      stdout:
        'deleted dead letter d1\n' +
        'deleted dead letter d2; activation/waits continues without the event\n' +
        'deleted dead letter d3\n',
      stderr: '',
    });
    expect(ids()).toEqual(['d4']);
  });

  it('continues after a dead letter that does not exist', async () => {
    expect(await ask(['dead-letters', 'delete', 'd9', 'd4'])).toMatchObject({
      status: 1,
      stdout: 'deleted dead letter d4\n',
      stderr: 'error: there is no dead letter d9 (404)\n',
    });
    expect(ids()).toEqual(['d1', 'd2', 'd3']);
  });

  it('stops when the service fails', async () => {
    service.script = ({ method }) => (method === 'DELETE' ? problem(500, 'broken') : undefined);
    expect(await ask(['dead-letters', 'delete', 'd1', 'd2'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: broken (500)\n',
    });
    expect(service.received.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('fails if the response does not come from Milepost', async () => {
    service.script = ({ method }) =>
      method === 'DELETE' ? { status: 200, body: '<html></html>' } : undefined;
    for (const more of [[], ['--json']]) {
      const { status, stdout, stderr } = await ask(['dead-letters', 'delete', 'd1', ...more]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('is it Milepost?');
    }
  });

  it('prints nothing with --json', async () => {
    const { status, stdout } = await ask(['dead-letters', 'delete', 'd1', 'd2', '--json']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(ids()).toEqual(['d3', 'd4']);
  });

  it('deletes the dead letters from all pages with the reason in --reason, parked events in order', async () => {
    const reason = 'no such model: parcel';
    const fault = { reason: 'model m failed on t e: oh', eventId: 'e', parked: true };
    service.data.deadLetters = [
      deadLetter('p2', 'x', fault),
      ...Array.from({ length: 230 }, (_, i) =>
        deadLetter(`d${i}`, 'x', { reason: i === 150 ? 'not JSON' : reason }),
      ),
      deadLetter('p1', 'x', fault),
    ];
    expect(await ask(['dead-letters', 'delete', '--reason', reason])).toMatchObject({
      status: 0,
      stdout: 'deleted 229 dead letters\n',
      stderr: '',
    });
    expect(ids()).toEqual(['p2', 'd150', 'p1']);
    service.received.length = 0;
    const parked = await ask(['dead-letters', 'delete', '--reason', 'model m failed on t: oh']);
    expect(parked.stdout).toBe('deleted 2 dead letters\n');
    const deletes = service.received.filter(({ method }) => method === 'DELETE');
    expect(deletes.map(({ url }) => url.split('/').at(-1))).toEqual(['p1', 'p2']);
    expect(await ask(['dead-letters', 'delete', '--reason', reason])).toMatchObject({
      status: 0,
      stdout: 'there are no dead letters with this reason\n',
    });
    const json = await ask(['dead-letters', 'delete', '--reason', 'not JSON', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ deleted: 1 });
    expect(ids()).toEqual([]);
  });

  it('skips dead letters that another caller deletes, and prints how many were deleted before a failure', async () => {
    service.script = ({ method, url }) => {
      if (method !== 'DELETE') return undefined;
      return url.endsWith('d4') ? problem(404, 'there is no dead letter d4') : undefined;
    };
    const skipped = await ask(['dead-letters', 'delete', '--reason', 'not JSON']);
    expect(skipped).toMatchObject({ status: 0, stdout: 'deleted 3 dead letters\n', stderr: '' });
    let left = 1;
    service.data.deadLetters = [
      deadLetter('d1', 'x', { parked: true }),
      deadLetter('d2', 'x', { parked: true }),
    ];
    service.script = ({ method }) =>
      method === 'DELETE' && left-- < 1 ? problem(500, 'broken') : undefined;
    expect(await ask(['dead-letters', 'delete', '--reason', 'not JSON'])).toMatchObject({
      status: 1,
      stdout: 'deleted 1 dead letter\n',
      stderr: 'error: broken (500)\n',
    });
  });
});
