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
    registering((writer) => ({ put: (entry) => writer.put(entry) })),
    /is current instead of|contains the second model/,
  ],
  'a late request stores its version': [
    registering((writer) => ({ keepVersion: (id, version) => writer.keepVersion(id, version) })),
    /is in the registry although it was deleted/,
  ],
  'a late deletion removes a model that was added again': [
    registering((writer) => ({ remove: (id, arn, at) => writer.remove(id, arn, at) })),
    /does not contain the second model/,
  ],
  'the removal of a model leaves no time': [
    registering((writer) => ({
      remove: (id, arn, _, unlessAfter) =>
        writer.remove(id, arn, new Date(0).toISOString(), unlessAfter),
    })),
    /contains the second model/,
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
