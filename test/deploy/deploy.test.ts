import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyOfProject } from '../support/docs/copy-of-project.ts';
import { shownFiles, writeShownFiles } from '../support/docs/readme.ts';
import { instancePath } from '../support/service/service.ts';
import { type Account, openAccount } from './support/account.ts';
import { announce, rejectExistingDeployment } from './support/announce.ts';
import { Commands, type Outputs } from './support/commands.ts';
import { DeployedApi } from './support/deployed-api.ts';
import { targetOf } from './support/target.ts';

/** The maximum duration of a deployment, in milliseconds. */
const deploymentMs = 900_000;
/** The maximum wait for an expected response, in milliseconds. The deployed clock runs every minute. */
const patience = { timeout: 180_000, interval: 500 };
/** How long the model `tickets` holds reservations, in milliseconds. */
const heldFor = 30_000;

interface Shown {
  readonly status: string;
  readonly version: number;
}
interface History {
  readonly entries: readonly { readonly event: object; readonly status: string }[];
}
interface Check {
  readonly id: string;
  readonly state: string;
  readonly detail: string;
}
interface Models {
  readonly models: readonly { readonly id: string }[];
}

const target = targetOf(process.env);
/**
 * The ids of checks whose AWS calls MiniStack denies, because it requires different actions or resources in policies
 * than AWS.
 */
const denied =
  target === 'ministack' ? ['dispatcher', 'publisher', 'counter', 'clock', 'alarms'] : [];
let account: Account;
let project: string;
let commands: Commands;
let outputs: Outputs;
let api: DeployedApi;

async function deploy(): Promise<void> {
  outputs = await commands.deploy();
  api = new DeployedApi(account, outputs.ApiUrl);
}

/** Puts an event with the AWS CLI. */
async function put(
  modelid: string,
  transactionid: string,
  id: string,
  type: string,
  more: { readonly data?: object; readonly time?: string } = {},
): Promise<void> {
  const event = { specversion: '1.0', id, source: 'test', type, modelid, transactionid, ...more };
  await commands.putRecord(outputs.StreamName, event);
}

/** Repeats a request until the response has the status 200 and the expected body. */
async function eventually<Body>(path: string, expected: (body: Body) => void): Promise<void> {
  await vi.waitFor(async () => {
    const { status, body } = await api.ask<Body>(path);
    expect({ status, body }).toMatchObject({ status: 200 });
    expected(body);
  }, patience);
}

const registered = async () => {
  const { body } = await api.ask<Models>('/api/models');
  return body.models.map(({ id }) => id);
};

describe(`the service deployed to ${target}`, { timeout: patience.timeout + 20_000 }, () => {
  beforeAll(async () => {
    project = await copyOfProject();
    account = await openAccount[target]();
    commands = new Commands(account, project);
    await rejectExistingDeployment(commands);
    if (target === 'aws') await announce(commands, account);
    await commands.bootstrap();
    await deploy();
  }, deploymentMs);

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await commands.functionLogs());
  });

  afterAll(async () => {
    await account?.close();
    if (project) await rm(project, { recursive: true, force: true });
  });

  it('shows the status and the history of an instance whose events the AWS CLI puts', async () => {
    const service = { service: 'NBCSports', token: 'MTOB1J' };
    await put('activation', 'ATV-123', 'e1', 'account.created');
    await put('activation', 'ATV-123', 'e2', 'activation.requested', { data: service });
    await put('activation', 'ATV-123', 'e3', 'entitlement.requested', { data: service });
    await eventually<Shown>(instancePath('activation', 'ATV-123'), (body) => {
      expect(body).toMatchObject({ model: 'activation', status: 'Active', version: 3 });
    });
    await eventually<History>(`${instancePath('activation', 'ATV-123')}/history`, (body) => {
      expect(body.entries).toMatchObject([
        { event: { id: 'e1', type: 'account.created' }, outcome: 'applied', status: 'New' },
        { event: { id: 'e2', data: service }, outcome: 'applied', status: 'Waiting' },
        { event: { id: 'e3', data: service }, outcome: 'applied', status: 'Active' },
      ]);
    });
  });

  it('shows the status with npx milepost and a signed request', async () => {
    const shown = await commands.milepost(outputs, 'status', 'activation', 'ATV-123');
    expect(shown).toMatch(/^Status +Active$/m);
  });

  it('passes the checks of npx milepost doctor', async () => {
    const shown = await commands.milepost(outputs, 'doctor', '--json');
    const { checks } = JSON.parse(shown) as { checks: readonly Check[] };
    const isExpected = ({ id, state }: Check) =>
      state === 'ok' || state === 'warning' || (state === 'unknown' && denied.includes(id));
    expect(checks.filter((each) => !isExpected(each))).toEqual([]);
  });

  it('stores records that are not events of a model as dead letters', async () => {
    await put('nobody', 'X-1', 'e1', 'account.created');
    await eventually('/api/dead-letters', (body) => {
      expect(body).toMatchObject({ deadLetters: [{ modelId: 'nobody', transactionId: 'X-1' }] });
    });
  });

  // By default, LocalStack does not check credentials.
  it.skipIf(target === 'localstack')('rejects unsigned requests', async () => {
    expect(await api.askUnsigned('/api/models')).toMatchObject({ status: 403 });
  });

  describe('after a second deployment that adds a model and removes another', () => {
    beforeAll(async () => {
      expect(await registered()).toContain('activation');
      expect(await registered()).not.toContain('parcel');

      // The timer is due in two seconds, so it fires before, during, or after the deployment.
      const time = new Date(Date.now() - heldFor + 2_000).toISOString();
      await put('tickets', 'MATCH', '1', 'event.created', { data: { available: 4 } });
      const data = { who: 'Fred', qty: 1 };
      await put('tickets', 'MATCH', '2', 'tickets.reserved', { data, time });

      await rm(join(project, 'models', 'activation'), { recursive: true });
      await writeShownFiles(project, shownFiles);
      await deploy();
    }, deploymentMs);

    it('fires due timers', async () => {
      await eventually<History>(`${instancePath('tickets', 'MATCH')}/history`, (body) => {
        expect(body.entries).toMatchObject([
          { event: { type: 'event.created' } },
          { event: { type: 'tickets.reserved' }, state: { available: 3 } },
          {
            event: {
              type: 'timer.fired',
              source: 'milepost:clock',
              data: { name: 'reservation/Fred' },
            },
            outcome: 'applied',
            state: { available: 4, reservations: {} },
          },
        ]);
      });
    });

    it('accepts events of the added model', async () => {
      expect(await registered()).toContain('parcel');
      await put('parcel', 'P-1', 'e1', 'parcel.packed');
      await eventually<Shown>(instancePath('parcel', 'P-1'), (body) => {
        expect(body).toMatchObject({ model: 'parcel', status: 'Packed' });
      });
    });

    it('no longer lists the removed model but keeps its instances', async () => {
      expect(await registered()).not.toContain('activation');
      await eventually<Shown>(instancePath('activation', 'ATV-123'), (body) => {
        expect(body).toMatchObject({ model: 'activation', status: 'Active', version: 3 });
      });
      await eventually<History>(`${instancePath('activation', 'ATV-123')}/history`, (body) => {
        expect(body.entries.map(({ status }) => status)).toEqual(['New', 'Waiting', 'Active']);
      });
    });
  });
});
