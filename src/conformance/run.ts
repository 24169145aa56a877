import { timerFiredType } from '../core/effects/timer.ts';
import type { FunctionPort } from '../model-runtime/remote/function-port.ts';
import { type Check, type CheckResult, runCheck } from './check.ts';
import { generalChecks } from './checks.ts';
import { type PlayedHistory, play } from './play.ts';
import type { Samples } from './samples.ts';
import { Subject } from './subject.ts';

/** The results of all checks. */
export interface Report {
  /** The model id; undefined if the function returns no valid description. */
  readonly model?: string;
  readonly results: readonly CheckResult[];
  /** The model's event types that occur in no sample, not even in a failed sample. */
  readonly untried: readonly string[];
}

/**
 * Tests whether a model function conforms to the protocol: checks the model's description, plays the samples, and runs
 * the general checks.
 *
 * @param tell receives each result as soon as its check has run.
 */
export async function runConformance(
  port: FunctionPort,
  samples: Samples | undefined,
  tell: (result: CheckResult) => void,
): Promise<Report> {
  const results: CheckResult[] = [];
  const run = async (check: Check) => {
    const result = await runCheck(check);
    results.push(result);
    tell(result);
  };

  const met: Subject[] = [];
  await run({
    name: 'describes its model',
    run: async () => void met.push(await Subject.connect(port)),
  });
  const [subject] = met;
  if (!subject) return { results, untried: [] };

  const played: PlayedHistory[] = [];
  for (const history of samples?.histories ?? [])
    await run({
      name: `sample: ${history.name}`,
      run: async () => void played.push(await play(subject, history)),
    });
  for (const check of generalChecks(subject, played)) await run(check);

  // Include the samples that failed, because their event types are not missing from the samples.
  const tried = new Set(
    samples?.histories.flatMap(({ events }) =>
      events.map((each) => ('fired' in each ? timerFiredType : each.type)),
    ),
  );
  const untried = Object.keys(subject.describedModel.events).filter((type) => !tried.has(type));
  return { model: subject.describedModel.id, results, untried };
}
