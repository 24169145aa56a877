import { inject } from 'vitest';
import type { ReadyLine } from '../../../src/local/stack.ts';
import { ServiceClient } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly service: ReadyLine;
  }
}

/**
 * The service that all end-to-end test files share (`prepare.ts`). Each file uses separate models or transactions, does
 * not change the shipped models, and tolerates rows from other files in lists. A test that stops, kills, or configures
 * a service starts a separate one.
 */
class SharedService extends ServiceClient {
  readonly ready = inject('service');
}

export const sharedService = (): ServiceClient => new SharedService();
