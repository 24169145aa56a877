import { beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../src/core/status/status-row.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  api.models.register(registryEntry('parcel', { statuses: ['Open', 'Closed'] }));
  await api.apply(placed(1));
});

/** Stores a status row without checking that the model and its status exist. */
function store(model: string, status: string): void {
  const row = statusRow(commitOf({ model, transaction: 'T9' }, 1));
  api.instances.putRow({ ...row, status });
}

const list = (query: string) =>
  api.get<{ instances: readonly object[] }>(`/api/instances?${query}`);

describe('a list of instances', () => {
  it.each([
    ['model=parcle', 'there is no model `parcle`; did you mean `parcel`?'],
    ['model=parcle&order=fixed', 'there is no model `parcle`; did you mean `parcel`?'],
    ['model=parcle&status=Open', 'there is no model `parcle`; did you mean `parcel`?'],
    ['model=X/Y', 'there is no model `X/Y`; available models: counter, parcel'],
    ['status=Hihg', 'no model has a status `Hihg`; did you mean `High`?'],
    ['status=high', 'no model has a status `high`; did you mean `High`?'],
    [
      'model=parcel&status=High',
      'the model `parcel` has no status `High`; available statuses: Open, Closed, Parked',
    ],
    ['model=parcel&status=opne&late=true', '`opne`; did you mean `Open`?'],
  ])(
    'with an unknown name is rejected with the closest name or the available names: %s',
    async (query, detail) => {
      expect(await list(query)).toMatchObject(problem(400, detail));
    },
  );

  it.each(['model=parcel', 'model=parcel&status=Open', 'status=Closed', 'status=Parked', 'q=nope'])(
    'is empty if the names exist but no instance matches: %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 200, body: { instances: [] } });
    },
  );

  it.each(['model=gone', 'model=gone&order=fixed', 'model=gone&status=Lost'])(
    'contains the instances of a removed model: %s',
    async (query) => {
      store('gone', 'Lost');
      expect(await list(query)).toMatchObject({ status: 200, body: { instances: [{}] } });
    },
  );

  it.each(['model=parcel&status=Shipped', 'status=Shipped'])(
    'contains instances with a status that the model no longer declares: %s',
    async (query) => {
      store('parcel', 'Shipped');
      expect(await list(query)).toMatchObject({ status: 200, body: { instances: [{}] } });
      // An instance still has the status, so an empty list is correct for the other filters.
      expect(await list(`${query}&late=true`)).toMatchObject({ body: { instances: [] } });
    },
  );
});
