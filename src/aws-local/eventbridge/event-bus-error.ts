const statusOf = {
  SerializationException: 400,
  UnknownOperationException: 400,
  ValidationException: 400,
  InternalException: 500,
} as const;

/** The error thrown when EventBridge rejects a whole request. */
export class EventBusError extends Error {
  readonly code: keyof typeof statusOf;

  constructor(code: keyof typeof statusOf, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EventBusError';
    this.code = code;
  }

  get statusCode(): number {
    return statusOf[this.code];
  }
}
