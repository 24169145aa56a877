import type { RegistryRequest } from '../../../src/registrar/register-model.ts';

/** A request for the resource of a model, with default fields. By default, the time of the request is unknown. */
export const registryRequest = (more: Partial<RegistryRequest> = {}): RegistryRequest => ({
  type: 'Update',
  resource: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/1/Registration',
  at: '2026-01-01T00:00:00.000Z',
  isTimed: false,
  ...more,
});
