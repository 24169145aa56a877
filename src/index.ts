/**
 * What models are made of: events, decisions, effects, and the Lambda that runs them.
 *
 * @module milepost
 */
export { serve } from '../lambdas/support/serve.ts';
export {
  type CancelTimer,
  cancelTimer,
  type Effect,
  type Emit,
  emit,
  type Notify,
  notify,
  type StartTimer,
  startTimer,
} from './core/effects/effect.ts';
export { outcomeRecorded } from './core/effects/follow-up.ts';
export { timerFired } from './core/effects/timer.ts';
export { type ErrorCode, MilepostError } from './core/errors.ts';
export { type InstanceKey, type TrackedEvent, transactionId } from './core/event/event.ts';
export type { Keys } from './core/event/keys.ts';
export { tokenOf } from './core/event/token.ts';
export type { Json, JsonObject } from './core/json/json.ts';
export type {
  Description,
  Diagram,
  Milestone,
  MilestoneProgress,
} from './core/model/description.ts';
export {
  accept,
  type Decision,
  defineModel,
  type EventOf,
  type EventSchemas,
  type Model,
  reject,
  type TransitionContext,
} from './core/model/model.ts';
export type { Sensitive } from './core/personal-data/sensitive.ts';
export type { ProcessDeclaration, ProcessMilestone } from './core/process/declaration.ts';
export { defineProcess } from './core/process/define-process.ts';
export type { ProcessState } from './core/process/state.ts';
export { after, durationMilliseconds } from './core/time/duration.ts';
export { unixSeconds } from './core/time/timestamp.ts';
