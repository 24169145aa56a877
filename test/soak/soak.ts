import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../src/common/message-of.ts';
import { type InstanceName, observe } from './observe/observe.ts';
import { audit } from './oracle/audit.ts';
import { maximumOffsetMs } from './plan/faults.ts';
import { createPlan, type Plan } from './plan/plan.ts';
import { injectFault } from './service/inject-fault.ts';
import { redriveAll } from './service/redrive-all.ts';
import { World } from './service/world.ts';
import { emptyJournal, type Journal } from './traffic/journal.ts';
import { produce } from './traffic/produce.ts';

/** How long findings must stay unchanged before they are final, in milliseconds. */
const settleTimeoutMs = 60_000;
const settlePauseMs = 2_000;
/**
 * The final shift of the clocks in milliseconds, which is so large that all sessions have expired and all timers are
 * due.
 */
const finalOffsetMs = maximumOffsetMs + 35 * 60_000;

export interface SoakResult {
  /** The violations that the audits found; empty if there are none. */
  readonly findings: readonly string[];
  /** The folder with the service's log and data; undefined if there are no findings. */
  readonly folder: string | undefined;
  /** The number of occurrences by kind, which the report shows. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Runs the service for the given number of minutes with the faults that the seed determines, and audits its responses:
 * first with parked events, then after the last repair.
 *
 * @param say receives progress messages
 */
export async function soak(
  seed: number,
  minutes: number,
  say: (line: string) => void,
): Promise<SoakResult> {
  const plan = createPlan(seed, minutes);
  const world = await World.start();
  say(`the service runs on ${world.disk.kind}; its log is ${world.folder}/log`);
  const journal = emptyJournal(plan.producers);
  const findings: string[] = [];
  try {
    await trouble(plan, world, journal, say);
    await world.setClock(finalOffsetMs);
    // Redrive again. If DynamoDB is slow, an event that failed before a repair may have been parked after the redrive
    // that followed the repair.
    await redriveAll(world.api);
    findings.push(...(await settled(world, journal, plan.waves - 1, say)));
    await world.repair(plan.waves);
    say(`repaired the model for all events; redrove ${await redriveAll(world.api)} instances`);
    findings.push(...(await settled(world, journal, plan.waves, say)));
  } catch (error) {
    findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  findings.push(...world.service.unexpectedExits);
  const isFailed = findings.length > 0;
  const folder = await world.end({ keep: isFailed });
  const all = journal.flat();
  const acknowledged = all.filter(({ isAcknowledged }) => isAcknowledged);
  return {
    findings,
    folder: isFailed ? folder : undefined,
    counts: {
      'records sent': all.length,
      'records acknowledged': acknowledged.length,
      'requests repeated': all.reduce((sum, { attempts }) => sum + attempts - 1, 0),
      'invalid records': all.filter(({ put }) => !put.event).length,
      'starts of the service': world.service.starts,
    },
  };
}

/** Sends all records while the planned faults happen. */
async function trouble(
  plan: Plan,
  world: World,
  journal: Journal,
  say: (line: string) => void,
): Promise<void> {
  await world.service.ready();
  const startedAt = performance.now();
  const ending = new AbortController();
  const producing = journal.map((sent) =>
    produce(sent, world, { startedAt, signal: ending.signal }),
  );
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  const injecting = async () => {
    for (const fault of plan.faults) {
      await pause(Math.max(0, startedAt + fault.at - performance.now()));
      const done = await injectFault(world, fault).catch(
        (error: unknown) => `failed: ${messageOf(error)}`,
      );
      say(`${seconds()} s  ${fault.kind}: ${done}`);
    }
  };
  try {
    await Promise.all([injecting(), ...producing]);
    say(`${seconds()} s  everything is sent`);
  } finally {
    ending.abort();
  }
}

/** Repeats the audit until it finds nothing, or until its findings stay the same for a minute. Returns the findings. */
async function settled(
  world: World,
  journal: Journal,
  repaired: number,
  say: (line: string) => void,
): Promise<string[]> {
  let unchanged = { since: performance.now(), digest: '' };
  const known = journal
    .flat()
    .flatMap(({ put: { event } }): InstanceName[] =>
      event ? [{ model: event.modelid, transaction: event.transactionid }] : [],
    );
  for (;;) {
    await world.service.ready();
    const findings = await observe(world.api, known).then(
      (observed) => audit(journal, observed, repaired),
      (error: unknown) => [messageOf(error)],
    );
    say(
      `audit after repair ${repaired}: ${findings.length} findings ${findings[0]?.slice(0, 300) ?? ''}`,
    );
    const digest = findings.join('\n');
    if (digest !== unchanged.digest) unchanged = { since: performance.now(), digest };
    if (findings.length === 0 || performance.now() - unchanged.since > settleTimeoutMs)
      return findings;
    await pause(settlePauseMs);
  }
}
