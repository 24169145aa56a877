import { expect, type Stage } from './stage.ts';

interface Account {
  readonly app: Readonly<Record<string, { readonly status: string; readonly token: string }>>;
}

/**
 * The scenario of the activation model: of the two services on a device, one is activated and the other is suspended.
 */
export async function activation(stage: Stage): Promise<void> {
  stage.title('Activating services on a device');
  const put = (type: string, data?: object) =>
    stage.put<Account>('activation', 'ATV-123', type, data);
  const [first, second] = ['NBCSports', 'ABC'];
  const token = 'MTOB1J';

  await put('account.created');
  stage.print((await put('activation.requested', { service: first, token })).state);
  stage.print((await put('activation.requested', { service: second, token: '' })).state);

  const right = await put('entitlement.requested', { service: first, token });
  stage.print(`service: ${first} is ${right.state.app[first]!.status}`);
  const tried: string[] = [];
  for (let i = 0; i < 4; i++) {
    const { state } = await put('entitlement.requested', { service: second, token });
    tried.push(state.app[second]!.status);
    stage.print(`service: ${second} is ${tried.at(-1)}`);
  }
  expect(
    [right.state.app[first]!.status, ...tried],
    ['Active', 'Waiting', 'Waiting', 'Waiting', 'Suspended'],
  );
}
