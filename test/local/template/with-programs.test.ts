import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readService } from '../../../src/local/template/read-service.ts';
import type { Template as Synthesized } from '../../../src/local/template/template.ts';
import { withPrograms } from '../../../src/local/template/with-programs.ts';
import { deployedModels, withModels } from '../../../src/local/user-models/with-models.ts';
import { newTracker, templateOf } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' };
const service = withModels(
  readService(templateOf({}, 'orders').toJSON() as Synthesized, place, (key) => `/assets/${key}`),
  [
    { id: 'orders', codePath: '/bundles/orders/1' },
    { id: 'loans', codePath: '/bundles/loans/1', host: '/bundles/model-host/1' },
  ],
);

let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'milepost-path-'));
  await writeFile(join(path, 'python3'), '', { mode: 0o755 });
});
afterAll(() => rm(path, { recursive: true }));

const ids = (of: typeof service) => deployedModels(of).map(({ modelId }) => modelId);

describe('a model in Python on the local service', () => {
  it('runs in a separate function, which a Milepost function with a longer timeout invokes', () => {
    const host = deployedModels(service).find(({ modelId }) => modelId === 'loans')!.function;
    const folding = service.functions.find(
      ({ arn }) => arn === host.environment.MILEPOST_FUNCTION,
    )!;
    expect(host).toMatchObject({
      runtime: 'nodejs24.x',
      codePath: '/bundles/model-host/1',
      environment: { MILEPOST_MODEL: 'loans' },
    });
    expect(folding).toMatchObject({
      runtime: 'python3',
      codePath: '/bundles/loans/1',
      handler: 'model.handler',
      environment: {},
    });
    expect(host.timeoutSeconds).toBeGreaterThan(2 * folding.timeoutSeconds);
  });

  it('runs with the python3 that is on the PATH', () => {
    const runnable = withPrograms(service, `/nowhere:${path}`);
    const folding = runnable.functions.find(({ runtime }) => runtime === 'python3')!;
    expect(folding.bootstrap?.[0]).toBe(join(path, 'python3'));
    expect(runnable.functions.filter(({ bootstrap }) => bootstrap)).toEqual([folding]);
    expect(ids(runnable)).toEqual(['orders', 'loans']);
    expect(runnable.unsupported).toEqual([]);
  });

  it('is omitted without affecting other models if python3 is not on the PATH', () => {
    const runnable = withPrograms(service, '/nowhere');
    expect(ids(runnable)).toEqual(['orders']);
    expect(runnable.functions.every(({ runtime }) => runtime.startsWith('nodejs'))).toBe(true);
    expect(runnable.unsupported).toEqual([
      'The model loans cannot run on this machine: its runtime is python3, but PATH has no python3; install Python 3',
    ]);
  });

  it('can be a function that the CDK app defines', () => {
    const { stack, tracker } = newTracker();
    const folding = new Function(stack, 'Loans', {
      runtime: Runtime.PYTHON_3_13,
      code: Code.fromAsset(join(import.meta.dirname, '..', '..', '..', 'examples', 'python')),
      handler: 'library_loan.handler',
    });
    tracker.addModelFunction('library-loan', { function: folding });
    const template = Template.fromStack(stack).toJSON() as Synthesized;
    const read = readService(template, place, (key) => `/assets/${key}`);
    const runnable = withPrograms(read, path);
    expect(ids(runnable)).toEqual(['library-loan']);
    const [model] = deployedModels(runnable);
    const asked = model!.function.environment.MILEPOST_FUNCTION;
    expect(runnable.functions.find(({ arn }) => arn === asked)).toMatchObject({
      runtime: 'python3.13',
      handler: 'library_loan.handler',
      bootstrap: [join(path, 'python3'), '-u', expect.stringMatching(/python-bootstrap\.py$/)],
    });
    expect(ids(withPrograms(read, '/nowhere'))).toEqual([]);
  });
});
