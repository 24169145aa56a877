import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Chance } from '../../../src/common/chance.ts';

type Values = Record<string, AttributeValue>;

/** The name of an operation, with a request. */
export interface Operation {
  readonly name: string;
  readonly request: Record<string, unknown>;
}

const attributes = ['n', 'v', 'w'];
// DynamoDB Local does not normalize numbers such as 1.0 everywhere.
const numbers = ['0', '-1', '10', '-0.001', '1e126', '9'.repeat(39), 'one', ''];
const texts = ['', 'x', 'y', 'Zoë', '😀', 'a\u0000'];

/** Generates random requests of the kinds that Milepost sends. Some of the requests are invalid. */
export class RandomRequests {
  readonly #chance: Chance;
  readonly #table: string;

  constructor(chance: Chance, table: string) {
    this.#chance = chance;
    this.#table = table;
  }

  next(): Operation {
    const kinds = [
      ...[this.#put, this.#put, this.#update, this.#update, this.#delete, this.#get, this.#query],
      ...[this.#queryIndex, this.#batchGet, this.#batchWrite, this.#statements, this.#statements],
      ...[this.#transactGet, this.#transactWrite, this.#transactWrite, this.#transaction],
    ];
    return this.#chance.pick(kinds)();
  }

  readonly #put = () => this.#single('PutItem', { Item: this.#item() }, ['ALL_OLD', 'ALL_NEW']);

  readonly #delete = () => this.#single('DeleteItem', { Key: this.#key() }, ['ALL_OLD']);

  readonly #get = () => this.#operation('GetItem', { Key: this.#key(), ConsistentRead: true });

  readonly #update = () => {
    const returned = ['ALL_OLD', 'ALL_NEW', 'UPDATED_NEW'];
    const [UpdateExpression, values] = this.#updateExpression();
    return this.#single('UpdateItem', { Key: this.#key(), UpdateExpression }, returned, values);
  };

  #updateExpression(): [string, Values] {
    const name = this.#chance.pick(attributes);
    return this.#chance.pick<[string, Values]>([
      [`SET ${name} = :value`, { ':value': this.#value() }],
      [`SET ${name} = ${name} + :one`, { ':one': { N: '1' } }],
      [`SET ${name} = if_not_exists(${name}, :one) REMOVE part`, { ':one': { N: '1' } }],
      [`ADD ${name} :one`, { ':one': { N: '1' } }],
      [`REMOVE ${name}`, {}],
      ['SET part = :part, since = :since', { ':part': { S: 'p' }, ':since': this.#integer() }],
    ]);
  }

  readonly #query = () => {
    const [range, values] = this.#chance.pick<[string, Values]>([
      ['', {}],
      [' AND begins_with(sk, :sk)', { ':sk': { S: 'COMMIT#' } }],
      [' AND sk > :sk', { ':sk': { S: 'COMMIT#02' } }],
    ]);
    return this.#operation('Query', {
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: { ':pk': this.#validKey()['pk'], ...values },
      ScanIndexForward: this.#chance.happens(0.5),
      ConsistentRead: true,
    });
  };

  readonly #queryIndex = () =>
    this.#operation('Query', {
      IndexName: 'latest',
      KeyConditionExpression: 'part = :part AND since >= :since',
      ExpressionAttributeValues: { ':part': { S: 'p' }, ':since': this.#integer() },
    });

  readonly #batchGet = () => {
    const Keys = this.#several(() => this.#key());
    const ProjectionExpression = this.#chance.pick([undefined, 'n, v', 'n, n', 'v.a']);
    return {
      name: 'BatchGetItem',
      request: { RequestItems: { [this.#table]: { Keys, ProjectionExpression } } },
    };
  };

  readonly #batchWrite = () => {
    const requests = this.#several(() =>
      this.#chance.happens(0.7)
        ? { PutRequest: { Item: this.#item() } }
        : { DeleteRequest: { Key: this.#key() } },
    );
    return { name: 'BatchWriteItem', request: { RequestItems: { [this.#table]: requests } } };
  };

  readonly #statements = () => {
    // Avoid repeated items: DynamoDB Local rejects a batch with repeated items but executes some of its statements.
    const Statements = this.#differentKeys().map((key) => this.#statement(key));
    return { name: 'BatchExecuteStatement', request: { Statements } };
  };

  readonly #transactGet = () => {
    const ProjectionExpression = this.#chance.pick([undefined, 'n, v', 'n, n', 'v.a']);
    const TransactItems = this.#several(() => ({
      Get: { TableName: this.#table, Key: this.#key(), ProjectionExpression },
    }));
    return { name: 'TransactGetItems', request: { TransactItems } };
  };

  readonly #transactWrite = () => {
    // Avoid repeated items: DynamoDB Local may evaluate conditions before it rejects a repeated item.
    const TransactItems = this.#differentKeys().map((Key) => {
      const [UpdateExpression, values] = this.#updateExpression();
      return this.#chance.pick<() => object>([
        () => ({ Put: this.#action({ Item: { ...Key, ...this.#others() } }) }),
        () => ({ Update: this.#action({ Key, UpdateExpression }, values) }),
        () => ({ Delete: this.#action({ Key }) }),
        () => ({ ConditionCheck: this.#action({ Key }) }),
      ])();
    });
    return { name: 'TransactWriteItems', request: { TransactItems } };
  };

  #action(request: object, values?: Values): object {
    const { ReturnValues: _, ...action } = this.#single('', request, [], values).request;
    return action;
  }

  readonly #transaction = () => {
    const isRead = this.#chance.happens(0.3);
    const TransactStatements = this.#differentKeys().map((key) =>
      isRead ? this.#select(key) : this.#statement(key),
    );
    return { name: 'ExecuteTransaction', request: { TransactStatements } };
  };

  #select(key: Values): object {
    const names = this.#chance.pick(['*', 'n', 'v, w']);
    const Statement = `SELECT ${names} FROM "${this.#table}" WHERE pk = ? AND sk = ?`;
    return { Statement, Parameters: Object.values(key) };
  }

  #statement(key: Values): object {
    const table = `"${this.#table}"`;
    const where = 'WHERE pk = ? AND sk = ?';
    const item = { ...key, ...this.#others() };
    const names = Object.keys(item).map((name) => `'${name}': ?`);
    const [Statement, ...Parameters] = this.#chance.pick<[string, ...AttributeValue[]]>([
      [`INSERT INTO ${table} VALUE {${names.join(', ')}}`, ...Object.values(item)],
      [`DELETE FROM ${table} ${where}`, ...Object.values(key)],
      [`UPDATE ${table} SET n = ? REMOVE w ${where}`, this.#value(), ...Object.values(key)],
      [
        `UPDATE ${table} SET n = ? ${where} AND n < ?`,
        ...[this.#integer(), ...Object.values(key), this.#integer()],
      ],
    ]);
    return { Statement, Parameters };
  }

  /** Generates a write of one item, with or without a condition. */
  #single(name: string, request: object, returned: readonly string[], values: Values = {}) {
    const ReturnValues = this.#chance.pick(['NONE', ...returned]);
    const [ConditionExpression, operands] = this.#chance.pick<[string | undefined, Values]>([
      [undefined, {}],
      ['attribute_not_exists(pk)', {}],
      ['attribute_exists(n) AND NOT n = :c', { ':c': this.#integer() }],
      ['n < :c OR attribute_not_exists(n)', { ':c': this.#integer() }],
      ['n BETWEEN :c AND :d OR v = :d', { ':c': { N: '0' }, ':d': { N: '5' } }],
      ['begins_with(v, :c) OR v IN (:c, :d)', { ':c': { S: 'x' }, ':d': { S: 'y' } }],
      ['size(v) > :c', { ':c': { N: '1' } }],
    ]);
    const all = { ...values, ...operands };
    return this.#operation(name, {
      ...request,
      ReturnValues,
      ConditionExpression,
      ...(ConditionExpression && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ...(Object.keys(all).length > 0 && { ExpressionAttributeValues: all }),
    });
  }

  #operation(name: string, request: object): Operation {
    return { name, request: { TableName: this.#table, ...request } };
  }

  #several<T>(draw: () => T): T[] {
    return Array.from({ length: this.#chance.whole(1, 4) }, draw);
  }

  readonly #keys: readonly Values[] = ['a', 'b', 'ü'].flatMap((pk) =>
    ['STATUS', 'COMMIT#01', 'COMMIT#02', 'COMMIT#10'].map((sk) => ({
      pk: { S: pk },
      sk: { S: sk },
    })),
  );

  #differentKeys(): Values[] {
    return [...new Set(this.#several(() => this.#validKey()))];
  }

  #validKey(): Values {
    return this.#chance.pick(this.#keys);
  }

  #key(): Values {
    if (this.#chance.happens(0.95)) return this.#validKey();
    const [pk, sk] = [{ S: 'a' }, { S: 'b' }];
    return this.#chance.pick<Values>([{ pk }, { pk: { S: '' }, sk }, { pk: { N: '1' }, sk }]);
  }

  #item(): Values {
    return { ...this.#key(), ...this.#others() };
  }

  #others(): Values {
    const index = { part: { S: this.#chance.pick(['p', 'q']) }, since: this.#integer() };
    const names = attributes.filter(() => this.#chance.happens(0.4));
    return {
      ...(this.#chance.happens(0.5) && index),
      ...(this.#chance.happens(0.03) && { since: { S: 'text' } }),
      ...Object.fromEntries(names.map((name) => [name, this.#value()])),
    };
  }

  #integer(): AttributeValue {
    return { N: `${this.#chance.whole(-3, 12)}` };
  }

  #value(): AttributeValue {
    if (this.#chance.happens(0.5)) return this.#integer();
    return this.#chance.pick<AttributeValue>([
      { S: this.#chance.pick(texts) },
      { N: this.#chance.happens(0.3) ? this.#chance.pick(numbers) : '7' },
      { B: 'AQI=' as never },
      { BOOL: false },
      { NULL: true },
      { M: { a: { S: 'x' }, b: { L: [{ N: '1' }] } } },
      { L: [{ M: {} }, this.#integer()] },
      { SS: ['a', 'b'] },
    ]);
  }
}
