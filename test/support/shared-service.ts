import { inject } from 'vitest';
import type { ReadyLine } from '../../src/local/stack.ts';
import { ServiceClient } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly service: ReadyLine;
  }
}

/**
 * The service that runs while end-to-end tests do (`prepare.ts`), for all files together: each has
 * models or transactions of its own, leaves the shipped models registered as they are, and expects
 * lists to have others' rows too. A test that stops, kills or sets up a service starts its own.
 */
class SharedService extends ServiceClient {
  readonly ready = inject('service');
}

export const sharedService = (): ServiceClient => new SharedService();
