import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import type { NotificationFilter } from '../../src/publisher/notification-filter.ts';

/** @throws MilepostError `bad-request` for a value that is not a list, or an empty list, which would publish nothing. */
export function checkFilter(filter: NotificationFilter): void {
  for (const name of ['types', 'models'] as const) {
    const list: unknown = filter[name];
    if (list !== undefined && !Array.isArray(list))
      throw new MilepostError(
        'bad-request',
        `\`filter.${name}\` must be a list of ${name}; got ${JSON.stringify(list)}`,
      );
    if (list?.length === 0)
      throw new MilepostError(
        'bad-request',
        `\`filter.${name}\` must not be empty; omit it to publish all ${name}, or use Notifications.toStream() to publish nothing on a bus`,
      );
  }
}

/**
 * Makes synthesis fail if the filter contains a model that the tracker does not have.
 *
 * @param hasModel called during synthesis, when all models have been added.
 */
export function requireModels(
  scope: Construct,
  { models = [] }: NotificationFilter,
  hasModel: (id: string) => boolean,
): void {
  scope.node.addValidation({
    validate: () =>
      models
        .filter((id) => !hasModel(id))
        .map(
          (id) =>
            `the notification filter names the model "${id}", which does not exist in the tracker; add it with addModel or addModelFunction`,
        ),
  });
}
