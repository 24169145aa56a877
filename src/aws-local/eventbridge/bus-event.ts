/**
 * An event as EventBridge delivers it to targets.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html
 */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** The event's time in RFC 3339 format, in UTC and whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An event, and the bus on which it was put. */
export interface PublishedEvent {
  /** The name of the bus; `default` if the entry specifies none. */
  readonly bus: string;
  readonly event: BusEvent;
}
