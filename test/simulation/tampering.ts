import type { Commit } from '../../src/core/history/commit.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { ConsistentRead, InstanceStore } from '../../src/stores/instance-store.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';
import type { Item } from '../support/aws-in-memory/dynamodb-expressions.ts';
import type { Sabotage } from './sabotage.ts';

/** The input of a command, which a fault can change before the command is sent to DynamoDB. */
interface Input {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
  ConsistentRead?: boolean;
  Limit?: number;
  RequestItems?: Record<string, { ProjectionExpression?: string; ConsistentRead?: boolean }>;
  Statements?: { Statement?: string; Parameters?: unknown[] }[];
}

/** Changes commands before they are sent to DynamoDB. If `change` returns false, the command is not sent. */
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

/** Replaces some dependencies of the dispatcher. */
export const dispatching = (
  other: (environment: DispatchDependencies) => Partial<DispatchDependencies>,
): Sabotage => ({ dispatcher: (environment) => ({ ...environment, ...other(environment) }) });

/** Changes the result of reads of an instance's latest commit by a model's function. */
export const seeing = (change: (newest: ConsistentRead) => ConsistentRead): Sabotage =>
  storing((store) => ({
    readConsistent: async (keys) =>
      (await store.readConsistent(keys)).map((each) =>
        'error' in each ? each : { value: change(each.value) },
      ),
  }));

/** Changes the commit in the result of reads of an instance's latest commit by a model's function. */
export const seeingCommit = (change: (commit: Commit) => Commit): Sabotage =>
  seeing(({ commit, hasParked }) => ({ commit: commit && change(commit), hasParked }));

/** Returns an object with some of its methods replaced. */
export function replaced<Port extends object>(port: Port, others: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(name in others ? others : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Returns a successful result for each element. */
export const done = (results: readonly unknown[]): SettledResult<void>[] =>
  results.map(() => ({ value: undefined }));
