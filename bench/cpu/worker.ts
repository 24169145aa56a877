import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import type { Question, Reply, Use } from './worker-protocol.ts';

/*
 * Runs the bundle of one Lambda function and receives invocations through the IPC channel. Usage: `node worker.ts
 * BUNDLE`
 */
const { handler } = (await import(pathToFileURL(process.argv[2]!).href)) as {
  handler: (event: unknown, context: object) => Promise<unknown>;
};
const context = { getRemainingTimeInMillis: () => 60_000 };
const session = new Session();

process.on('message', (question: Question) => void answer(question).then(tell, failed));
process.once('disconnect', () => process.exit());
tell({ kind: 'ready' });

async function answer(question: Question): Promise<Reply> {
  switch (question.kind) {
    case 'invoke': {
      const result = await handler(JSON.parse(question.payload), context);
      return { kind: 'done', payload: JSON.stringify(result) };
    }
    case 'use':
      return { kind: 'use', use: use() };
    case 'start-profile':
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 200 });
      await session.post('Profiler.start');
      return { kind: 'profile' };
    case 'stop-profile': {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return { kind: 'profile', profile };
    }
  }
}

function use(): Use {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpu: (userCPUTime + systemCPUTime) / 1_000, memory: maxRSS * 1_024 };
}

function tell(reply: Reply): void {
  process.send!(reply);
}

function failed(error: unknown): void {
  tell({ kind: 'failed', reason: error instanceof Error ? String(error.stack) : String(error) });
}
