import type { InstanceKey } from '../../core/event/event.ts';
import { Problem } from '../http/problem.ts';
import { instanceName } from './instance-name.ts';

/** Creates the error for an instance that lacks a commit before a later one. */
export const missingCommit = (key: InstanceKey, version: number, later: number): Problem =>
  new Problem(
    500,
    `${instanceName(key)} has damaged data: commit ${version} is missing, but commit ${later} exists`,
  );
