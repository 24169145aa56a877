import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { readService } from '../../../src/local/template/read-service.ts';
import type { ServiceDefinition } from '../../../src/local/template/service-definition.ts';
import type { Template } from '../../../src/local/template/template.ts';
import { writeBundle } from '../../../src/local/user-models/bundle-model.ts';
import { createModelReloader } from '../../../src/local/user-models/reload-models.ts';
import { deployedModels, withModels } from '../../../src/local/user-models/with-models.ts';
import { templateOf } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'us-east-1', accountId: '000000000000' };
const app = readService(templateOf({}, 'orders').toJSON() as Template, place, () => '/none');

/**
 * The source of a Lambda function that responds to a describe request with a description, and to any other request with
 * `word`.
 */
const lambda = (id: string, word: string) => `
  const description = { id: '${id}', version: 1, title: 'A', statuses: [], milestones: [], eventTypes: [] };
  export const handler = async ({ op }) => op === 'describe' ? description : '${word}';`;

const bundle = (text: string) => [{ path: 'index.mjs', text }];

let root: string;
let host: LambdaHost;
let lines: string[];
let registered: ServiceDefinition['customResources'];
let refuse: boolean;
let reload: ReturnType<typeof createModelReloader>;
let take: (id: string, code: string) => ReturnType<typeof reload>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'milepost-reload-'));
  host = new LambdaHost({ functions: [], runtimeEnvironment: {} });
  [lines, registered, refuse] = [[], [], false];
  const first = await writeBundle('parcel', bundle(lambda('parcel', 'first')), root);
  const service = withModels(app, [first]);
  const running = deployedModels(service)[0]!.function;
  host.define(running);
  reload = createModelReloader({
    service,
    host,
    environment: {},
    path: undefined,
    async register(next) {
      if (refuse) throw new Error('the table is full');
      registered = next.customResources;
    },
    log: (line) => lines.push(line),
  });
  take = async (id, code) => reload(await writeBundle(id, bundle(code), root));
});
afterEach(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

async function answer(id: string): Promise<unknown> {
  const [{ function: definition }] = deployedModels(withModels(app, [{ id, codePath: '' }])) as [
    ReturnType<typeof deployedModels>[number],
  ];
  const { payload } = await host.invoke({ functionName: definition.name, payload: '{}' });
  return JSON.parse(payload);
}

describe('the model reloader', () => {
  it('deploys and registers new code', async () => {
    expect(await take('parcel', lambda('parcel', 'second'))).toBe('deployed');
    expect(await answer('parcel')).toBe('second');
    expect(registered.filter(({ type }) => type === 'Custom::MilepostModel')).toHaveLength(1);
    expect(lines).toEqual([expect.stringMatching(/^The model parcel was reloaded in \d+ ms$/)]);
    expect(host.definitions()).toHaveLength(1);
  });

  it('does not reload unchanged code', async () => {
    expect(await take('parcel', lambda('parcel', 'first'))).toBe('unchanged');
    expect({ lines, registered }).toEqual({ lines: [], registered: [] });
  });

  it.each([
    [
      'does not load',
      'throw new Error("no\\nway")',
      /^the model parcel does not load: Error: no way; /,
    ],
    ['exports no handler', 'export const handle = 1', /must export the result of serve\(model\)/],
    [
      'defines a model with another id',
      lambda('letter', 'x'),
      /the folder parcel contains the model "letter"/,
    ],
    [
      'does not define a model',
      'export const handler = async () => 7',
      /returned no valid description/,
    ],
  ])('keeps the previous code if the new code %s', async (_, code, reason) => {
    expect(await take('parcel', code)).toBe('refused');
    expect(lines).toEqual([expect.stringMatching(reason)]);
    expect(lines[0]).toMatch(/; the previous code stays in use$/);
    expect(await answer('parcel')).toBe('first');
    expect(registered).toEqual([]);
  });

  it('restores the previous code if the new code fails to register', async () => {
    refuse = true;
    await take('parcel', lambda('parcel', 'second'));
    expect(lines).toEqual([
      'the model parcel could not be registered: the table is full; the previous code stays in use',
    ]);
    expect(await answer('parcel')).toBe('first');
  });

  it('logs the reason if a Python model cannot run', async () => {
    await reload({ id: 'loan', codePath: join(root, 'loan'), host: join(root, 'host') });
    expect(lines).toEqual([
      'The model loan cannot run on this machine: its runtime is python3, but PATH has no python3; install Python 3; the model is not available',
    ]);
    expect(registered).toEqual([]);
  });

  it('adds a new model', async () => {
    await take('letter', lambda('letter', 'new'));
    expect(await answer('letter')).toBe('new');
    expect(registered.filter(({ type }) => type === 'Custom::MilepostModel')).toHaveLength(2);
  });
});
