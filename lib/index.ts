export { Model, type ModelProps } from './model.ts';
export { Notifications } from './notifications.ts';
export { ProcessTracker, type ProcessTrackerProps } from './process-tracker.ts';
