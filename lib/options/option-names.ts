import type { ModelProps } from '../model-functions/model.ts';
import type { ModelFunctionProps } from '../model-functions/model-host.ts';
import type { OperatorPagesProps } from '../pages/operator-pages.ts';
import type { ProcessTrackerProps } from '../process-tracker-props.ts';

/** Returns the names of the options in an interface. The compiler checks that the list is complete. */
const namesOf = <Props>(options: Readonly<Record<keyof Props, true>>): readonly string[] =>
  Object.keys(options);

/** The names of a tracker's options. */
export const trackerOptions = namesOf<ProcessTrackerProps>({
  streamName: true,
  streamRetention: true,
  encryptionKey: true,
  removalPolicy: true,
  logRetention: true,
  instancesCapacity: true,
  batchSize: true,
  lowLatency: true,
  parallelizationFactor: true,
  retryAttempts: true,
  failureRetention: true,
  modelAttempts: true,
  modelBackoff: true,
  dispatcherMemorySize: true,
  dispatcherReservedConcurrency: true,
  apiMemorySize: true,
  apiReservedConcurrency: true,
  apiThrottle: true,
  clockReservedConcurrency: true,
  apiTokens: true,
  apiAuthorizer: true,
  apiCorsOrigins: true,
  customerPages: true,
  customerPagesThrottle: true,
  customerPagesReservedConcurrency: true,
  operatorPages: true,
  iteratorAgeAlarm: true,
  modelMetrics: true,
  dashboard: true,
  tracing: true,
  eventDataInLogs: true,
  tags: true,
  notifications: true,
  canary: true,
  archive: true,
  alarmTopic: true,
  personalData: true,
  signingKeyRotation: true,
  bundles: true,
});

/** The names of the options of `addModel`. */
export const modelOptions = namesOf<ModelProps>({
  entry: true,
  handler: true,
  memorySize: true,
  timeout: true,
  reservedConcurrency: true,
  environment: true,
  sourceMaps: true,
  depsLockFilePath: true,
  bundling: true,
});

/** The names of the options of `addModelFunction`. */
export const modelFunctionOptions = namesOf<ModelFunctionProps>({
  function: true,
  revision: true,
  memorySize: true,
  timeout: true,
  reservedConcurrency: true,
});

/** The names of the settings in `operatorPages`. */
export const pagesOptions = namesOf<OperatorPagesProps>({
  clientId: true,
  tokenOrigin: true,
  scope: true,
  loginParameters: true,
  domain: true,
  certificate: true,
  webAclArn: true,
  accessLogBucket: true,
  files: true,
});
