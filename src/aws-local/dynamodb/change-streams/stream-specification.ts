import { promisify } from 'node:util';
import type { StreamViewType } from '@aws-sdk/client-dynamodb';
import type { Store } from 'dynalite/db/index.js';
import createTableRules from 'dynalite/validations/createTable.js';
import * as v from 'valibot';
import { validationError } from '../dynamodb-error.ts';
import { findTable, withTableLock } from '../find-table.ts';
import { type JsonOperation, validRequest } from '../json-operations.ts';

const viewTypes = [
  ...['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'],
] as readonly StreamViewType[];

const specification = v.pipe(
  v.object({ StreamEnabled: v.boolean(), StreamViewType: v.optional(v.picklist(viewTypes)) }),
  v.check(
    ({ StreamEnabled, StreamViewType }) => StreamEnabled === (StreamViewType !== undefined),
    'StreamViewType is required if StreamEnabled is true, and not allowed otherwise',
  ),
);

/** Makes dynalite accept and store `StreamSpecification` in CreateTable. */
export function acceptStreamSpecification(): void {
  const { types, custom } = createTableRules;
  types['StreamSpecification'] = {
    type: 'FieldStruct<StreamSpecification>',
    children: {
      StreamEnabled: { type: 'Boolean', notNull: true },
      StreamViewType: { type: 'String', enum: viewTypes },
    },
  };
  createTableRules.custom = (data, store) => {
    const parsed = v.safeParse(v.optional(specification), data['StreamSpecification']);
    if (!parsed.success) return `StreamSpecification: ${parsed.issues[0].message}`;
    return custom(data, store);
  };
}

const updateRequest = v.pipe(
  v.looseObject({ TableName: v.string(), StreamSpecification: specification }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { TableName: _, StreamSpecification: __, ...others } = dataset.value;
    const names = Object.keys(others).join(', ');
    if (names === '') return;
    addIssue({
      message: `the local endpoint cannot change StreamSpecification together with other settings; update these separately: ${names}`,
    });
  }),
);

/**
 * Implements UpdateTable for requests that enable or disable the stream of a table. dynalite executes all other
 * requests.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 */
export function updateStream(store: Store): JsonOperation {
  return (request) => {
    if (typeof request !== 'object' || request === null || !('StreamSpecification' in request))
      return undefined;
    const { TableName: name, StreamSpecification: wanted } = validRequest(updateRequest, request);
    return withTableLock(store, name, async () => {
      const table = await findTable(store, name);
      const isEnabled = table.StreamSpecification?.StreamEnabled === true;
      if (wanted.StreamEnabled && isEnabled)
        throw validationError(`Table already has an enabled stream: TableName: ${name}`);
      if (!wanted.StreamEnabled && !isEnabled)
        throw validationError(`Table has no stream to disable: TableName: ${name}`);
      const changed = { ...table, StreamSpecification: wanted };
      await promisify(store.tableDb.put)(name, changed);
      return { TableDescription: changed };
    });
  };
}
