import { RemovalPolicy, Token } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import type { ApiTokens, ProcessTrackerProps } from '../process-tracker-props.ts';
import { checkBoolean } from './check-boolean.ts';
import { checkOrigins, requireHttps } from './check-origins.ts';
import { checkPages } from './check-pages.ts';
import { checkTags } from './check-tags.ts';
import { checkThrottle } from './check-throttle.ts';
import { isNames } from './is-names.ts';
import { memorySizes } from './memory-sizes.ts';
import { trackerOptions } from './option-names.ts';
import { requireDuration } from './require-duration.ts';
import { checkInteger } from './require-integer.ts';
import { requireKey } from './require-key.ts';
import { requireMethod } from './require-method.ts';
import { requireObject } from './require-object.ts';
import { requireSameRegion } from './require-same-region.ts';
import { shown } from './shown.ts';
import { streamRetentionHours } from './stream-retention-hours.ts';
import { warnOfMisspelledOptions } from './warn-of-misspelled-options.ts';

/** The options that are on or off. */
const booleans = [
  'lowLatency',
  'customerPages',
  'modelMetrics',
  'dashboard',
  'tracing',
  'eventDataInLogs',
  'canary',
  'archive',
  'personalData',
] as const;

/**
 * Checks the options of a tracker that are passed on to AWS. Without these checks, AWS would reject invalid values only
 * during the deployment. Durations must be known during synthesis; other values that are unknown until the deployment
 * are not checked.
 *
 * @throws MilepostError `bad-request` for an invalid option.
 */
export function checkTrackerProps(scope: Construct, props: ProcessTrackerProps): void {
  for (const name of booleans) checkBoolean(`\`${name}\``, props[name]);
  checkNumbers(props);
  checkDurations(props);
  checkNames(props);
  checkThrottle('apiThrottle', props.apiThrottle);
  checkThrottle('customerPagesThrottle', props.customerPagesThrottle);
  const { apiCorsOrigins, apiTokens, operatorPages, tags } = props;
  if (apiCorsOrigins !== undefined) checkOrigins('`apiCorsOrigins`', apiCorsOrigins);
  if (apiTokens !== undefined) checkTokens(apiTokens);
  if (operatorPages !== undefined) checkPages(operatorPages);
  if (tags !== undefined) checkTags(tags);
  checkResources(scope, props);
  warnOfMisspelledOptions(scope, 'the tracker', props, trackerOptions);
}

function checkResources(
  scope: Construct,
  { alarmTopic, encryptionKey, apiAuthorizer, notifications }: ProcessTrackerProps,
): void {
  if (alarmTopic !== undefined) requireSameRegion(scope, '`alarmTopic`', 'topic', alarmTopic);
  if (encryptionKey !== undefined) {
    requireSameRegion(scope, '`encryptionKey`', 'key', encryptionKey);
    requireKey(scope, '`encryptionKey`', encryptionKey);
  }
  if (apiAuthorizer !== undefined)
    requireMethod(
      '`apiAuthorizer`',
      apiAuthorizer,
      'an authorizer, such as new HttpIamAuthorizer()',
      'bind',
    );
  if (notifications !== undefined)
    requireMethod(
      '`notifications`',
      notifications,
      'a value of Notifications, such as Notifications.none()',
      'bind',
    );
}

function checkNumbers(props: ProcessTrackerProps): void {
  checkInteger('`batchSize`', props.batchSize, 1, 10_000);
  checkInteger('`retryAttempts`', props.retryAttempts, -1, 10_000);
  checkInteger('`dispatcherMemorySize`', props.dispatcherMemorySize, ...memorySizes);
  checkInteger('`apiMemorySize`', props.apiMemorySize, ...memorySizes);
  // A function with 0 reserved executions never runs.
  for (const name of ['dispatcherReservedConcurrency', 'clockReservedConcurrency'] as const)
    checkInteger(`\`${name}\``, props[name], 1);
  for (const name of ['apiReservedConcurrency', 'customerPagesReservedConcurrency'] as const) {
    const reserved = props[name];
    if (reserved !== 'none') checkInteger(`\`${name}\`, unless it is 'none',`, reserved, 1);
  }
}

function checkDurations(props: ProcessTrackerProps): void {
  const { streamRetention, iteratorAgeAlarm, modelBackoff } = props;
  if (streamRetention !== undefined)
    requireDuration('`streamRetention`', streamRetention, 'hours', ...streamRetentionHours);
  if (iteratorAgeAlarm !== undefined)
    requireDuration('`iteratorAgeAlarm`', iteratorAgeAlarm, 'seconds', 1);
  if (modelBackoff !== undefined)
    requireDuration('`modelBackoff`', modelBackoff, 'milliseconds', 0);
}

function checkNames({ streamName, logRetention, removalPolicy }: ProcessTrackerProps): void {
  if (
    streamName !== undefined &&
    !Token.isUnresolved(streamName) &&
    !(typeof streamName === 'string' && /^[\w.-]{1,128}$/.test(streamName))
  )
    throw new MilepostError(
      'bad-request',
      `\`streamName\` must have 1 to 128 characters from a-z, A-Z, 0-9, _, ., and -; got "${streamName}"`,
    );
  if (
    logRetention !== undefined &&
    !Token.isUnresolved(logRetention) &&
    !Object.values(RetentionDays).includes(logRetention)
  )
    throw new MilepostError(
      'bad-request',
      `\`logRetention\` must be a value of RetentionDays, such as RetentionDays.ONE_MONTH; got ${shown(logRetention)}`,
    );
  if (removalPolicy !== undefined && !Object.values(RemovalPolicy).includes(removalPolicy))
    throw new MilepostError(
      'bad-request',
      `\`removalPolicy\` must be a value of RemovalPolicy, such as RemovalPolicy.RETAIN; got ${shown(removalPolicy)}`,
    );
  if (removalPolicy === RemovalPolicy.SNAPSHOT)
    throw new MilepostError(
      'bad-request',
      '`removalPolicy` must not be RemovalPolicy.SNAPSHOT, which CloudFormation does not support for tables, streams, and buckets; use RemovalPolicy.RETAIN',
    );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html */
function checkTokens(tokens: ApiTokens): void {
  const example = "{ issuer: 'https://login.example.org', audience: ['status-pages'] }";
  const names = ['issuer', 'audience', 'rolesClaim', 'roles'];
  requireObject('`apiTokens`', tokens, example, names);
  const { issuer, audience } = tokens;
  requireHttps('`apiTokens.issuer`', issuer);
  if (!isNames(audience))
    throw new MilepostError(
      'bad-request',
      `\`apiTokens.audience\` must be a list of client ids; got ${shown(audience)}`,
    );
}
