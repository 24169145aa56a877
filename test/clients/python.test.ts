import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/docs/markdown.ts';
import {
  created,
  inspectionIn,
  inspectionOf,
  instancesTable,
  run,
  statusesOf,
  streamArn,
} from './support/client-program.ts';
import { python, pythonPrograms } from './support/python-programs.ts';

const program = join(pythonPrograms, 'python');

describe.skipIf(!python.isThere)(`the AWS SDK for Python${python.ifNot}`, () => {
  it('sends one event and then many with the example in the documentation', async () => {
    await run(root, [program, 'examples/send-events/python/send_events.py']);
    expect(await statusesOf('PYTHON-1', 'PYTHON-2', 'PYTHON-3', 'PYTHON-4')).toEqual(created(4));
  });

  it('puts an event on a stream by ARN, describes and reads the stream, and gets an item', async () => {
    const words = ['PYTHON', streamArn, await instancesTable()];
    const output = await run(root, [program, 'test/clients/programs/inspect_stream.py', ...words]);
    expect(inspectionIn(output)).toMatchObject(inspectionOf('PYTHON'));
  });
});
