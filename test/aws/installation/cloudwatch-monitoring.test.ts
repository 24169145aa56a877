import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloudWatch } from '../../../src/aws/client/cloudwatch.ts';
import { CloudWatchMonitoring } from '../../../src/aws/installation/cloudwatch-monitoring.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';

// Responses from the API reference, in AWS's JSON protocol.
const metricData = {
  MetricDataResults: [
    {
      Id: 'm1',
      Label: 'Invocations',
      Timestamps: [1767225660, 1767225600],
      Values: [4, 2],
      StatusCode: 'Complete',
    },
    {
      Id: 'm0',
      Label: 'IteratorAge',
      Timestamps: [1767225600],
      Values: [1500],
      StatusCode: 'Complete',
    },
    { Id: 'm2', Label: 'IncomingRecords', Timestamps: [], Values: [], StatusCode: 'Complete' },
  ],
  Messages: [],
};
const alarms = {
  MetricAlarms: [
    {
      AlarmName: 'Milepost-TrackerAlarmsParked1A2B3C4D-5E6F',
      AlarmArn: 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm:Milepost-TrackerAlarmsParked',
      ActionsEnabled: true,
      OKActions: [],
      AlarmActions: ['arn:aws:sns:eu-west-1:111122223333:topic'],
      StateValue: 'ALARM',
      StateReason: 'Threshold Crossed: 1 datapoint [2.0] was greater than the threshold (0.0).',
    },
    { AlarmName: 'Milepost-Quiet', ActionsEnabled: true, AlarmActions: [], StateValue: 'OK' },
    // The name of this alarm's stack starts with the name of the tracker's stack.
    {
      AlarmName: 'Milepost-Staging-TrackerAlarmsParked1A2B3C4D-5E6F',
      ActionsEnabled: true,
      AlarmActions: [],
      StateValue: 'ALARM',
    },
  ],
  CompositeAlarms: [],
};

interface Request {
  readonly target: unknown;
  readonly type: unknown;
  readonly body: unknown;
}

let stack: AsyncDisposableStack;
let requests: Request[];
let monitoring: CloudWatchMonitoring;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  requests = [];
  const answer = async (request: IncomingMessage): Promise<object> => {
    const target = request.headers['x-amz-target'];
    const body = JSON.parse(await text(request)) as unknown;
    requests.push({ target, type: request.headers['content-type'], body });
    return String(target).endsWith('DescribeAlarms') ? alarms : metricData;
  };
  const server = createServer((request, response) => {
    void answer(request).then((found) => response.end(JSON.stringify(found)));
  });
  const { url } = stack.use(await listen(server, 0));
  stack.defer(() => server.closeAllConnections());
  monitoring = new CloudWatchMonitoring({
    client: cloudWatch({
      region: 'eu-west-1',
      endpoint: url,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    }),
    alarmPrefix: 'Milepost-',
    clock: { now: () => 1_767_225_720_500, sleep: () => Promise.resolve() },
  });
});
afterEach(() => stack.disposeAsync());

describe('CloudWatchMonitoring', () => {
  it('reads metrics by minute in one request, in the requested order', async () => {
    const values = await monitoring.values(
      [
        { kind: 'iterator age', functionName: 'dispatcher' },
        { kind: 'invocations', functionName: 'dispatcher' },
        { kind: 'incoming records', stream: 'events' },
      ],
      15,
    );
    expect(values).toEqual([
      [{ at: 1_767_225_600_000, value: 1500 }],
      [
        { at: 1_767_225_660_000, value: 4 },
        { at: 1_767_225_600_000, value: 2 },
      ],
      [],
    ]);
    const query = (
      Id: string,
      Namespace: string,
      MetricName: string,
      Stat: string,
      Name: string,
    ) => ({
      Id,
      MetricStat: {
        Metric: {
          Namespace,
          MetricName,
          Dimensions: [{ Name, Value: Name === 'StreamName' ? 'events' : 'dispatcher' }],
        },
        Period: 60,
        Stat,
      },
    });
    expect(requests).toEqual([
      {
        target: 'GraniteServiceVersion20100801.GetMetricData',
        type: 'application/x-amz-json-1.0',
        body: {
          MetricDataQueries: [
            query('m0', 'AWS/Lambda', 'IteratorAge', 'Maximum', 'FunctionName'),
            query('m1', 'AWS/Lambda', 'Invocations', 'Sum', 'FunctionName'),
            query('m2', 'AWS/Kinesis', 'IncomingRecords', 'Sum', 'StreamName'),
          ],
          StartTime: 1_767_224_820,
          EndTime: 1_767_225_720,
          ScanBy: 'TimestampDescending',
        },
      },
    ]);
  });

  it('reads the alarms of the stack, but not the alarms of another stack whose name starts with the name of the stack', async () => {
    expect(await monitoring.alarms()).toEqual([
      { name: 'Milepost-TrackerAlarmsParked1A2B3C4D-5E6F', isRaised: true, hasAction: true },
      { name: 'Milepost-Quiet', isRaised: false, hasAction: false },
    ]);
    expect(requests).toMatchObject([
      {
        target: 'GraniteServiceVersion20100801.DescribeAlarms',
        body: { AlarmNamePrefix: 'Milepost-', AlarmTypes: ['MetricAlarm'], MaxRecords: 100 },
      },
    ]);
  });
});
