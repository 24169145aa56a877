export { Model, type ModelProps } from './model.ts';
export { ProcessTracker, type ProcessTrackerProps } from './process-tracker.ts';
