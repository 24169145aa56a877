import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerCloudFormation, type DescribedStack } from './cloudformation.ts';
import { answerBucket, type BucketResponse } from './failure-bucket.ts';
import { compilePattern } from './filter-pattern.ts';
import type { Firehose } from './firehose.ts';
import type { Functions } from './functions.ts';
import { answerConcurrency } from './lambda.ts';
import type { LogGroups } from './log-groups.ts';

/** The parts of a local service that the simulated AWS account exposes. */
export interface AccountDependencies {
  readonly stack: DescribedStack;
  readonly functions: Functions;
  readonly logs: LogGroups;
  /** The folder of the local failure destinations. */
  readonly buckets: string;
  /** The local Lambda endpoint. */
  readonly lambda: string;
}

/** The AWS services that functions need and the local service does not have. */
export interface AccountServices {
  readonly firehose: Firehose;
  /** A server without its own port. The account passes requests to this server. */
  readonly secrets: Server;
}

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

/**
 * Serves a local service as an AWS account to the AWS CLI and to functions: CloudFormation, CloudWatch Logs, Secrets
 * Manager, Firehose, the failure bucket, and the operations of Lambda that the local endpoint does not have. Forwards
 * other Lambda operations to the local endpoint, and rejects all other requests.
 *
 * @param account resolves when the local service is ready
 */
export function accountServer(
  { firehose, secrets }: AccountServices,
  account: Promise<AccountDependencies>,
): Server {
  return createServer((request, response) => {
    const service = serviceOf(request);
    if (service === 'secretsmanager') {
      secrets.emit('request', request, response);
      return;
    }
    const answered =
      service === 'firehose'
        ? text(request).then((body) =>
            firehose.answer(String(request.headers['x-amz-target']), body),
          )
        : account.then((ready) => answer(ready, service, request));
    void answered
      .catch((error: unknown): BucketResponse => ({ status: 400, body: String(error) }))
      .then(({ status, headers, body = '' }) =>
        response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body),
      );
  });
}

async function answer(
  account: AccountDependencies,
  service: string,
  incoming: IncomingMessage,
): Promise<BucketResponse> {
  const request: Request = {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', 'http://account'),
    body: await text(incoming),
  };
  switch (service) {
    case 'cloudformation':
      return { status: 200, body: answerCloudFormation(account.stack, request.body) };
    case 'logs':
      return { status: 200, body: filterLogs(account, request.body) };
    case 's3':
      return answerBucket(account.buckets, request);
    case 'lambda':
      return answerLambda(account, request);
    default:
      throw new Error(`the account does not support ${service}`);
  }
}

/** Returns the AWS service of a request, from the credential scope of its signature. */
function serviceOf({ headers }: IncomingMessage): string {
  const [, service = ''] = /\/([a-z0-9-]+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  return service;
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
function filterLogs({ logs }: AccountDependencies, body: string): string {
  const { logGroupName, filterPattern } = JSON.parse(body) as Record<string, string>;
  const matches = compilePattern(filterPattern!);
  const events = logs.of(logGroupName!).filter(matches);
  return JSON.stringify({ events: events.map((message) => ({ message })) });
}

async function answerLambda(
  { functions, lambda }: AccountDependencies,
  { method, url, body }: Request,
): Promise<BucketResponse> {
  const own = answerConcurrency(functions, { method, path: url.pathname, body });
  if (own) return own;
  const local = await fetch(`${lambda}${url.pathname}${url.search}`, {
    method,
    ...(body !== '' && { body }),
  });
  return { status: local.status, body: await local.text() };
}
