import { describe, expect, it } from 'vitest';
import { readService } from '../../../src/local/template/read-service.ts';
import {
  type Template,
  TemplateError,
  versionNumberToken,
} from '../../../src/local/template/template.ts';
import {
  deployedModels,
  withModel,
  withModels,
} from '../../../src/local/user-models/with-models.ts';
import { templateOf } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' };
const service = readService(
  templateOf({}, 'orders', 'returns').toJSON() as Template,
  place,
  (key) => `/assets/${key}`,
);

describe('withModels', () => {
  const changed = withModels(service, [
    { id: 'parcel', codePath: '/bundles/parcel/1' },
    { id: 'a'.repeat(64), codePath: '/bundles/a/1' },
  ]);

  it('replaces the models of the service with the given models, which have the same settings', () => {
    expect(deployedModels(service).map(({ modelId }) => modelId)).toEqual(['orders', 'returns']);
    const [parcel, other] = deployedModels(changed);
    const [orders] = deployedModels(service);
    expect(deployedModels(changed).map(({ modelId }) => modelId)).toEqual([
      'parcel',
      'a'.repeat(64),
    ]);
    const { name, arn } = parcel!.function;
    expect(parcel!.function).toEqual({
      ...orders!.function,
      name,
      arn,
      codePath: '/bundles/parcel/1',
      handler: 'index.handler',
    });
    expect(arn).toBe(`arn:aws:lambda:eu-west-1:123456789012:function:${name}`);
    expect(other!.function.name.length).toBeLessThanOrEqual(64);
    expect(changed.functions).toHaveLength(service.functions.length);
    expect(changed.tables).toEqual(service.tables);
  });

  it('changes the registration when the code changes', () => {
    const [one, two] = ['1', '2'].map((name) => {
      const [model] = deployedModels(
        withModels(service, [{ id: 'parcel', codePath: `/b/${name}` }]),
      );
      return model!;
    });
    expect(one!.registration.properties).toMatchObject({ CodeHash: '1' });
    expect(two!.registration.properties).toMatchObject({ CodeHash: '2' });
    // Changed code is also published as a new version.
    expect(one!.version?.id).not.toBe(two!.version!.id);
    expect(two!.registration.properties).toMatchObject({
      FunctionVersion: versionNumberToken(two!.version!.id),
    });
  });

  it('requires a service with at least one model, whose deployment serves as the template', () => {
    expect(() => withModels(withModels(service, []), [])).toThrow(TemplateError);
  });

  it('replaces the deployment of a model with the same id', () => {
    const [parcel] = deployedModels(withModels(service, [{ id: 'parcel', codePath: '/b/2' }]));
    const next = withModel(changed, parcel!);
    expect(deployedModels(next)).toHaveLength(2);
    expect(deployedModels(next).map((model) => model.function.codePath)).toContain('/b/2');
  });
});
