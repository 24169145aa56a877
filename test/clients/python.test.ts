import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/docs/markdown.ts';
import {
  created,
  inspectionIn,
  inspectionOf,
  instancesTable,
  run,
  service,
  statusesOf,
  streamArn,
} from './support/client-program.ts';
import { python, pythonPrograms } from './support/python-programs.ts';

const program = join(pythonPrograms, 'python');

describe.skipIf(!python.isThere)(`programs in Python${python.ifNot}`, () => {
  it('send one event and then many with the example in the documentation', async () => {
    await run(root, [program, 'examples/send-events/python/send_events.py']);
    expect(await statusesOf('PYTHON-1', 'PYTHON-2', 'PYTHON-3', 'PYTHON-4')).toEqual(created(4));
  });

  it('put an event on a stream by ARN, describe and read the stream, and get an item', async () => {
    const words = ['PYTHON', streamArn, await instancesTable()];
    const output = await run(root, [program, 'test/clients/programs/inspect_stream.py', ...words]);
    expect(inspectionIn(output)).toMatchObject(inspectionOf('PYTHON'));
  });

  it('send events over HTTP in both content modes with the CloudEvents SDK', async () => {
    const url = `${service.ready.api}/api/events`;
    await run(root, [program, 'test/clients/programs/post_events.py', url]);
    expect(await statusesOf('BINÄR 1/%', 'STRUCTURED-1')).toEqual(created(2));
  });
});
