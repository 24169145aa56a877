import { expect, type Stage } from './stage.ts';

/** The scenario of the session model: of two website sessions, one is ended and the other expires. */
export async function session(stage: Stage): Promise<void> {
  stage.title('Sessions');
  const halfAnHour = 30 * 60;
  await stage.put('session', 'S-1', 'session.started', { token: 'S-1', data: { cart: [] } });
  await stage.put('session', 'S-1', 'session.updated', { set: { cart: ['tickets'] } });
  const ended = await stage.put('session', 'S-1', 'session.ended');
  stage.print(ended.state);
  stage.print(ended.status);
  await stage.put('session', 'S-2', 'session.started', { token: 'S-2' }, halfAnHour - 1);
  const { status } = await stage.instance('session', 'S-2', ({ done }) => done);
  stage.print(status);
  expect([ended.status, status], ['Ended', 'Expired']);
}
