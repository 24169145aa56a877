import db from 'dynalite/db/index.js';
import updateParser from 'dynalite/db/updateParser.js';
import batchGetItemRules from 'dynalite/validations/batchGetItem.js';
import batchWriteItemRules from 'dynalite/validations/batchWriteItem.js';
import createTableRules from 'dynalite/validations/createTable.js';
import deleteItemRules from 'dynalite/validations/deleteItem.js';
import validations from 'dynalite/validations/index.js';
import listTagsOfResourceRules from 'dynalite/validations/listTagsOfResource.js';
import putItemRules from 'dynalite/validations/putItem.js';
import queryRules from 'dynalite/validations/query.js';
import scanRules from 'dynalite/validations/scan.js';
import tagResourceRules from 'dynalite/validations/tagResource.js';
import untagResourceRules from 'dynalite/validations/untagResource.js';
import updateItemRules from 'dynalite/validations/updateItem.js';
import updateTableRules from 'dynalite/validations/updateTable.js';
import { validationError } from './dynamodb-error.ts';
import { objectOf } from './json-operations.ts';
import { evaluatedCondition, type ParsedExpression } from './match-condition.ts';
import { parseNestedConditions } from './nested-conditions.ts';
import { itemProblem, jsonProblem, type MemberTypes, valueProblem } from './request-values.ts';
import { isTableArn, nameTable } from './table-arn.ts';

type Request = Readonly<Record<string, unknown>>;
type Rules = typeof queryRules;

let isCorrected = false;

/** Changes dynalite's modules where their behavior differs from DynamoDB's documentation. */
export function correctDynalite(): void {
  if (isCorrected) return;
  isCorrected = true;
  correctRequests();
  limitLevels();
  copyAssignedValues();
  correctConditions();
  parseNestedConditions();
  returnItemsOnConditionCheckFailure();
  for (const rules of [listTagsOfResourceRules, tagResourceRules, untagResourceRules])
    check(rules, resourceArnProblem);
  check(queryRules, selectProblem, limitProblem);
  check(scanRules, selectProblem, segmentProblem);
  check(batchGetItemRules, emptyBatchProblem('BatchGetItem'), tooManyKeysProblem);
  check(batchWriteItemRules, emptyBatchProblem('BatchWriteItem'));
  // The checks above replace these dynalite rules, whose messages differ from DynamoDB's.
  omit(queryRules.types, 'Limit', 'greaterThanOrEqual');
  omit(batchGetItemRules.types, 'RequestItems', 'lengthGreaterThanOrEqual');
  omit(
    batchGetItemRules.types,
    'RequestItems',
    'children',
    'children',
    'Keys',
    'lengthLessThanOrEqual',
  );
  omit(batchWriteItemRules.types, 'RequestItems', 'lengthGreaterThanOrEqual');
  // An index of a table with on-demand capacity has no throughput.
  omit(
    updateTableRules.types,
    ...['GlobalSecondaryIndexUpdates', 'children', 'children', 'Create', 'children'],
    ...['ProvisionedThroughput', 'notNull'],
  );
  updateTableRules.types['AttributeDefinitions'] = {
    ...createTableRules.types['AttributeDefinitions'],
    notNull: false,
  };
  const text = { type: 'String', notNull: true };
  tagResourceRules.types['Tags'] = {
    type: 'List',
    children: { type: 'ValueStruct<Tag>', children: { Key: text, Value: text } },
  };
  createTableRules.types['TableName'] = {
    type: 'String',
    required: true,
    regex: '[a-zA-Z0-9_.-]+',
    lengthGreaterThanOrEqual: 3,
    lengthLessThanOrEqual: 255,
  };
}

/**
 * Accepts the ARN of a table, and rejects an empty name, a request that is not an object, and values that dynalite does
 * not check.
 */
function correctRequests(): void {
  const { checkTypes } = validations;
  validations.checkTypes = (request, types) => {
    rejectIf(jsonProblem(objectOf(request)));
    const named = nameTable(request);
    // dynalite would report a second error, about the characters in the name.
    if ((named as Request)['TableName'] === '' && types !== createTableRules.types)
      throw validationError(
        "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
      );
    const checked = checkTypes(named, types);
    rejectIf(valueProblem(checked, types as MemberTypes));
    return checked;
  };
}

/**
 * Rejects items whose attributes have too many levels. Updates that add too many levels are rejected in
 * `optimizeStore`.
 */
function limitLevels(): void {
  const { validateItem } = db;
  db.validateItem = (item, table) => {
    const problem = itemProblem(item);
    return problem === undefined ? validateItem(item, table) : validationError(problem);
  };
}

