/**
 * Whether a path may match a field of a value with such a type: names with dots between them, `*` for any
 * name or place in an array. Where the type does not say which fields there are, every path may.
 */
export type IsFieldPath<Value, Path extends string> =
  IsUnknown<Value> extends true
    ? true
    : Path extends `${infer Name}.${infer Rest}`
      ? IsFieldPath<Member<Value, Name>, Rest>
      : [Member<Value, Path>] extends [never]
        ? false
        : true;

/** The type of what is at a name directly below a value; `never` where nothing can be. */
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

/** Of `unknown` and `any`. */
type IsUnknown<Value> = unknown extends Value ? true : false;
