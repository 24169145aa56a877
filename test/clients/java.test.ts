import { describe, expect, it } from 'vitest';
import {
  copyOf,
  created,
  inspectionIn,
  inspectionOf,
  instancesTable,
  run,
  service,
  statusesOf,
  streamArn,
} from './support/client-program.ts';
import { findToolchain, isAtLeast } from './support/toolchain.ts';

const javac = await findToolchain('a JDK 17 or later', ['javac', '-version'], (output) =>
  isAtLeast(`${output.trim()}.0`, 17),
);
const maven = await findToolchain('Maven', ['mvn', '--version'], (output) =>
  output.includes('Apache Maven'),
);
const compileAndRun = ['mvn', '-q', '-B', '-Dstyle.color=never', 'compile', 'exec:java'] as const;

describe.skipIf(!javac.isThere || !maven.isThere)(
  `programs in Java${javac.ifNot}${maven.ifNot}`,
  () => {
    // Run in sequence, because the second test reads the records that the first test puts.
    it('send one event and then many with the example in the documentation', async () => {
      await run(await copyOf('examples/send-events/java'), compileAndRun);
      expect(await statusesOf('JAVA-1', 'JAVA-2', 'JAVA-3', 'JAVA-4')).toEqual(created(4));
    });

    it('put an event on a stream by ARN, describe and read the stream, and get an item, over HTTP/1.1 and HTTP/2', async () => {
      const words = ['JAVA', streamArn, await instancesTable()].join(' ');
      const folder = await copyOf('test/clients/programs/java');
      const output = await run(folder, [...compileAndRun, `-Dexec.args=${words}`]);
      expect(inspectionIn(output)).toMatchObject(inspectionOf('JAVA'));
      expect(output).toContain('The local Kinesis endpoint does not support SubscribeToShard.');
    });

    it('send events and read an instance with a client that is generated from the API description', async () => {
      const folder = await copyOf('test/clients/programs/generated-java');
      const { api } = service.ready;
      const words = [`-Ddescription=${api}/api/openapi.json`, `-Dexec.args=${api}`];
      expect(inspectionIn(await run(folder, [...compileAndRun, ...words]))).toEqual({
        accepted: 2,
        status: 'Waiting',
        next: 'current',
        title: 'Service activation on a device',
      });
    });

    it('read the stream with the Kinesis Client Library, which polls it and keeps leases in DynamoDB', async () => {
      const event = {
        id: 'kcl-created',
        type: 'account.created',
        modelid: 'activation',
        transactionid: 'JAVA-KCL',
      };
      await service.post(event);
      const folder = await copyOf('test/clients/programs/kinesis-client-library');
      const words = `-Dexec.args=${service.ready.stream} ${event.transactionid}`;
      expect(inspectionIn(await run(folder, [...compileAndRun, words]))).toMatchObject(event);
    });
  },
);
