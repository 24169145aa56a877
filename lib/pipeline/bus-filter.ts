import { Annotations, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { closestWord } from '../../src/common/closest-word.ts';
import { ownNotificationTypes } from '../../src/core/effects/notification.ts';
import { MilepostError } from '../../src/core/errors.ts';
import type { NotificationFilter } from '../../src/publisher/notification-filter.ts';
import { requireObject } from '../options/require-object.ts';
import { shown } from '../options/shown.ts';

/**
 * Checks the filter of a notification bus.
 *
 * @throws MilepostError `bad-request` for a value that is not a list of names, an empty list, which would publish
 *   nothing, or one of Milepost's own types with a different capitalization.
 */
export function checkFilter(filter: NotificationFilter): void {
  const names = ['types', 'models'] as const;
  requireObject('`filter`', filter, "{ types: ['MilestoneLate'] }", names);
  for (const name of names) {
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
    const unnamed = list?.find((each: unknown) => typeof each !== 'string' || each === '');
    if (list?.includes(unnamed))
      throw new MilepostError(
        'bad-request',
        `\`filter.${name}\` must contain only names of ${name}; got ${shown(unnamed)}`,
      );
  }
  for (const type of filter.types ?? []) {
    const own = ownNotificationTypes.find((each) => each.toLowerCase() === type.toLowerCase());
    if (own !== undefined && own !== type)
      throw new MilepostError(
        'bad-request',
        `\`filter.types\` must contain types with their exact capitalization; got "${type}"; did you mean \`${own}\`?`,
      );
  }
}

/**
 * Adds a warning for each type in the filter that resembles one of Milepost's own types. The filter is not rejected,
 * because models can choose such types.
 */
export function warnOfSimilarTypes(scope: Construct, { types = [] }: NotificationFilter): void {
  const own: readonly string[] = ownNotificationTypes;
  for (const type of types) {
    if (Token.isUnresolved(type) || own.includes(type)) continue;
    const closest = closestWord(type, own);
    if (closest !== undefined)
      Annotations.of(scope).addWarningV2(
        `milepost:notification-type:${type}`,
        `the notification filter contains the type "${type}", which is not one of Milepost's own types; did you mean \`${closest}\`? If a model publishes notifications of this type, acknowledge this warning`,
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
