/**
 * The building blocks of models: events, decisions, effects, and the Lambda handler that runs a model.
 *
 * @module milepost
 */
export { type ModelHandler, serve } from './lambdas/support/serve.ts';
export type { Calendar, OpenInterval } from './src/core/calendar/calendar.ts';
export type { CalendarDeclaration, Weekday } from './src/core/calendar/declaration.ts';
export { defineCalendar } from './src/core/calendar/define-calendar.ts';
export {
  type DeadlineExtension,
  type DeadlineFacts,
  type DeadlineTimes,
  deadlineTimes,
} from './src/core/deadline/deadline-times.ts';
export { type Pause, pausesBetween } from './src/core/deadline/pauses.ts';
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
} from './src/core/effects/effect.ts';
export { outcomeRecorded } from './src/core/effects/outgoing-event.ts';
export { timerFired } from './src/core/effects/timer.ts';
export { type ErrorCode, MilepostError } from './src/core/errors.ts';
export { type InstanceKey, type TrackedEvent, transactionId } from './src/core/event/event.ts';
export { instanceSource } from './src/core/event/reserved-source.ts';
export { tokenOf } from './src/core/event/token.ts';
export type { Json, JsonObject } from './src/core/json/json.ts';
export { defineModel } from './src/core/model/define-model.ts';
export type {
  Description,
  Diagram,
  Keys,
  Milestone,
  MilestoneProgress,
} from './src/core/model/description.ts';
export type { Labels } from './src/core/model/labels.ts';
export type { Language } from './src/core/model/languages.ts';
export {
  accept,
  type Decision,
  type EventOf,
  type EventSchemas,
  type Model,
  reject,
  type TransitionContext,
} from './src/core/model/model.ts';
export type { Sensitive } from './src/core/personal-data/sensitive.ts';
export type { ProcessDeclaration, ProcessMilestone } from './src/core/process/declaration.ts';
export { defineProcess } from './src/core/process/define-process.ts';
export type { CalendarByKey, MilestoneDeadline } from './src/core/process/milestone-deadline.ts';
export type { ProcessState } from './src/core/process/state.ts';
export { after, durationMilliseconds } from './src/core/time/duration.ts';
export { unixSeconds } from './src/core/time/timestamp.ts';
