/**
 * AWS CDK constructs that deploy Milepost.
 *
 * @module milepost/cdk
 */

export type { NotificationFilter } from '../src/publisher/notification-filter.ts';
export type { ApiRoles } from './api/roles.ts';
export { Model, type ModelProps } from './model-functions/model.ts';
export { type ModelFunctionProps, ModelHost } from './model-functions/model-host.ts';
export { OperatorPages, type OperatorPagesProps } from './pages/operator-pages.ts';
export type { MappedData, MappedEvent } from './pipeline/event-bridge-event.ts';
export { EventBridgeSource, type EventBridgeSourceProps } from './pipeline/event-bridge-source.ts';
export type { NotificationStreamProps } from './pipeline/notification-stream.ts';
export { type NotificationBusProps, Notifications } from './pipeline/notifications.ts';
export { ProcessTracker } from './process-tracker.ts';
export type { ApiTokens, ProcessTrackerProps } from './process-tracker-props.ts';
export { Archive } from './storage/archive.ts';
export type { InstanceIndex } from './storage/instance-indexes.ts';
export type { ProvisionedCapacity, ReadWriteCapacity } from './storage/provisioned-capacity.ts';
