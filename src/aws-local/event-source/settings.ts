import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import type { EventMatcher } from '../eventbridge/event-pattern.ts';
import { filterMatcher } from './filter-criteria.ts';
import { kinesisFormat } from './kinesis-event.ts';
import type { RecordFormat } from './record-format.ts';
import type { ShardPosition } from './shards.ts';

/** The error thrown for a setting that AWS would reject or that the local event source mapping does not support. */
export class EventSourceSettingsError extends Error {
  readonly code = 'bad-event-source-setting';
}

const integerBetween = (min: number, max: number) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(min, ({ input }) => `must be at least ${min}; got ${input}`),
    v.maxValue(max, ({ input }) => `must be at most ${max}; got ${input}`),
  );

/**
 * The properties of an `AWS::Lambda::EventSourceMapping` on a stream, with the ranges and defaults of AWS.
 * Other properties are ignored.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-parameters.html
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
 */
const propertiesSchema = v.object({
  BatchSize: v.optional(integerBetween(1, 10_000), 100),
  MaximumBatchingWindowInSeconds: v.optional(integerBetween(0, 300), 0),
  ParallelizationFactor: v.optional(integerBetween(1, 10), 1),
  BisectBatchOnFunctionError: v.optional(v.boolean(), false),
  MaximumRetryAttempts: v.optional(integerBetween(-1, 10_000), -1),
  MaximumRecordAgeInSeconds: v.optional(
    v.pipe(
      integerBetween(-1, 604_800),
      v.check(
        (age) => age === -1 || age >= 60,
        ({ input }) => `must be -1 or at least 60; got ${input}`,
      ),
    ),
    -1,
  ),
  StartingPosition: v.picklist(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP']),
  /** The time in seconds since 1970. Required for `AT_TIMESTAMP`, and not allowed for other starting positions. */
  StartingPositionTimestamp: v.optional(v.pipe(v.number(), v.minValue(0))),
  FunctionResponseTypes: v.optional(
    v.pipe(v.array(v.literal('ReportBatchItemFailures')), v.maxLength(1)),
    [],
  ),
  DestinationConfig: v.optional(
    v.object({ OnFailure: v.optional(v.object({ Destination: v.optional(v.unknown()) })) }),
    {},
  ),
  // The owner of the mapping decides when to enable it.
  Enabled: v.optional(v.boolean()),
  FilterCriteria: v.optional(
    v.object({ Filters: v.optional(v.array(v.object({ Pattern: v.string() })), []) }),
    {},
  ),
  TumblingWindowInSeconds: v.optional(integerBetween(0, 900), 0),
});

export type EventSourceProperties = v.InferInput<typeof propertiesSchema>;

export interface EventSourceSettings {
  readonly batchSize: number;
  readonly windowMs: number;
  readonly parallelizationFactor: number;
  readonly bisects: boolean;
  /** The maximum number of retries of a batch; `Infinity` for unlimited retries. */
  readonly maxRetries: number;
  /** The age after which a record is discarded, in milliseconds; `Infinity` for no maximum age. */
  readonly maxAgeMs: number;
  readonly startingPosition: ShardPosition;
  readonly reportsItemFailures: boolean;
  readonly hasDestination: boolean;
  /** The length of a tumbling window in milliseconds; 0 without windows. */
  readonly tumblingWindowMs: number;
  /**
   * Returns true if a record matches the filters. Undefined without filters: the function then receives all records.
   */
  readonly matches?: EventMatcher;
}

/**
 * Converts CloudFormation properties to settings.
 *
 * @throws {EventSourceSettingsError} that names the invalid property and the reason.
 */
export function eventSourceSettings(
  properties: EventSourceProperties,
  now: number,
  format: Pick<RecordFormat, 'filterable' | 'startsAtTimestamp'> = kinesisFormat,
): EventSourceSettings {
  const parsed = v.safeParse(propertiesSchema, properties);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw refused(v.getDotPath(issue) ?? 'properties', issue.message);
  }
  const valid = parsed.output;
  if (valid.StartingPosition === 'AT_TIMESTAMP' && !format.startsAtTimestamp)
    throw refused('StartingPosition', 'must be TRIM_HORIZON or LATEST for the stream of a table');
  return {
    batchSize: valid.BatchSize,
    windowMs: valid.MaximumBatchingWindowInSeconds * 1000,
    parallelizationFactor: valid.ParallelizationFactor,
    bisects: valid.BisectBatchOnFunctionError,
    maxRetries: unlimited(valid.MaximumRetryAttempts),
    maxAgeMs: unlimited(valid.MaximumRecordAgeInSeconds) * 1000,
    startingPosition: startingPosition(
      valid.StartingPosition,
      valid.StartingPositionTimestamp,
      now,
    ),
    reportsItemFailures: valid.FunctionResponseTypes.length > 0,
    hasDestination: valid.DestinationConfig.OnFailure?.Destination !== undefined,
    tumblingWindowMs: valid.TumblingWindowInSeconds * 1000,
    matches: filters(valid.FilterCriteria.Filters, format),
  };
}

function filters(
  patterns: readonly { readonly Pattern: string }[],
  { filterable }: Pick<RecordFormat, 'filterable'>,
): EventSourceSettings['matches'] {
  if (patterns.length === 0) return undefined;
  if (filterable === undefined)
    throw refused('FilterCriteria', 'filtering is supported only for the stream of a table');
  try {
    return filterMatcher(patterns.map(({ Pattern }) => Pattern));
  } catch (error) {
    throw refused('FilterCriteria', messageOf(error));
  }
}

function startingPosition(
  at: EventSourceProperties['StartingPosition'],
  seconds: number | undefined,
  now: number,
): ShardPosition {
  if (at !== 'AT_TIMESTAMP') {
    if (seconds === undefined) return { at };
    throw refused(
      'StartingPositionTimestamp',
      'is allowed only with StartingPosition AT_TIMESTAMP',
    );
  }
  if (seconds === undefined) {
    throw refused('StartingPositionTimestamp', 'is required with StartingPosition AT_TIMESTAMP');
  }
  const timestamp = seconds * 1000;
  if (timestamp > now)
    throw refused('StartingPositionTimestamp', `must not be in the future; got ${seconds}`);
  return { at, timestamp };
}

/** Converts -1, AWS's value for no limit, to `Infinity`. */
function unlimited(limit: number): number {
  return limit === -1 ? Infinity : limit;
}

function refused(property: string, reason: string): EventSourceSettingsError {
  return new EventSourceSettingsError(`${property}: ${reason}`);
}
