import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { locationInProject } from '../../../src/cli/replay/fault-location.ts';
import { ModelFault } from '../../../src/core/model/model-fault.ts';
import { after } from '../../../src/core/time/duration.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const placeOf = (cause: unknown) =>
  locationInProject(new ModelFault('it failed', { reason: 'it failed', place: undefined, cause }));
const thisFile = relative(process.cwd(), import.meta.filename);

it("the location of a fault is the first position in the project's own code", () => {
  expect(placeOf(new Error('a bug'))).toMatch(new RegExp(`^${thisFile}:\\d+:\\d+$`));
  expect(placeOf(thrownBy(() => after('2026-01-01T00:00:00Z', 'soon')))).toMatch(
    new RegExp(`^${thisFile}:`),
  );
});

it('the location of a fault is never in a package, in the runtime, or outside the project', () => {
  const at = (...files: readonly string[]) =>
    Object.assign(new Error('x'), {
      stack: ['Error: x', ...files.map((file) => `    at f (${file}:1:2)`)].join('\n'),
    });
  const inProject = (path: string) => join(process.cwd(), path);
  const others = [inProject('node_modules/a/b.js'), 'node:internal/timers', '/elsewhere/c.ts'];
  expect(placeOf(at(...others))).toBeUndefined();
  expect(placeOf(at(...others, inProject('models/parcel/model.ts')))).toBe(
    'models/parcel/model.ts:1:2',
  );
  expect(placeOf('no error')).toBeUndefined();
});
