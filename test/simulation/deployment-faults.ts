import { unqualifiedArn } from '../../src/core/model/model-version.ts';
import type { RegistryWriter } from '../../src/registrar/register-model.ts';
import type { Faults, Sabotage } from './sabotage.ts';

/** Returns a fault of the registry, in runs whose functions have timeouts. */
const registering = (other: (writer: RegistryWriter) => Partial<RegistryWriter>): Sabotage => ({
  scenario: {},
  deployments: { registry: other },
});

/** Faults of the registrar, and of rollbacks by operators. */
export const deploymentFaults: Faults = {
  'a late request replaces the entry of a later request': [
    registering((writer) => ({
      put: (entry, request) => writer.put(entry, { ...request, isTimed: false }),
      keepVersion: (id, version, request) =>
        writer.keepVersion(id, version, { ...request, isTimed: false }),
    })),
    /is current instead of|contains the second model/,
  ],
  'a late request stores its version': [
    registering((writer) => ({
      keepVersion: (id, version, request) =>
        writer.keepVersion(id, version, { ...request, isTimed: false }),
    })),
    /is in the registry although it was deleted/,
  ],
  'a late deletion removes a model that was added again': [
    registering((writer) => ({
      remove: (id, request) => writer.remove(id, { ...request, isTimed: false }),
    })),
    /does not contain the second model/,
  ],
  'the removal of a model does not record its time': [
    registering((writer) => ({
      remove: (id, request) =>
        writer.remove(id, { ...request, at: new Date(0).toISOString(), isTimed: false }),
    })),
    /contains the second model/,
  ],
  'the rollback of a move does not restore the model': [
    registering((writer) => ({
      put: (entry, request) => writer.put(entry, { ...request, type: 'Update' }),
    })),
    /does not contain the second model/,
  ],
  'the rollback of a move does not restore the versions': [
    registering((writer) => ({
      keepVersion: (id, version, request) =>
        writer.keepVersion(id, version, { ...request, type: 'Update' }),
    })),
    /the second model has 0 versions/,
  ],
  'the deletion of the old resource after a move removes the model': [
    registering((writer) => ({
      put: (entry, request) => writer.put(entry, { ...request, resource: entry.id }),
      remove: (id, request) => writer.remove(id, { ...request, resource: id }),
    })),
    /does not contain the second model/,
  ],
  'a deployment deletes the version that it replaces': [
    {
      scenario: {},
      deployments: { retiring: (registered) => ({ ...registered, replaced: undefined }) },
    },
    /was deleted while dispatchers could still invoke it/,
  ],
  'a deployment deletes versions that an operator can still select': [
    {
      scenario: {},
      deployments: {
        retiring: ({ kept, ...registered }) => ({
          ...registered,
          kept: kept.map((each, n) => (n === kept.length - 1 ? kept[0]! : each)),
        }),
      },
    },
    /was deleted although it is in the registry/,
  ],
  'dispatchers keep using the version to which an operator rolled back': [
    {
      scenario: {},
      deployments: {},
      registry: (registry) => {
        let selected: Awaited<ReturnType<typeof registry.get>>;
        const read = async (id: string) => {
          const entry = await registry.getConsistent(id);
          if (entry && entry.functionArn !== unqualifiedArn(entry.functionArn)) selected ??= entry;
          return entry?.id === selected?.id ? selected : entry;
        };
        return { list: () => registry.list(), get: read, getConsistent: read };
      },
    },
    /was invoked although it was deleted/,
  ],
};
