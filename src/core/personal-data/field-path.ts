/**
 * Resolves to true if a path can match a field of a type. A path consists of names separated by dots, and `*` for any
 * name or array index. Any path can match a type that does not declare its fields.
 */
export type IsFieldPath<Value, Path extends string> =
  IsUnknown<Value> extends true
    ? true
    : Path extends `${infer Name}.${infer Rest}`
      ? IsFieldPath<Member<Value, Name>, Rest>
      : [Member<Value, Path>] extends [never]
        ? false
        : true;

/** The type of a value's member, by its name; `never` if the value cannot have this member. */
type Member<Value, Name extends string> = Value extends readonly (infer Item)[]
  ? Name extends '*' | `${number}`
    ? Item
    : never
  : Value extends object
    ? keyof Value extends never
      ? unknown
      : Name extends '*'
        ? Value[keyof Value]
        : Name extends `${infer Key extends keyof Value & (string | number)}`
          ? Value[Key]
          : never
    : never;

/** True for `unknown` and `any`. */
type IsUnknown<Value> = unknown extends Value ? true : false;
