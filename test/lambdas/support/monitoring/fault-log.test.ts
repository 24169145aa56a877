import { describe, expect, it } from 'vitest';
import { faultLog } from '../../../../lambdas/support/monitoring/fault-log.ts';
import type { TrackedEvent } from '../../../../src/core/event/event.ts';
import type { Model } from '../../../../src/core/model/model.ts';
import {
  callModel,
  RemoteModelFault,
  toModelFault,
} from '../../../../src/core/model/model-fault.ts';
import { thrownBy } from '../../../support/thrown-by.ts';

const secret = 'Ada Lovelace';
const event = {
  ...{ model: 'parcel', transaction: 'P-1', id: 'e1', source: 'depot', type: 'packed' },
  ...{ time: '2026-01-01T00:00:00Z', data: { to: secret } },
} satisfies TrackedEvent;

/** Creates a fault of `describe` with the given stack frames. */
function faultAt(frames: readonly string[], message = `cannot read ${secret}`, sensitive = false) {
  const error = new RangeError(message);
  error.stack = [`RangeError: ${message}`, ...frames.map((each) => `    at ${each}`)].join('\n');
  const model = { id: 'parcel', ...(sensitive && { sensitive: {} }) } as Model;
  const thrown = thrownBy(() =>
    callModel('describe', () => {
      throw error;
    }),
  );
  return toModelFault(model, 'on packed e1', thrown);
}

function logging(eventData = false) {
  const lines: unknown[] = [];
  const options = { folder: '/var/task', self: '/var/task/index.mjs', eventData };
  return { lines, faults: faultLog(options, { error: (line) => lines.push(line) }) };
}

const own = 'sizeOf (file:///var/task/models/parcel/model.js:12:17)';
const helper = 'parse (/var/task/node_modules/box/index.js:1:2)';
const runtime = 'process.tick (node:internal/process/task_queues:95:5)';

describe('the position of a model fault', () => {
  it("is the first frame in the user's code", () => {
    const { faults } = logging();
    expect(faults.placeOf(faultAt([helper, runtime, own, runtime]))).toBe(
      'models/parcel/model.js:12:17',
    );
  });

  it.each([
    ['in a bundle without a source map', 'o (file:///var/task/index.mjs:3:48211)'],
    ['in a package', helper],
    ['in the runtime', runtime],
    ['outside the function', 'run (/var/runtime/index.mjs:1:2)'],
  ])('is unknown %s', (_, frame) => {
    expect(logging().faults.placeOf(faultAt([frame]))).toBeUndefined();
  });
});

describe('the log of model faults', () => {
  it("contains the stack without Milepost's frames and without event data", () => {
    const { lines, faults } = logging();
    faults.log(faultAt([helper, own, runtime]), event);
    expect(lines).toEqual([
      {
        message: 'model failed',
        ...{ model: 'parcel', transaction: 'P-1', event: 'e1', type: 'packed' },
        error: 'RangeError',
        place: 'models/parcel/model.js:12:17',
        stack: [
          'parse (/var/task/node_modules/box/index.js:1:2)',
          'sizeOf (/var/task/models/parcel/model.js:12:17)',
        ],
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('contains the reason if event data in logs is turned on, but never personal data', () => {
    const { lines, faults } = logging(true);
    faults.log(faultAt([own]), event);
    faults.log(faultAt([own], secret, true), { ...event, id: 'e2' });
    expect(lines).toMatchObject([
      { reason: `model parcel failed on packed e1, in describe: cannot read ${secret}` },
      { reason: 'model parcel failed on packed e1, in describe: RangeError' },
    ]);
  });

  it('contains the start of a very long message', () => {
    const { lines, faults } = logging(true);
    faults.log(faultAt([own], 'z'.repeat(4_000_000)), event);
    expect(lines).toMatchObject([
      { reason: `model parcel failed on packed e1, in describe: ${'z'.repeat(1000)}…` },
    ]);
  });

  it("contains the whole stack if no frame is in the user's code", () => {
    const { lines, faults } = logging();
    faults.log(faultAt(['o (/var/task/index.mjs:3:1)', 'p (/var/task/index.mjs:3:9)']), event);
    expect(lines).toMatchObject([
      { stack: ['o (/var/task/index.mjs:3:1)', 'p (/var/task/index.mjs:3:9)'] },
    ]);
  });

  it('contains a fault only once, even if the event is retried', () => {
    const { lines, faults } = logging();
    for (const _ of [1, 2, 3]) faults.log(faultAt([own]), event);
    faults.log(faultAt([own]), { ...event, id: 'e2' });
    expect(lines).toHaveLength(2);
  });

  it('contains only the position, without a stack, if the function is in another language', () => {
    const { lines, faults } = logging();
    const cause = new RemoteModelFault("KeyError: 'due'", 'loan.py:42 in describe');
    faults.log(toModelFault({ id: 'loan' } as Model, 'on packed e1', cause), event);
    expect(lines).toEqual([
      {
        message: 'model failed',
        ...{ model: 'parcel', transaction: 'P-1', event: 'e1', type: 'packed' },
        place: 'loan.py:42 in describe',
      },
    ]);
  });
});
