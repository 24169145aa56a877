import { join } from 'node:path';
import type { Account } from '../../../models/activation/model.ts';
import { descendants } from '../processes/process-tree.ts';
import { nextMessage, type Program, startProgram } from '../processes/processes.ts';
import type { Role, Running } from '../side.ts';
import type { Answer, Request } from './store-protocol.ts';

/** A running database. Disposing the database ends its process. */
interface Database extends AsyncDisposable {
  readonly pid: number;
  readonly role: Role;
}

/** Starts an application that uses a database. Disposing the result ends the application and the database. */
export async function runOnStore(
  kind: 'redis' | 'castore' | 'emmett',
  url: string,
  database: Database,
): Promise<Running> {
  await using started = new AsyncDisposableStack();
  started.use(database);
  const app = started.use(
    await startProgram(
      process.execPath,
      [join(import.meta.dirname, 'store-process.ts'), kind, url],
      { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced' },
    ),
  );
  await answerOf(app);
  const ask = (request: Request) => {
    app.process.send(request);
    return answerOf(app);
  };
  const running = started.move();
  return {
    processes: () =>
      new Map<number, Role>([
        [app.pid, 'app'],
        ...[database.pid, ...descendants(database.pid)].map((pid) => [pid, database.role] as const),
        [process.pid, 'client'],
      ]),
    async put(work) {
      await ask({ kind: 'apply', work });
    },
    read: (transaction) => ask({ kind: 'read', transaction }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function answerOf(app: Program): Promise<Account | undefined> {
  const answer = (await nextMessage(app)) as Answer;
  if (!answer.done) throw new Error(`the application failed: ${answer.reason}`);
  return answer.account;
}
