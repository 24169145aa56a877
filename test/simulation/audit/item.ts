/** A DynamoDB item, with the attribute types that the auditor reads. */
export type Item = Readonly<
  Record<string, { S?: string; N?: string; B?: Uint8Array; BOOL?: boolean; NULL?: boolean }>
>;

export const text = (item: Item, name: string): string => {
  const value = item[name]?.S;
  if (value === undefined) throw new Error(`no ${name} in ${item.pk?.S} ${item.sk?.S}`);
  return value;
};
