import { describe, expect, it } from 'vitest';
import {
  copyOf,
  created,
  inspectionIn,
  inspectionOf,
  instancesTable,
  run,
  statusesOf,
  streamArn,
} from './support/client-program.ts';
import { findToolchain, isAtLeast } from './support/toolchain.ts';

const go = await findToolchain('Go 1.24 or later', ['go', 'version'], (output) =>
  isAtLeast(output, 1, 24),
);

describe.skipIf(!go.isThere)(`the AWS SDK for Go${go.ifNot}`, () => {
  it('sends one event and then many with the example in the documentation', async () => {
    await run(await copyOf('examples/send-events/go'), ['go', 'run', '.']);
    expect(await statusesOf('GO-1', 'GO-2', 'GO-3', 'GO-4')).toEqual(created(4));
  });

  it('puts an event on a stream by ARN, describes and reads the stream, and gets an item', async () => {
    const words = ['GO', streamArn, await instancesTable()];
    const folder = await copyOf('test/clients/programs/go');
    const output = await run(folder, ['go', 'run', '.', ...words]);
    expect(inspectionIn(output)).toMatchObject(inspectionOf('GO'));
  });
});
