import { expect } from 'vitest';
import type { Drill } from '../drill.ts';
import { isLogged } from './expectations.ts';

export const keyDrills: Readonly<Record<string, Drill>> = {
  KeyRotationErrors: {
    async cause(world) {
      const { environment } = world.functions.named('SigningKeysRotationFunction');
      const nowhere = 'http://127.0.0.1:1';
      world.functions.change('SigningKeysRotationFunction', {
        environment: { ...environment, AWS_ENDPOINT_URL_SECRETS_MANAGER: nowhere },
      });
      await world.shell.run(
        'aws secretsmanager rotate-secret --secret-id "$(resource Secret SigningKeys)"',
      );
      await world.secrets.rotated;
      await isLogged(world, 'SigningKeysRotation', /ECONNREFUSED/);
    },
    look: [/"level":"ERROR".*ECONNREFUSED/],
    repair: (world) => world.functions.revertDrift(),
    async gone(world) {
      await world.secrets.rotated;
      expect(Object.keys(JSON.parse(world.secrets.current('SigningKeys')) as object)).toHaveLength(
        2,
      );
      expect(
        await world.shell.run(
          'aws secretsmanager describe-secret --secret-id "$(resource Secret SigningKeys)"',
        ),
      ).toContain('LastRotatedDate');
    },
  },
};
