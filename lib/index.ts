export { Model, type ModelProps } from './model.ts';
export { Notifications } from './notifications.ts';
export { type ApiTokens, ProcessTracker, type ProcessTrackerProps } from './process-tracker.ts';
