/** An instance as the HTTP API shows it. */
export interface ObservedInstance {
  readonly model: string;
  readonly transaction: string;
  readonly version: number;
  readonly status: string;
  readonly done: boolean;
  readonly startedAt: string | null;
  readonly timers: readonly { readonly name: string; readonly dueAt: string }[];
  readonly parked: number;
  readonly state: unknown;
}

export interface ObservedEntry {
  readonly version: number;
  readonly at: string;
  readonly event: {
    readonly id: string;
    readonly source: string;
    readonly type: string;
    readonly time: string;
    readonly data: unknown;
  };
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  readonly state: unknown;
}

/** An instance with its history. */
export interface ObservedHistory {
  readonly instance: ObservedInstance;
  readonly entries: readonly ObservedEntry[];
}

/** An instance in a list. */
export type ObservedSummary = Omit<ObservedInstance, 'state' | 'timers'>;

export interface ObservedLetter {
  readonly reason: string;
  readonly modelId: string | null;
  readonly transactionId: string | null;
  readonly eventId: string | null;
  /** The bytes of the record in Base64. */
  readonly raw: string;
}

/** Everything that the HTTP API shows. */
export interface Observed {
  readonly histories: readonly ObservedHistory[];
  readonly listed: readonly ObservedSummary[];
  readonly deadLetters: readonly ObservedLetter[];
  readonly isHealthy: boolean;
}
