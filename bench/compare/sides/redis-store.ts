import { createClient, WatchError } from 'redis';
import type { Account } from '../../../models/activation/model.ts';
import { reduce } from '../reducer.ts';
import type { Store } from '../store/store.ts';

/** The number of lanes. Each lane has a separate connection, because Redis tracks WATCH for each connection. */
const lanes = 32;

/**
 * Opens a store with one Redis hash per account. To apply an event, the store watches and reads the hash, and writes
 * the changed fields.
 */
export async function openRedis(url: string): Promise<Store> {
  const clients = await Promise.all(
    Array.from({ length: lanes }, () => createClient({ url }).connect()),
  );
  return {
    lanes,
    async apply(event, lane) {
      const client = clients[lane]!;
      const key = keyOf(event.transactionid);
      for (;;) {
        const [, before] = await Promise.all([client.watch(key), client.hGetAll(key)]);
        const after = fieldsOf(reduce(accountOf(before), event));
        const changes = client.multi();
        const changed = Object.entries(after).filter(([field, value]) => before[field] !== value);
        changes.hSet(key, Object.fromEntries(changed));
        const gone = Object.keys(before).filter((field) => !(field in after));
        if (gone.length > 0) changes.hDel(key, gone);
        try {
          await changes.exec();
          return;
        } catch (error) {
          if (!(error instanceof WatchError)) throw error;
        }
      }
    },
    read: async (transaction) => accountOf(await clients[0]!.hGetAll(keyOf(transaction))),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

const keyOf = (transaction: string) => `accounts:${transaction}`;
const numbers = new Set(['failed', 'ts', 'expires', 'last_logon_ts']);

/** Converts an account to hash fields. The fields of a service are named `app:<service>:<field>`. */
function fieldsOf({ created_at, app }: Account): Record<string, string> {
  const fields: Record<string, string> = { created_at: String(created_at) };
  for (const [name, service] of Object.entries(app))
    for (const [field, value] of Object.entries(service))
      fields[`app:${name}:${field}`] = String(value);
  return fields;
}

function accountOf({ created_at, ...fields }: Record<string, string>): Account | undefined {
  if (created_at === undefined) return undefined;
  const app: Record<string, Record<string, string | number>> = {};
  for (const [path, value] of Object.entries(fields)) {
    const [, name = '', field = ''] = path.split(':');
    (app[name] ??= {})[field] = numbers.has(field) ? Number(value) : value;
  }
  return { created_at: Number(created_at), app } as unknown as Account;
}
