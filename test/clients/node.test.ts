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

describe('the AWS SDK for JavaScript', () => {
  it('sends one event and then many with the example in the documentation', async () => {
    await run(root, [process.execPath, 'examples/send-events/node/send-events.mjs']);
    expect(await statusesOf('NODE-1', 'NODE-2', 'NODE-3', 'NODE-4')).toEqual(created(4));
  });

  it('puts an event on a stream by ARN, describes and reads the stream, and gets an item', async () => {
    const program = 'test/clients/programs/inspect-stream.mjs';
    const words = ['NODE', streamArn, await instancesTable()];
    const output = await run(root, [process.execPath, program, ...words]);
    expect(inspectionIn(output)).toMatchObject(inspectionOf('NODE'));
  });
});
