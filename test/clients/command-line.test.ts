import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencesOf, readPages, root } from '../support/docs/markdown.ts';
import {
  created,
  environment,
  instancesTable,
  run,
  service,
  statusesOf,
  streamArn,
} from './support/client-program.ts';
import { commandLines } from './support/command-lines.ts';

const [page] = (await readPages()).filter(({ path }) => path === 'docs/how-to/send-events.md');
/** The commands in docs/how-to/send-events.md that put records on the stream, with the local address. */
const documented = fencesOf(page!)
  .filter(({ language, code }) => language === 'sh' && code.startsWith('aws kinesis put-'))
  .map(({ code }) => code.replaceAll('http://127.0.0.1:4567', service.ready.kinesis));

describe.each(commandLines)('the AWS CLI $version', ({ version, isThere, ifNot, aws: program }) => {
  describe.skipIf(!isThere)(`with the commands in the documentation${ifNot}`, () => {
    /** A folder for the PATH that contains only this version of `aws`. */
    let programs: string;
    beforeAll(async () => {
      programs = await mkdtemp(join(tmpdir(), 'milepost-aws-'));
      await symlink(program, join(programs, 'aws'));
    });
    afterAll(() => rm(programs, { recursive: true, force: true }));

    /** Runs a shell command with this version of `aws`. */
    async function shell(line: string): Promise<string> {
      const { PATH = '' } = environment;
      const path = [programs, PATH].join(delimiter);
      return run(root, ['env', `PATH=${path}`, 'AWS_PAGER=', 'sh', '-c', line]);
    }
    const aws = async (...words: readonly string[]) =>
      JSON.parse(await shell(['aws', ...words, '--output json'].join(' '))) as Record<
        string,
        unknown
      >;
    const device = (name: string) => `CLI${version}-${name}`;

    it('reports the expected version', async () => {
      expect(await shell('aws --version')).toMatch(new RegExp(`^aws-cli/${version}\\.`));
    });

    it('sends one event and then many', async () => {
      expect(documented).toHaveLength(2);
      for (const command of documented) {
        const options = version === 1 ? / --cli-binary-format raw-in-base64-out/ : /$^/;
        await shell(command.replace(options, '').replaceAll('CLI-', device('')));
      }
      expect(await statusesOf(device('1'), device('2'), device('3'))).toEqual(created(3));
    });

    it('puts an event on a stream by ARN, then describes and reads the stream', async () => {
      const { kinesis } = service.ready;
      const event = { id: 'e', type: 'account.created', modelid: 'activation' };
      const data = JSON.stringify({ ...event, transactionid: device('5') });
      const raw = version === 1 ? '' : '--cli-binary-format raw-in-base64-out';
      const stream = `--endpoint-url ${kinesis} --stream-arn ${streamArn}`;
      await aws(`kinesis put-record ${stream} ${raw} --partition-key k --data '${data}'`);
      const summary = await aws(`kinesis describe-stream-summary ${stream}`);
      expect(summary).toMatchObject({ StreamDescriptionSummary: { StreamARN: streamArn } });
      const { Shards } = await aws(`kinesis list-shards ${stream}`);
      let found = '';
      for (const { ShardId } of Shards as { ShardId: string }[]) {
        const position = `--shard-id ${ShardId} --shard-iterator-type TRIM_HORIZON`;
        const { ShardIterator } = await aws(`kinesis get-shard-iterator ${stream} ${position}`);
        const iterator = `--shard-iterator '${String(ShardIterator)}'`;
        const { Records } = await aws(`kinesis get-records --endpoint-url ${kinesis} ${iterator}`);
        for (const { Data } of Records as { Data: string }[])
          found += Buffer.from(Data, 'base64').toString();
      }
      expect(found).toContain(data);
      expect(await statusesOf(device('5'))).toEqual(created(1));
    });

    it('lists, disables, and enables event source mappings', async () => {
      const { lambda } = service.ready;
      const listed = await aws(`lambda list-event-source-mappings --endpoint-url ${lambda}`);
      const mappings = listed.EventSourceMappings as { UUID: string; EventSourceArn: string }[];
      // Do not change the mapping of the event stream, because other tests use it at the same time.
      const { UUID } = mappings.find(({ EventSourceArn }) => EventSourceArn !== streamArn)!;
      const change = async (option: string, state: string) => {
        const mapping = `--endpoint-url ${lambda} --uuid ${UUID}`;
        await aws(`lambda update-event-source-mapping ${mapping} ${option}`);
        const read = () => aws(`lambda get-event-source-mapping ${mapping}`);
        await expect.poll(read, { timeout: 20_000 }).toMatchObject({ State: state });
      };
      await change('--no-enabled', 'Disabled');
      await change('--enabled', 'Enabled');
    });

    it('invokes functions and gets items', async () => {
      const { lambda, dynamodb } = service.ready;
      const functions = await aws(`lambda list-functions --endpoint-url ${lambda}`);
      const names = (functions.Functions as { FunctionName: string }[]).map(
        (each) => each.FunctionName,
      );
      const clock = names.find((name) => name.includes('Clock'))!;
      const invoked = await aws(
        `lambda invoke --endpoint-url ${lambda} --function-name ${clock} /dev/null`,
      );
      expect(invoked).toMatchObject({ StatusCode: 200 });
      expect(invoked).not.toHaveProperty('FunctionError');
      const key = { pk: { S: `activation#${device('1')}` }, sk: { S: 'COMMIT#0000000001' } };
      const table = `--table-name ${await instancesTable()} --key '${JSON.stringify(key)}'`;
      const { Item } = await aws(`dynamodb get-item --endpoint-url ${dynamodb} ${table}`);
      expect(Item).toMatchObject(key);
    });
  });
});
