import type { Commit } from '../../src/core/history/commit.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { ConsistentRead, InstanceStore } from '../../src/stores/instance-store.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';
import type { Item } from '../support/aws-in-memory/dynamodb-expressions.ts';
import type { Sabotage } from './sabotage.ts';

/** The input of a command, which a fault may change before it is sent to DynamoDB. */
interface Input {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
  Statements?: { Statement?: string; Parameters?: unknown[] }[];
}

/** Changes commands to DynamoDB; if `change` returns false, nothing is sent. */
export const sending = (change: (input: Input) => boolean | void): Sabotage => ({
  client: (client) => ({
    send: (command) =>
      change((command as { input: Input }).input) === false
        ? Promise.resolve({})
        : client.send(command),
  }),
});

/** Replaces methods of a store. */
export const storing = (other: (store: InstanceStore) => Partial<InstanceStore>): Sabotage => ({
  model: ({ store }) => ({ store: replaced(store, other(store)) }),
});

/** Replaces collaborators of the dispatcher. */
export const dispatching = (
  other: (environment: DispatchDependencies) => Partial<DispatchDependencies>,
): Sabotage => ({ dispatcher: (environment) => ({ ...environment, ...other(environment) }) });

/** Makes a model's function read another commit as an instance's latest one. */
export const seeing = (change: (newest: ConsistentRead) => ConsistentRead): Sabotage =>
  storing((store) => ({
    readConsistent: async (keys) =>
      (await store.readConsistent(keys)).map((each) =>
        'error' in each ? each : { value: change(each.value) },
      ),
  }));

/** The same for the commit alone. */
export const seeingCommit = (change: (commit: Commit) => Commit): Sabotage =>
  seeing(({ commit, hasParked }) => ({ commit: commit && change(commit), hasParked }));

/** A port with some of its methods replaced. */
export function replaced<Port extends object>(port: Port, others: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(name in others ? others : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A successful result for each. */
export const done = (results: readonly unknown[]): SettledResult<void>[] =>
  results.map(() => ({ value: undefined }));
