import { describe, expect, it } from 'vitest';
import { placed } from '../../support/data/events.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';
import { run } from '../run.ts';

/** Runs the CLI against the API. */
async function ask(argv: readonly string[]) {
  const api = new MemoryApi();
  await api.apply(placed(1));
  return run(argv, {
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      return Promise.resolve(api.app.request(pathname + search, init));
    },
  });
}

describe('an unknown model or status on the command line', () => {
  it.each([
    [['list', '--model', 'countr'], 'there is no model `countr`; did you mean `counter`? (400)'],
    [['list', '--status', 'high'], 'no model has a status `high`; did you mean `High`? (400)'],
    [
      ['list', '--model', 'counter', '--status', 'nope'],
      'the model `counter` has no status `nope`; available statuses: Low, High, Parked (400)',
    ],
    [['export', '--model', 'countr'], 'there is no model `countr`; did you mean `counter`? (400)'],
    [
      ['replay', '--with', 'models/session/model.ts'],
      'there is no model `session`; available models: counter (400)',
    ],
    [['replay', '--model', 'countr'], 'there is no model `countr`; did you mean `counter`? (404)'],
    [
      ['status', 'countr', 'T1'],
      'there is no instance countr/T1; there is no model `countr`; did you mean `counter`? (404)',
    ],
    [['versions', 'countr'], 'there is no model `countr`; did you mean `counter`? (404)'],
    [['rollback', 'countr'], 'there is no model `countr`; did you mean `counter`? (404)'],
  ])('causes an error with the closest name or the available names: %j', async (argv, message) => {
    expect(await ask(argv)).toMatchObject({ status: 1, stdout: '', stderr: `error: ${message}\n` });
  });

  it('is not reported if the names are known but no instance matches', async () => {
    expect(await ask(['status', 'counter', 'T9'])).toMatchObject({
      status: 1,
      stderr: 'error: there is no instance counter/T9 (404)\n',
    });
    expect(await ask(['list', '--model', 'counter', '--status', 'High'])).toMatchObject({
      status: 0,
      stderr: 'No matching instances.\n',
    });
  });
});
