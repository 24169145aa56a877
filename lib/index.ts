/**
 * AWS CDK constructs that deploy Milepost.
 *
 * @module milepost/cdk
 */
export { Archive } from './archive.ts';
export type { MappedData, MappedEvent } from './event-bridge-event.ts';
export { EventBridgeSource, type EventBridgeSourceProps } from './event-bridge-source.ts';
export { Model, type ModelProps } from './model.ts';
export { type ModelFunctionProps, ModelHost } from './model-host.ts';
export type { NotificationStreamProps } from './notification-stream.ts';
export { Notifications } from './notifications.ts';
export { OperatorPages, type OperatorPagesProps } from './operator-pages.ts';
export { ProcessTracker } from './process-tracker.ts';
export type { ApiTokens, ProcessTrackerProps } from './process-tracker-props.ts';
export type { ApiRoles } from './roles.ts';
