/** The transformation of a bus event into a target's input. */
export interface InputTransformer {
  /** The path of each variable in the event, such as `{"order": "$.detail.orderId"}`. */
  readonly InputPathsMap?: Readonly<Record<string, string>>;
  /** The text of the input, in which `<order>` stands for the variable `order`. */
  readonly InputTemplate: string;
}

/**
 * Fills the template with values from the event. A variable outside quotes becomes JSON, and a variable inside quotes
 * becomes text. A missing value becomes an empty string.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export function transformInput(
  { InputPathsMap = {}, InputTemplate }: InputTransformer,
  event: unknown,
): string {
  // Match quoted strings first because different rules apply inside quotes.
  return InputTemplate.replaceAll(/"(?:[^"\\]|\\.)*"|<([\w.-]+)>/g, (part, name?: string) => {
    if (name !== undefined) return JSON.stringify(valueOf(name)) ?? '';
    return part.replaceAll(/<([\w.-]+)>/g, (_, inner: string) => asText(valueOf(inner)));
  });

  function valueOf(name: string): unknown {
    const path = Object.hasOwn(InputPathsMap, name) ? InputPathsMap[name] : undefined;
    return path === undefined ? undefined : valueAt(path, event);
  }
}

const asText = (value: unknown) =>
  value === undefined ? '' : JSON.stringify(value).replaceAll(/^"|"$/g, '');

/** Returns the value at a path such as `$.detail.lines[0].sku`, or undefined if the path does not exist. */
export function valueAt(path: string, event: unknown): unknown {
  const names = path.replace(/^\$\.?/, '').split(/[.[\]]+/);
  return names
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      return isThere ? (value as Record<string, unknown>)[name] : undefined;
    }, event);
}
