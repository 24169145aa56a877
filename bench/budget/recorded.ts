import type { Recording } from './check-budget.ts';

/**
 * The accepted counts of requests, waits, read and write units, and bytes. Never edit an entry: append an entry with
 * the new values and the reason. To list the current counts, run `npx node bench/run.ts --section budget`.
 */
export const recordings: readonly Recording[] = [
  {
    date: '2026-11-23',
    reason: 'the counts when the budget was introduced',
    counts: {
      'A: requests per event': 0.19,
      'A: rounds per batch': 4.2,
      'A: write units per event': 2.8,
      'A: read units per event': 3.4,
      'A: bytes sent and received per event': 5469.99,
      'A: bytes stored per event': 1087.84,
      'B: requests per event': 0.3,
      'B: rounds per batch': 4,
      'B: write units per event': 1,
      'B: read units per event': 0.2,
      'B: bytes sent and received per event': 2087.01,
      'B: bytes stored per event': 414.295,
      'C: requests per event': 0.04,
      'C: rounds per batch': 6,
      'C: write units per event': 0.05,
      'C: read units per event': 0.005,
      'C: bytes sent and received per event': 1207.77,
      'C: bytes stored per event': 24.73,
      'A, one event per batch: requests per event': 6.005,
      'A, one event per batch: rounds per batch': 4.005,
      'A, one event per batch: write units per event': 2.8,
      'A, one event per batch: read units per event': 3.12,
      'A, one event per batch: bytes sent and received per event': 5830.99,
      'A, one event per batch: bytes stored per event': 1087.84,
      'C, one event per batch: requests per event': 7.985,
      'C, one event per batch: rounds per batch': 5.985,
      'C, one event per batch: write units per event': 1.07,
      'C, one event per batch: read units per event': 6.815,
      'C, one event per batch: bytes sent and received per event': 10805.6,
      'C, one event per batch: bytes stored per event': 967.53,
      'bundle of model activation: bytes': 167_913,
      'bundle of model customer: bytes': 166_658,
      'bundle of model map-chunk: bytes': 166_396,
      'bundle of model map-reduce: bytes': 167_417,
      'bundle of model new-device: bytes': 170_784,
      'bundle of model offers: bytes': 165_824,
      'bundle of model service-request: bytes': 174_270,
      'bundle of model session: bytes': 169_262,
      'bundle of model tickets: bytes': 171_693,
      'bundle of dispatcher: bytes': 79_667,
      'bundle of publisher: bytes': 36_314,
      'bundle of api: bytes': 280_595,
      'bundle of customer-pages: bytes': 138_311,
      'bundle of registrar: bytes': 32_739,
      'bundle of counter: bytes': 25_138,
      'bundle of clock: bytes': 37_041,
      'bundle of signing-keys-rotation: bytes': 17_227,
    },
  },
  {
    date: '2026-11-23',
    reason:
      'up to three unknown instances are read with one query each, the status row is written in parallel with the sends, and each process reads the number of index partitions once a minute',
    counts: {
      'A: requests per event': 0.2,
      'B: requests per event': 0.365,
      'B: rounds per batch': 3.6,
      'C: requests per event': 0.045,
      'C: read units per event': 0.0075,
      'A, one event per batch: requests per event': 4.975,
      'A, one event per batch: rounds per batch': 2.575,
      'A, one event per batch: read units per event': 1.0525,
      'A, one event per batch: bytes sent and received per event': 5115.28,
    },
  },
  {
    date: '2026-11-23',
    reason:
      'event times, deadlines, index partitions that grow, timers that are exact to the second, and reading past states by event time',
    counts: {
      'bundle of model activation: bytes': 179_234,
      'bundle of model customer: bytes': 177_979,
      'bundle of model map-chunk: bytes': 177_717,
      'bundle of model map-reduce: bytes': 178_741,
      'bundle of model new-device: bytes': 180_270,
      'bundle of model offers: bytes': 177_145,
      'bundle of model service-request: bytes': 195_631,
      'bundle of model session: bytes': 178_748,
      'bundle of model tickets: bytes': 181_179,
      'bundle of dispatcher: bytes': 83_795,
      'bundle of api: bytes': 290_642,
      'bundle of customer-pages: bytes': 144_229,
      'bundle of clock: bytes': 43_218,
      'bundle of wakeups: bytes': 38_807,
      'bundle of registrar: bytes': 34_452,
      'bundle of counter: bytes': 26_169,
      'bundle of signing-keys-rotation: bytes': 17_448,
    },
  },
  {
    date: '2026-11-23',
    reason:
      'the service request model has a calendar, which adds calendar arithmetic and time zones to its bundle',
    counts: { 'bundle of model service-request: bytes': 292_868 },
  },
  {
    date: '2026-11-24',
    reason: 'the customer page has text in six languages, dates in words, and separate styles',
    counts: { 'bundle of customer-pages: bytes': 159_586 },
  },
  {
    date: '2026-11-26',
    reason:
      'status rows are read with strong consistency, so that old data cannot hide parked events; batches read commits with eventual consistency',
    counts: {
      'A: read units per event': 2.31,
      'B: read units per event': 0.23,
      'C: read units per event': 0.01,
      'A, one event per batch: read units per event': 1.345,
      'C, one event per batch: read units per event': 4.6775,
    },
  },
  {
    date: '2026-11-26',
    reason:
      'oldest parked events in responses, cursors that belong to one list, and bulk redrives in stream order, after smaller additions to the API that had used up the margin',
    counts: { 'bundle of api: bytes': 308_407 },
  },
  {
    date: '2026-11-27',
    reason:
      'one index fewer for each status change; each process reads the statuses in use once and writes each new status once, which these short workloads exaggerate',
    counts: {
      'A: requests per event': 0.22,
      'A: rounds per batch': 4.6,
      'A: write units per event': 2.21,
      'B: requests per event': 0.4,
      'B: rounds per batch': 3.7,
      'B: write units per event': 0.805,
      'B: read units per event': 0.245,
      'B: bytes stored per event': 374.4,
      'C: requests per event': 0.055,
      'C: rounds per batch': 7,
      'C: read units per event': 0.0125,
      'A, one event per batch: requests per event': 5.075,
      'A, one event per batch: write units per event': 2.255,
    },
  },
  {
    date: '2026-11-27',
    reason:
      'events that can never be sealed become dead letters, and parked data is sealed as in its record, after smaller additions to the dispatcher that had used up the margin',
    counts: { 'bundle of dispatcher: bytes': 88_067 },
  },
  {
    date: '2026-11-27',
    reason:
      'a timeline of a deadline that searches closed spans in steps, after smaller additions to the model runtime that had used up the margin',
    counts: { 'bundle of model tickets: bytes': 190_262 },
  },
  {
    date: '2026-11-28',
    reason:
      'commits in pages of limited size, sealed data that a version without sensitive fields reads, and values in messages about event attributes, after smaller additions to the model runtime that had used up the margin',
    counts: {
      'bundle of model activation: bytes': 188_442,
      'bundle of model customer: bytes': 187_187,
      'bundle of model map-chunk: bytes': 187_023,
      'bundle of model map-reduce: bytes': 188_079,
      'bundle of model new-device: bytes': 189_101,
      'bundle of model offers: bytes': 186_353,
      'bundle of model session: bytes': 187_519,
    },
  },
  {
    date: '2026-11-28',
    reason:
      'claims to dead letters, so that concurrent redrives put a record on the stream once, after smaller additions to the publisher that had used up the margin',
    counts: { 'bundle of publisher: bytes': 38_287 },
  },
  {
    date: '2026-11-29',
    reason: 'calls to AWS use an HTTP client of Milepost, which uses less CPU time than node:http',
    counts: {
      'bundle of model service-request: bytes': 308_484,
      'bundle of dispatcher: bytes': 95_064,
      'bundle of publisher: bytes': 42_144,
      'bundle of customer-pages: bytes': 168_510,
      'bundle of registrar: bytes': 39_906,
      'bundle of counter: bytes': 30_979,
      'bundle of clock: bytes': 48_752,
      'bundle of signing-keys-rotation: bytes': 21_406,
      'bundle of wakeups: bytes': 44_405,
    },
  },
  {
    date: '2026-11-29',
    reason:
      'the API description names all operations and types, and the API accepts events in binary content mode, after smaller additions that had used up the margin',
    counts: { 'bundle of api: bytes': 328_032 },
  },
  {
    date: '2026-11-30',
    reason:
      'models reject milestones that are listed twice, states that are nested too deeply, and texts that are not times, with clear messages, after smaller additions that had used up the margin',
    counts: { 'bundle of model tickets: bytes': 200_149 },
  },
  {
    date: '2026-11-30',
    reason: 'the registrar restores the registration that a failed move of a model replaced',
    counts: { 'bundle of registrar: bytes': 41_945 },
  },
];
