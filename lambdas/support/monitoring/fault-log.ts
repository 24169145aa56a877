import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type ModelFault, RemoteModelFault } from '../../../src/core/model/model-fault.ts';
import { SourceMaps } from '../../../src/core/model/source-maps.ts';
import { type StackFrame, stackFrames } from '../../../src/core/model/stack-frames.ts';
import type { FaultReporter } from '../../../src/model-runtime/fault-reporter.ts';

/** Facts about the code that runs. */
export interface FaultLogOptions {
  /** The file that was bundled, relative to the project, where it is known. */
  readonly entry?: string;
  /** The folder of the function's code. */
  readonly folder: string;
  /** The file that has Milepost in it: in a bundle, the bundle. */
  readonly self: string;
  /** Whether it says why a model failed, in words that may quote an event. */
  readonly eventData: boolean;
}

/** So many of the latest faults are known, so that the attempts that follow a fault do not log it again. */
const maximumKnownFaults = 1000;

/**
 * Finds faults in a model's code by the source map beside its bundle, where there is one, and logs each
 * once.
 *
 * @param console where to: Lambda makes JSON of it, with level, time and request.
 */
export function faultLog(
  { entry, folder, self, eventData }: FaultLogOptions,
  console: Pick<Console, 'error'>,
): FaultReporter {
  const maps = new SourceMaps((path) => readFileSync(path, 'utf8'), entry);
  const logged = new Set<string>();

  /** Of code that is not bundled; of a bundle the position alone tells nothing. */
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
  /** The stack without the frames by which Milepost called the model. */
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
        message: 'a model failed',
        ...{ model, transaction, event: id, type },
        ...(eventData && { reason: fault.message }),
        ...(place !== undefined && { place }),
        // A function in another language has the rest in its own log.
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
