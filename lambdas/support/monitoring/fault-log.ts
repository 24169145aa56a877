import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type ModelFault, RemoteModelFault } from '../../../src/core/model/model-fault.ts';
import { SourceMaps } from '../../../src/core/model/source-maps.ts';
import { type StackFrame, stackFrames } from '../../../src/core/model/stack-frames.ts';
import type { FaultReporter } from '../../../src/model-runtime/fault-reporter.ts';

export interface FaultLogOptions {
  /** The entry file of the bundle, relative to the project, if known. */
  readonly entry?: string;
  /** The folder that contains the function's code. */
  readonly folder: string;
  /** The file that contains Milepost's code: the bundle, if the code is bundled. */
  readonly self: string;
  /** True to log the messages of faults, which can quote event data. */
  readonly eventData: boolean;
}

/** The maximum number of faults to remember. Retries do not log a remembered fault again. */
const maximumKnownFaults = 1000;

/**
 * Creates the reporter that locates faults in a model's code, with the source map of its bundle if there is one, and
 * logs each fault once.
 *
 * @param console the log, whose lines Lambda formats as JSON with level, time, and request id.
 */
export function faultLog(
  { entry, folder, self, eventData }: FaultLogOptions,
  console: Pick<Console, 'error'>,
): FaultReporter {
  const maps = new SourceMaps((path) => readFileSync(path, 'utf8'), entry);
  const logged = new Set<string>();

  /**
   * Returns the position of a frame in the model's code if the code is not bundled. Without a source map, a position in
   * a bundle is not useful.
   */
  const unbundled = ({ file, line, column }: StackFrame): string | undefined => {
    const path = relative(folder, file);
    const isOwn =
      isAbsolute(file) && file !== self && !/^\.\.|^node_modules|\/node_modules\//.test(path);
    return isOwn ? `${path}:${line}:${column}` : undefined;
  };
  const ownPlace = (frame: StackFrame): string | undefined => {
    const source = maps.placeOf(frame);
    if (!source) return unbundled(frame);
    return source.isOwn ? source.place : undefined;
  };
  const placeOf = ({ place, cause }: ModelFault): string | undefined =>
    place ??
    stackFrames(cause)
      .values()
      .map(ownPlace)
      .find((found) => found !== undefined);
  /** Returns the stack without the frames of Milepost that called the model. */
  const stackOf = (thrown: unknown): string[] => {
    const frames = stackFrames(thrown);
    const last = frames.findLastIndex((frame) => ownPlace(frame) !== undefined);
    const ofModel = last === -1 ? frames : frames.slice(0, last + 1);
    return ofModel.map((frame) => maps.placeOf(frame)?.place ?? textOf(frame));
  };

  return {
    placeOf,
    log(fault, { model, transaction, type, source, id }) {
      const key = JSON.stringify([transaction, source, id, fault.message]);
      if (logged.has(key)) return;
      if (logged.size >= maximumKnownFaults) logged.clear();
      logged.add(key);
      const { cause } = fault;
      const place = placeOf(fault);
      console.error({
        message: 'model failed',
        ...{ model, transaction, event: id, type },
        ...(eventData && { reason: fault.message }),
        ...(place !== undefined && { place }),
        // A model function in another language writes the stack to its own log.
        ...(!(cause instanceof RemoteModelFault) && {
          error: cause instanceof Error ? cause.name : typeof cause,
          stack: stackOf(cause),
        }),
      });
    },
  };
}

const textOf = ({ name, file, line, column }: StackFrame) =>
  `${name === '' ? '' : `${name} `}(${file}:${line}:${column})`;
