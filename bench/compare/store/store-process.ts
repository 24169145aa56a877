import { eventsOf } from '../../support/work.ts';
import { inLanes } from '../lanes.ts';
import { openCastore } from '../sides/castore-store.ts';
import { openEmmett } from '../sides/emmett-store.ts';
import { openRedis } from '../sides/redis-store.ts';
import type { Store } from './store.ts';
import type { Answer, Request } from './store-protocol.ts';

/*
 * The application that uses a database, in a separate process so that its CPU time can be measured. The application
 * creates the events of a workload and applies each event individually.
 */
const stores: Record<string, (url: string) => Promise<Store>> = {
  redis: openRedis,
  castore: openCastore,
  emmett: openEmmett,
};

const [kind = '', url = ''] = process.argv.slice(2);
const store = await stores[kind]!(url);
const answer = (message: Answer) => process.send!(message);

process.on('message', (request: Request) => {
  handle(request).then(
    (account) => answer({ done: true, account }),
    (error: unknown) => answer({ done: false, reason: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
answer({ done: true });

async function handle(request: Request) {
  if (request.kind === 'read') return store.read(request.transaction);
  await inLanes(store.lanes, eventsOf(request.work), (event, lane) => store.apply(event, lane));
}
