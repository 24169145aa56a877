import type { Server } from 'node:http';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import deleteItem from 'dynalite/actions/deleteItem.js';
import putItem from 'dynalite/actions/putItem.js';
import updateItem from 'dynalite/actions/updateItem.js';
import db, { type Table as DynaliteTable, type Store } from 'dynalite/db/index.js';
import deleteItemRules from 'dynalite/validations/deleteItem.js';
import validations from 'dynalite/validations/index.js';
import putItemRules from 'dynalite/validations/putItem.js';
import updateItemRules from 'dynalite/validations/updateItem.js';
import type { NamedError, Table } from './batch-execute-statement.ts';
import { optimizeStore } from './optimize-store.ts';

/** A `PutItem`, `UpdateItem` or `DeleteItem` request with a legacy condition. */
export interface WriteRequest {
  readonly action: 'putItem' | 'updateItem' | 'deleteItem';
  readonly TableName: string;
  readonly Expected?: Record<string, object>;
  readonly Item?: Record<string, AttributeValue>;
  readonly Key?: Record<string, AttributeValue>;
  readonly AttributeUpdates?: Record<string, object>;
}

const actions = {
  putItem: { run: putItem, rules: putItemRules },
  updateItem: { run: updateItem, rules: updateItemRules },
  deleteItem: { run: deleteItem, rules: deleteItemRules },
};

/**
 * Creates a dynalite server that keeps its data in the folder `path`, or in memory if `path` is null. Also returns its
 * store, which dynalite does not expose.
 */
export function createDynalite(path: string | null): { server: Server; store: Store } {
  const { create } = db;
  let store: Store | undefined;
  db.create = (options) => {
    store = create(options);
    optimizeStore(store);
    return store;
  };
  const delays = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const server = dynalite({ ...(path !== null && { path }), ...delays });
  db.create = create;
  if (store === undefined) throw new Error('dynalite created no store');
  return { server, store };
}

/** Provides key names and single writes of a dynalite store without HTTP. Writes are validated like requests. */
export function tableOf(store: Store): Table {
  return {
    async keyNames(table) {
      const { KeySchema } = await called<DynaliteTable>((done) => {
        store.getTable(table, done);
      });
      return KeySchema.map(({ AttributeName }) => AttributeName);
    },
    async write({ action, ...request }) {
      const { run, rules } = actions[action];
      await called((done) => {
        const data = validations.checkTypes(request, rules.types);
        validations.checkValidations(data, rules.types, rules.custom, store);
        run(store, data, done);
      });
    },
  };
}

/** Calls a function that takes a callback. Throws dynalite's error responses as `NamedError`. */
async function called<T>(call: (done: (error: unknown, value: T) => void) => void): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) => {
      call((error, value) => (error ? reject(error) : resolve(value)));
    });
  } catch (error) {
    const { body } = error as { body?: { __type: string; message?: string } };
    if (body === undefined) throw error;
    const { __type: type, message } = body;
    const name = type.slice(type.indexOf('#') + 1);
    const named: NamedError = { name, message: message ?? name };
    throw Object.assign(new Error(named.message, { cause: error }), named);
  }
}
