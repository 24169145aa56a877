/** Makes an event of the bus into the input of a target. */
export interface InputTransformer {
  /** A path into the event for each variable, e.g. `{"order": "$.detail.orderId"}`. */
  readonly InputPathsMap?: Readonly<Record<string, string>>;
  /** A text in which `<order>` stands for the variable. */
  readonly InputTemplate: string;
}

/**
 * Fills the template with what the event has. A variable that stands for itself becomes JSON; within
 * quotes it becomes text. Where the event has nothing at a path, nothing is put.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export function transformInput(
  { InputPathsMap = {}, InputTemplate }: InputTransformer,
  event: unknown,
): string {
  // Texts of the template first: what is in quotes is filled by other rules.
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

/** What is at a path such as `$.detail.lines[0].sku`; undefined: nothing. */
export function valueAt(path: string, event: unknown): unknown {
  const names = path.replace(/^\$\.?/, '').split(/[.[\]]+/);
  return names
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      return isThere ? (value as Record<string, unknown>)[name] : undefined;
    }, event);
}
