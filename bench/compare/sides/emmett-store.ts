import { CommandHandler } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import type { Account } from '../../../models/activation/model.ts';
import type { WorkEvent } from '../../support/work.ts';
import { reduce } from '../reducer.ts';
import type { Store } from '../store/store.ts';

const lanes = 16;

interface State {
  readonly account?: Account;
}

/**
 * Opens a store that uses Emmett on PostgreSQL. To apply an event, Emmett's command handler reads and folds the stream,
 * and then appends the event.
 */
export async function openEmmett(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: lanes });
  const events = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } });
  await events.schema.migrate();
  const initialState = (): State => ({});
  const evolve = ({ account }: State, { data }: { data: WorkEvent }): State => ({
    account: reduce(account, data),
  });
  const handle = CommandHandler<State, WorkEvent>({ evolve, initialState });
  const streamOf = (transaction: string) => `activation-${transaction}`;
  return {
    lanes,
    async apply(event) {
      await handle(events, streamOf(event.transactionid), () => ({
        type: event.type,
        data: event,
      }));
    },
    async read(transaction) {
      const stream = streamOf(transaction);
      const { state } = await events.aggregateStream<State, WorkEvent>(stream, {
        evolve,
        initialState,
      });
      return state.account;
    },
    async close() {
      await events.close();
      await pool.end();
    },
  };
}
