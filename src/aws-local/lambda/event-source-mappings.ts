import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import type { ManagedMapping } from '../event-source/managed-mapping.ts';
import { parseFunctionName } from './function-name.ts';
import { LambdaApiError } from './lambda-api-error.ts';

/** The parts of a mapping that the API returns and changes. */
export type ListedMapping = Pick<
  ManagedMapping,
  | 'identity'
  | 'properties'
  | 'state'
  | 'lastModified'
  | 'lastProcessingResult'
  | 'isChanging'
  | 'enable'
  | 'disable'
>;

/** The event source mappings that the endpoint serves. */
export interface OfferedMappings {
  /** Returns the current mappings. */
  readonly list: () => readonly ListedMapping[];
  readonly log: (line: string) => void;
}

export interface MappingRequest {
  readonly method: string | undefined;
  /** The id of the mapping in the path; undefined for the path of all mappings. */
  readonly uuid: string | undefined;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface MappingResponse {
  readonly status: 200 | 202;
  readonly body: object;
}

/**
 * Responds to ListEventSourceMappings (all on one page), GetEventSourceMapping, and UpdateEventSourceMapping.
 *
 * @throws {LambdaApiError} `ResourceNotFoundException`; `ResourceInUseException` while the mapping is changing;
 *   `InvalidRequestContentException` for an update that is not JSON; `InvalidParameterValueException` for an update of
 *   anything but `Enabled`; `ValidationException` for an invalid `FunctionName`; `UnknownOperationException`.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListEventSourceMappings.html
 */
export function answerMappingRequest(
  { list, log }: OfferedMappings,
  { method, uuid, query, body }: MappingRequest,
): MappingResponse {
  if (method === 'GET' && uuid === undefined) {
    const found = list().filter(matching(query)).map(configuration);
    return { status: 200, body: { EventSourceMappings: found, NextMarker: null } };
  }
  if (uuid === undefined || (method !== 'GET' && method !== 'PUT'))
    throw new LambdaApiError(
      'UnknownOperationException',
      'Event source mappings are part of the CDK app.',
    );
  const mapping = findMapping(list(), uuid);
  if (method === 'GET') return { status: 200, body: configuration(mapping) };
  update(mapping, body, log);
  return { status: 202, body: configuration(mapping) };
}

/** Selects the mappings of a function, a stream, or both. */
function matching(query: URLSearchParams) {
  const functionName = query.get('FunctionName');
  const streamArn = query.get('EventSourceArn');
  const wanted = functionName === null ? undefined : parseFunctionName(functionName).name;
  return ({ identity }: ListedMapping) =>
    (wanted === undefined || parseFunctionName(identity.functionArn).name === wanted) &&
    (streamArn === null || identity.streamArn === streamArn);
}

/**
 * Starts to enable or disable a mapping. Like AWS, does not wait until the change is complete.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html
 */
function update(mapping: ListedMapping, body: string, log: (line: string) => void): void {
  const { identity, isChanging, state } = mapping;
  if (isChanging)
    throw new LambdaApiError(
      'ResourceInUseException',
      `Cannot update the event source mapping because it is in use: its state is ${state}.`,
    );
  const changing = wantedEnabled(body) ? mapping.enable() : mapping.disable();
  changing.catch((error: unknown) =>
    log(`cannot change the event source mapping ${identity.uuid}: ${messageOf(error)}`),
  );
}

const updateSchema = v.strictObject({ Enabled: v.boolean() });

function wantedEnabled(body: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new LambdaApiError('InvalidRequestContentException', messageOf(error));
  }
  if (!v.is(updateSchema, parsed))
    throw new LambdaApiError(
      'InvalidParameterValueException',
      'The local Lambda endpoint changes only `Enabled` of an event source mapping. Change its other settings in the CDK app.',
    );
  return parsed.Enabled;
}

function findMapping(mappings: readonly ListedMapping[], uuid: string): ListedMapping {
  const found = mappings.find(({ identity }) => identity.uuid === uuid);
  if (found) return found;
  throw new LambdaApiError(
    'ResourceNotFoundException',
    'The resource you requested does not exist.',
  );
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html */
function configuration(mapping: ListedMapping) {
  const { identity, properties, state, lastModified, lastProcessingResult } = mapping;
  return {
    UUID: identity.uuid,
    EventSourceArn: identity.streamArn,
    FunctionArn: identity.functionArn,
    State: state,
    StateTransitionReason: 'User action',
    LastProcessingResult: lastProcessingResult,
    LastModified: lastModified / 1_000,
    StartingPosition: properties.StartingPosition,
    BatchSize: properties.BatchSize,
    MaximumBatchingWindowInSeconds: properties.MaximumBatchingWindowInSeconds,
    ParallelizationFactor: properties.ParallelizationFactor,
    BisectBatchOnFunctionError: properties.BisectBatchOnFunctionError,
    MaximumRetryAttempts: properties.MaximumRetryAttempts,
    MaximumRecordAgeInSeconds: properties.MaximumRecordAgeInSeconds,
    FunctionResponseTypes: properties.FunctionResponseTypes,
    FilterCriteria: properties.FilterCriteria,
  };
}
