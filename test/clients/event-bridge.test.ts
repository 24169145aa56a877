import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencesOf, readPages, root } from '../support/docs/markdown.ts';
import { instancePath, type Service } from '../support/service/service.ts';
import { startWithBus } from '../support/service/service-with-bus.ts';
import { run } from './support/client-program.ts';
import { commandLines } from './support/command-lines.ts';

const [page] = (await readPages()).filter(({ path }) => path === 'docs/how-to/send-events.md');
const commands = fencesOf(page!).filter(({ code }) => code.startsWith('aws events put-events'));

let folder: string;
let service: Service;
let eventBridge: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-bus-'));
  ({ service, eventBridge } = await startWithBus(folder));
}, 240_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe.each(commandLines)('the AWS CLI $version', ({ version, ifNot, isThere, aws }) => {
  it.skipIf(!isThere)(
    `puts an event on a bus with the command in the documentation${ifNot}`,
    async () => {
      expect(commands).toHaveLength(1);
      const command = commands[0]!.code
        .replace('http://127.0.0.1:4570', eventBridge)
        .replace('BUS-1', `BUS-${version}`)
        .replace(/^aws/, `"${aws}"`);
      const output = await run(root, [
        'env',
        'AWS_PAGER=',
        'sh',
        '-c',
        `${command.trim()} --output json`,
      ]);
      expect(JSON.parse(output)).toMatchObject({ FailedEntryCount: 0 });
      const path = instancePath('activation', `BUS-${version}`);
      expect(await service.eventually(path, () => true)).toMatchObject({ status: 'New' });
    },
  );
});
