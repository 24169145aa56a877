import type { Drill } from '../drill.ts';
import { isLogged } from './expectations.ts';

/** A failure of the whole pipeline, which the canary detects. */
export const canaryDrills: Readonly<Record<string, Drill>> = {
  Canary: {
    async cause(world) {
      // A run of the canary fails 5 seconds before its timeout, so replace the timeout of a minute.
      world.functions.release('CanaryFunction', { timeoutSeconds: 7 });
      await isLogged(world, 'Canary', /"status":"success"/);
      await world.shell.run(
        'aws lambda update-event-source-mapping --uuid "$(resource EventSourceMapping Dispatcher)" --no-enabled',
      );
      await isLogged(world, 'Canary', /the event was not applied in time/);
    },
    look: [
      /✖ dispatcher +its event source mapping is disabled/,
      /"level":"ERROR".*the event was not applied in time/,
    ],
    sameAs: 'EventSources',
    async gone(world) {
      world.logs.clear();
      await isLogged(world, 'Canary', /"status":"success"/);
      world.functions.remove('CanaryFunction');
    },
  },
};
