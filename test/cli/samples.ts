/** An instance in the format of the API. */
export function instance(changes: Record<string, unknown> = {}) {
  return {
    model: 'activation',
    modelVersion: 1,
    transaction: 'ATV-123',
    version: 3,
    status: 'Active',
    done: false,
    progress: 0.66,
    startedAt: '2026-01-02T03:04:05Z',
    updatedAt: '2026-01-02T03:04:05Z',
    statusSince: '2026-01-02T03:04:05Z',
    milestones: [] as readonly unknown[],
    timers: [],
    parked: 0,
    state: { created_at: 1767323045 },
    ...changes,
  };
}

/** A model in the format of the API. */
export function model(id: string, changes: Record<string, unknown> = {}) {
  return {
    id,
    version: 1,
    title: `The model ${id}`,
    statuses: ['Waiting', 'Active', 'On sale'],
    milestones: [],
    functionArn: 'arn:aws:lambda:…',
    eventTypes: ['activation.requested', 'account.created'],
    diagram: null,
    ...changes,
  };
}

/** A history entry in the format of the API. */
export function entry(version: number, changes: Record<string, unknown> = {}) {
  return {
    version,
    modelVersion: 1,
    at: '2026-01-02T03:04:05Z',
    event: {
      id: `e${version}`,
      source: 'tv',
      type: 'activation.requested',
      time: '2026-01-02T03:04:05Z',
      data: {},
    },
    outcome: 'applied',
    reason: null,
    status: 'Waiting',
    state: {},
    ...changes,
  };
}

/** A dead letter in the format of the API. */
export function deadLetter(id: string, raw: Uint8Array | string, changes = {}) {
  return {
    id,
    reason: 'not JSON',
    at: '2026-01-02T03:04:05Z',
    modelId: null,
    transactionId: null,
    eventId: null,
    parked: false,
    raw: Buffer.from(raw).toString('base64'),
    ...changes,
  };
}
