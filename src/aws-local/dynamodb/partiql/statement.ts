import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** `INSERT INTO "table" VALUE {'name': ?, ...}` */
export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  readonly names: readonly string[];
  /** The values of the attributes. */
  readonly operands: readonly Operand[];
}

/** `UPDATE "table" SET name = ? REMOVE name WHERE name = ? AND ...` */
export interface Update {
  readonly kind: 'update';
  readonly table: string;
  /** The attributes to set. */
  readonly set: readonly string[];
  readonly remove: readonly string[];
  readonly where: readonly Condition[];
  /** The values of `set`, followed by the values of `where`. */
  readonly operands: readonly Operand[];
}

/** `DELETE FROM "table" WHERE name = ? AND ...` */
export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly where: readonly Condition[];
  readonly operands: readonly Operand[];
}

/** `SELECT * FROM "table" WHERE name = ? AND ...`, or a list of attributes and their members instead of `*` */
export interface Select {
  readonly kind: 'select';
  readonly table: string;
  /** The path of each value, such as `['address', 'city']`. */
  readonly paths: 'all' | readonly (readonly string[])[];
  readonly where: readonly Condition[];
  readonly operands: readonly Operand[];
}

export type Statement = Insert | Update | Delete | Select;

/** A literal, or a placeholder for the next parameter. */
export type Operand = AttributeValue | 'parameter';

export interface Condition {
  readonly name: string;
  readonly operator: (typeof comparisons)[number] | 'MISSING' | 'NOT MISSING';
}

export const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
