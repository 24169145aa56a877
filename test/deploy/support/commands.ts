import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { awsVersion, dataIsText } from '../../support/aws-command-line.ts';
import type { Account } from './account.ts';

/** The outputs of the stack of `bin/app.ts`. */
export interface Outputs {
  readonly StreamName: string;
  readonly ApiUrl: string;
  readonly InstancesTable: string;
}

interface StackList {
  readonly StackSummaries: readonly { readonly StackName: string; readonly StackStatus: string }[];
}

interface LogGroups {
  readonly logGroups: readonly { readonly logGroupName: string }[];
}
interface LogEvents {
  readonly events: readonly { readonly message: string }[];
}

const frame = /^(INIT_START|START|END|REPORT) |DEP0169|--trace-deprecation|"type":"platform\./;

/**
 * The CDK options for emulators, which support neither the rotation of secrets nor alarms on expressions: see
 * docs/how-to/deploy-to-an-emulator.md.
 */
export const withoutUnsupported = [
  '--context',
  'signingKeyRotation=none',
  '--context',
  'metricMath=none',
];

/** The name of the event stream. If a stream with this name exists, it is left over from an earlier deployment. */
const streamName = 'milepost-events';

/** The commands that a user runs: the CDK, the AWS CLI, and `npx milepost`. */
export class Commands {
  readonly #account: Account;
  /** The folder of the deployed project. */
  readonly #project: string;

  constructor(account: Account, project: string) {
    if (!awsVersion) throw new Error('the AWS CLI is not on the PATH');
    this.#account = account;
    this.#project = project;
  }

  /** Bootstraps the account for the CDK unless it is already bootstrapped. */
  async bootstrap(): Promise<void> {
    if (!(await this.#hasStack('CDKToolkit'))) await this.#cdk('bootstrap');
  }

  async deploy(): Promise<Outputs> {
    const file = join(this.#project, 'outputs.json');
    await rm(file, { force: true });
    await this.#cdk(
      'deploy',
      ...withoutUnsupported,
      '--require-approval',
      'never',
      '--outputs-file',
      file,
    );
    const outputs = JSON.parse(await readFile(file, 'utf8')) as { readonly Milepost: Outputs };
    return outputs.Milepost;
  }

  /** Returns the resources of an earlier deployment that a new deployment would change or conflict with. */
  async existingDeployment(): Promise<string[]> {
    const found: string[] = [];
    if (await this.#hasStack('Milepost')) found.push('the stack Milepost');
    const { StreamNames } = await this.#aws<{ StreamNames: string[] }>('kinesis', 'list-streams');
    if (StreamNames.includes(streamName)) found.push(`the stream ${streamName}`);
    return found;
  }

  async account(): Promise<string> {
    return (await this.#aws<{ Account: string }>('sts', 'get-caller-identity')).Account;
  }

  async putRecord(stream: string, event: { readonly transactionid: string }): Promise<void> {
    const to = ['--stream-name', stream, '--partition-key', event.transactionid];
    await this.#aws('kinesis', 'put-record', ...to, ...dataIsText, '--data', JSON.stringify(event));
  }

  /** Runs `npx milepost` with the stack's API and returns its output. */
  milepost(outputs: Outputs, ...args: readonly string[]): Promise<string> {
    const api = this.#account.apiFor(outputs.ApiUrl);
    return this.#run('npx', ['milepost', '--api', api, ...args]);
  }

  /** Returns the functions' log lines for troubleshooting, without the lines that Lambda itself logs. */
  async functionLogs(): Promise<string> {
    const { logGroups } = await this.#aws<LogGroups>('logs', 'describe-log-groups');
    const said: string[] = [];
    for (const { logGroupName } of logGroups.filter((group) =>
      /milepost/i.test(group.logGroupName),
    )) {
      const { events } = await this.#aws<LogEvents>(
        ...['logs', 'filter-log-events', '--log-group-name', logGroupName],
      );
      const lines = events.map(({ message }) => message).filter((line) => !frame.test(line));
      if (lines.length > 0) said.push(`${logGroupName}:`, ...lines.slice(-25));
    }
    return said.join('\n');
  }

  async #hasStack(name: string): Promise<boolean> {
    const { StackSummaries } = await this.#aws<StackList>('cloudformation', 'list-stacks');
    return StackSummaries.some(
      ({ StackName, StackStatus }) => StackName === name && StackStatus !== 'DELETE_COMPLETE',
    );
  }

  #cdk(...args: readonly string[]): Promise<string> {
    return this.#run('npx', ['cdk', ...args, '--no-notices']);
  }

  async #aws<Answer>(...args: readonly string[]): Promise<Answer> {
    const { AWS_ENDPOINT_URL: endpoint } = this.#account.variables;
    // AWS CLI 2.9, which Debian contains, supports `--endpoint-url` but not `AWS_ENDPOINT_URL`.
    const there = endpoint ? ['--endpoint-url', endpoint] : [];
    return JSON.parse(await this.#run('aws', [...args, ...there, '--output', 'json'])) as Answer;
  }

  async #run(program: string, args: readonly string[]): Promise<string> {
    const { variables: env } = this.#account;
    const options = { cwd: this.#project, env, maxBuffer: 64 * 1024 * 1024 };
    try {
      return (await promisify(execFile)(program, args, options)).stdout;
    } catch (cause) {
      const { stdout, stderr } = cause as { stdout: string; stderr: string };
      const said = `${stdout}\n${stderr}`.trim().slice(-4_000);
      throw new Error(`${program} ${args.slice(0, 2).join(' ')} failed:\n${said}`, { cause });
    }
  }
}
