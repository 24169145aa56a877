import { shellWord } from '../../common/shell-word.ts';
import type { ApiError } from '../client/api-client.ts';
import type { Environment } from '../context.ts';
import { type Finding, finding } from './finding.ts';
import type { ObservedResponse } from './observed-fetch.ts';

/**
 * The smallest clock differences, in milliseconds, that result in a warning and in a failure. AWS rejects signatures
 * whose time is off by more than five minutes.
 */
const [noticeable, rejected] = [5_000, 5 * 60_000];

/** Creates the finding for a service that responded. */
export const reached = ({ duration }: ObservedResponse): Finding =>
  finding('api', 'ok', `it responds in ${Math.round(duration)} ms`);

/** Creates the finding for a service that did not respond to the request for its checks, or that returned an error. */
export function notReached(error: ApiError, api: string, env: Environment): Finding {
  const failed = (detail: string, ...remedy: readonly string[]) =>
    finding('api', 'failed', detail, ...remedy);
  const { hostname } = new URL(api);
  const health = shellWord(`${api.replace(/\/+$/, '')}/api/health`);
  switch (error.status) {
    case undefined:
      if (hasNoCredentials(error))
        return failed('there are no AWS credentials to sign requests', 'aws configure');
      return isThisMachine(hostname)
        ? failed(error.message, 'milepost local')
        : failed(error.message, `curl --verbose ${health}`);
    case 401:
    case 403:
      return env.MILEPOST_TOKEN
        ? failed(
            `it denies access: ${error.message}; the token in MILEPOST_TOKEN is invalid, has expired, or has no role`,
            'unset MILEPOST_TOKEN',
          )
        : failed(
            `it denies access: ${error.message}; grant execute-api:Invoke to your AWS identity, or set MILEPOST_TOKEN`,
            'aws sts get-caller-identity',
          );
    case 404:
      return failed(
        'it has no checks, because it is older than the CLI; deploy the new version',
        'npx cdk deploy',
      );
    default:
      return failed(error.message, `curl --verbose ${health}`);
  }
}

/**
 * Compares the clocks of this machine and the service. Returns no finding if there was no response with a `Date`
 * header.
 */
export function clocks(observed: ObservedResponse | undefined): Finding[] {
  if (observed?.clockDifference === undefined) return [];
  const distance = Math.abs(observed.clockDifference);
  if (distance < noticeable)
    return [finding('time', 'ok', 'the clocks of this machine and the service agree')];
  const seconds = Math.round(distance / 1_000);
  const direction = observed.clockDifference > 0 ? 'behind' : 'ahead of';
  const detail = `this machine's clock is ${seconds} s ${direction} the service's`;
  return distance < rejected
    ? [finding('time', 'warning', detail, 'timedatectl status')]
    : [
        finding(
          'time',
          'failed',
          `${detail}; AWS rejects signatures whose time is off by more than 5 minutes`,
          'timedatectl status',
        ),
      ];
}

/** Compares the versions of the service and the CLI. */
export const versions = (ofService: string, ofThis: string): Finding =>
  ofService === ofThis
    ? finding('version', 'ok', `the service and the CLI both have version ${ofService}`)
    : finding(
        'version',
        'warning',
        `the service has version ${ofService}, but the CLI has version ${ofThis}`,
      );

const isThisMachine = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

const hasNoCredentials = ({ cause }: ApiError) =>
  cause instanceof Error && cause.name === 'CredentialsProviderError';