/** Makes dynalite evaluate conditions and filters with `matchesCondition`. */
function correctConditions(): void {
  const { validateExpressions } = validations;
  validations.validateExpressions = (request) => {
    const problem = validateExpressions(request);
    const { _condition, _filter } = request;
    for (const parsed of [_condition, _filter])
      if (parsed) parsed.expression = evaluatedCondition(parsed.expression as ParsedExpression);
    return problem;
  };
}

/**
 * Makes `SET` assign a copy of each value. dynalite would assign the object that it read: `SET a = b ADD b :one` would
 * also change `a`, and `SET a = b, b.c = b` would create a cycle.
 */
function copyAssignedValues(): void {
  const { parse } = updateParser;
  updateParser.parse = (expression, options) => {
    const parsed = parse(expression, options);
    if (typeof parsed === 'string') return parsed;
    for (const section of parsed.sections.filter(({ type }) => type === 'set')) {
      let { val } = section;
      // dynalite replaces the parsed operand with the value.
      Object.defineProperty(section, 'val', {
        get: () => val,
        set(value) {
          val = structuredClone(value);
        },
      });
    }
    return parsed;
  };
}

/**
 * Adds the current item to the error of a failed condition if the request sets `ReturnValuesOnConditionCheckFailure` to
 * `ALL_OLD`.
 */
function returnItemsOnConditionCheckFailure(): void {
  for (const { types } of [deleteItemRules, putItemRules, updateItemRules])
    types['ReturnValuesOnConditionCheckFailure'] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  const { checkConditional } = db;
  db.checkConditional = (request, before) => {
    const error = checkConditional(request, before);
    const { ReturnValuesOnConditionCheckFailure: values } = request as Request;
    if (error && before && values === 'ALL_OLD')
      Object.assign((error as Error & { body: object }).body, { Item: before });
    return error;
  };
}

/** Adds rules, each of which returns a message if the request is invalid. */
function check(rules: Rules, ...problems: ((request: Request) => string | undefined)[]): void {
  const { custom } = rules;
  rules.custom = (request, store) => {
    for (const problem of problems) {
      const message = problem(request);
      if (message !== undefined) return message;
    }
    return custom(request, store);
  };
}

function rejectIf(problem: string | undefined): void {
  if (problem !== undefined) throw validationError(problem);
}

/** Deletes the rule at a path. */
function omit(types: object, ...path: readonly string[]): void {
  const parent = path
    .slice(0, -1)
    .reduce(
      (type, name) => type[name] as Record<string, unknown>,
      types as Record<string, unknown>,
    );
  delete parent[path.at(-1)!];
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html#DDB-Query-request-Select */
function selectProblem({ Select, ProjectionExpression, AttributesToGet }: Request) {
  if (Select === 'SPECIFIC_ATTRIBUTES')
    return ProjectionExpression === undefined && AttributesToGet === undefined
      ? 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
      : undefined;
  if (typeof Select !== 'string' || ProjectionExpression === undefined) return undefined;
  return `Cannot specify the ProjectionExpression when choosing to get ${Select}`;
}

function limitProblem({ Limit }: Request) {
  if (Limit === undefined || Number(Limit) >= 1) return undefined;
  return "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1";
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html#DDB-Scan-request-Segment */
function segmentProblem({ Segment, TotalSegments }: Request) {
  if (Segment === undefined || TotalSegments !== undefined) return undefined;
  return 'The TotalSegments parameter is required but was not present in the request when Segment parameter is present';
}

/**
 * Rejects invalid ARNs. dynalite returns `AccessDeniedException` for some invalid ARNs, and its pattern would take too
 * long to match other ARNs: the time grows with the fifth power of the number of colons.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html
 */
function resourceArnProblem({ ResourceArn: arn }: Request) {
  if (typeof arn !== 'string' || isTableArn(arn)) return undefined;
  return `Invalid TableArn: Invalid ResourceArn provided as input ${arn}`;
}

const emptyBatchProblem = (operation: string) => (request: Request) =>
  Object.keys(request['RequestItems'] as object).length === 0
    ? `The requestItems parameter is required for ${operation}`
    : undefined;

/** The maximum number of keys for one table in `BatchGetItem`. */
const maximumKeys = 100;

function tooManyKeysProblem({ RequestItems }: Request) {
  const tables = Object.entries(RequestItems as Record<string, { Keys: readonly unknown[] }>);
  const table = tables.find(([, { Keys }]) => Keys.length > maximumKeys);
  if (table === undefined) return undefined;
  return `1 validation error detected: Value at 'RequestItems.${table[0]}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to ${maximumKeys}`;
}
