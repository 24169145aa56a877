import { expect, type Stage } from './stage.ts';

interface Work {
  readonly last_step: string;
}

/**
 * The scenario of the new-device model: an activation moves from queue to queue while the list of offers is updated.
 */
export async function newDevice(stage: Stage): Promise<void> {
  stage.title('A new device, from queue to queue');
  const device = 'MYTV-678';
  const id = 'bd506063';
  await stage.put('activation', device, 'account.created');
  await stage.put('new-device', id, 'activation.submitted', {
    service: 'CNN',
    device,
    token: 'MTOB1J',
  });
  const history = await stage.history<Work>(
    'new-device',
    id,
    (all) => all.at(-1)!.state.last_step === 'end',
  );
  let from = 'start';
  for (const { state, event } of history) {
    if (state.last_step === from) continue;
    stage.print(
      `Transitioned: Q:new-device ID:${id} F:${from} T:${state.last_step} (${event.type})`,
    );
    from = state.last_step;
  }
  const account = await stage.instance('activation', device);
  stage.print(account.state);
  const offers = await stage.instance<{ devices: string[] }>('offers', 'CNN');
  stage.print({ offers: 'CNN', ...offers.state });
  expect([account.status, offers.state.devices], ['Active', [device]]);
}
