import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createEndpointHandler, handlers, object } from '@restatedev/restate-sdk';
import type { Account } from '../../../models/activation/model.ts';
import type { WorkEvent } from '../../support/work.ts';
import { reduce } from '../reducer.ts';

/*
 * The application that uses Restate, in a separate process. Each instance is a virtual object whose state is the
 * account. The process sends its port to the parent process by IPC.
 */
const stateKey = 'account';

const activation = object({
  name: 'activation',
  handlers: {
    apply: async (context, event: WorkEvent) => {
      const before = await context.get<Account>(stateKey);
      context.set(stateKey, reduce(before ?? undefined, event));
    },
    /** Applies the events of a call with one read and one write of the state. */
    applyAll: async (context, events: readonly WorkEvent[]) => {
      let account = (await context.get<Account>(stateKey)) ?? undefined;
      for (const event of events) account = reduce(account, event);
      context.set(stateKey, account);
    },
    read: handlers.object.shared(async (context) => context.get<Account>(stateKey)),
  },
});

const server = createServer(createEndpointHandler({ services: [activation] }));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send!(address.port);
