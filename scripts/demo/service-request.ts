import { expect, type Stage } from './stage.ts';

/**
 * The scenario of the service-request model: the milestones of a customer's request are reached in a different order
 * than usual. It also puts an invalid record on the stream.
 */
export async function serviceRequest(stage: Stage): Promise<void> {
  stage.title('A service request, and an invalid record');
  const milestones = ['received', 'scheduled', 'verified', 'fulfilled', 'closed'];
  for (const milestone of milestones) {
    await stage.put('service-request', 'SR-1', 'milestone.reached', { milestone });
    const { status, progress, milestones: all } = await stage.instance('service-request', 'SR-1');
    const marks = all.map(({ label, state }) => `${label}: ${state}`).join(', ');
    stage.print(`${status}, ${Math.round((progress ?? 0) * 100)} % (${marks})`);
  }
  const { done } = await stage.instance('service-request', 'SR-1');

  const record = '{"foo":"data for you"}';
  await stage.putRaw('partitionKey-3', record);
  const { reason } = await stage.deadLetter(record);
  stage.print(`${record} is a dead letter: ${reason}`);
  expect(done, true);
}
