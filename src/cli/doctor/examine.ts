import type { Command } from 'commander';
import { Cli, type GlobalOptions } from '../cli.ts';
import { type ApiClient, ApiError } from '../client/api-client.ts';
import { responses } from '../client/responses.ts';
import { clocks, notReached, reached, versions } from './connection-checks.ts';
import { type Finding, finding } from './finding.ts';
import { type ObservedResponse, observedFetch } from './observed-fetch.ts';

/**
 * The timeout of the request, in milliseconds. It exceeds the time that a cold start and the slowest check can
 * take.
 */
const timeoutMs = 20_000;

/** The results of all checks, and the version of the service, which is null if the service did not report it. */
export interface Examination {
  readonly version: string | null;
  readonly checks: readonly Finding[];
}

/**
 * Requests the service's own checks, and checks the connection to the service. Returns connection problems as findings.
 */
export async function examine(cli: Cli, command: Command): Promise<Examination> {
  let observed: ObservedResponse | undefined;
  const fetch = observedFetch(cli.context.fetch, (response) => {
    observed = response;
  });
  const client = new Cli({ ...cli.context, fetch }).api(command, { timeoutMs, attempts: 1 });
  try {
    const answer = (await client.get('/checks')).read(responses.checks);
    const connection = observed ? [reached(observed), ...clocks(observed)] : [];
    const version = versions(answer.version, cli.context.version);
    const ofService = await withLag(answer.checks, client);
    return { version: answer.version, checks: [...connection, version, ...ofService] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { api } = command.optsWithGlobals<GlobalOptions>();
    const failure = notReached(error, api, cli.context.env);
    return { version: null, checks: [failure, ...clocks(observed)] };
  }
}

/** Adds a check of the lag, unless the service has checked the lag itself or does not read the stream. */
async function withLag(checks: readonly Finding[], client: ApiClient): Promise<Finding[]> {
  const reader = checks.findIndex(({ id, state }) => id === 'dispatcher' && state === 'ok');
  if (reader === -1 || checks.some(({ id }) => id === 'lag')) return [...checks];
  return checks.toSpliced(reader + 1, 0, await checkLag(client));
}

/**
 * Checks the lag of the local service, whose health check fails if records wait too long. In AWS, the service checks
 * metrics instead.
 */
async function checkLag(client: ApiClient): Promise<Finding> {
  try {
    await client.get('/health');
    return finding('lag', 'ok', 'no record has waited for more than a minute');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return finding('lag', 'failed', error.message);
  }
}
