import type { Commit } from '../../src/core/history/commit.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { ConsistentRead, InstanceStore } from '../../src/stores/instance-store.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import type { Sabotage } from './sabotage.ts';

/** The input of a command, which a fault may change on its way to DynamoDB. */
interface Input {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
  Statements?: { Statement?: string; Parameters?: unknown[] }[];
}

/** Changes what is sent to DynamoDB; where `change` gives false, nothing is sent at all. */
export const sending = (change: (input: Input) => boolean | void): Sabotage => ({
  client: (client) => ({
    send: (command) =>
      change((command as { input: Input }).input) === false
        ? Promise.resolve({})
        : client.send(command),
  }),
});

/** Puts other methods in place of a store's own. */
export const storing = (other: (store: InstanceStore) => Partial<InstanceStore>): Sabotage => ({
  model: ({ store }) => ({ store: replaced(store, other(store)) }),
});

/** Puts others in place of what is around the dispatcher. */
export const dispatching = (
  other: (environment: DispatchDependencies) => Partial<DispatchDependencies>,
): Sabotage => ({ dispatcher: (environment) => ({ ...environment, ...other(environment) }) });

/** Has a model's function see something else as an instance's newest commit. */
export const seeing = (change: (newest: ConsistentRead) => ConsistentRead): Sabotage =>
  storing((store) => ({
    readConsistent: async (keys) =>
      (await store.readConsistent(keys)).map((each) =>
        'error' in each ? each : { value: change(each.value) },
      ),
  }));

/** The same of the commit alone. */
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

/** Each went well. */
export const done = (results: readonly unknown[]): SettledResult<void>[] =>
  results.map(() => ({ value: undefined }));
