/** A stack as CloudFormation describes it. */
export interface DescribedStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly resources: readonly {
    readonly type: string;
    readonly logicalId: string;
    readonly physicalId: string;
  }[];
}

/** The maximum number of resources in a response. */
const pageSize = 100;

/**
 * Handles DescribeStacks, ListStackResources, and DescribeStackResources. As in AWS, DescribeStackResources returns
 * only the first 100 resources.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 */
export function answerCloudFormation(stack: DescribedStack, body: string): string {
  const form = new URLSearchParams(body);
  const action = form.get('Action') ?? '';
  const start = Number(form.get('NextToken') ?? 0);
  const members = stack.resources
    .slice(start, start + pageSize)
    .map(
      ({ type, logicalId, physicalId }) =>
        `<member>${element({ LogicalResourceId: logicalId, PhysicalResourceId: physicalId, ResourceType: type, ResourceStatus: 'CREATE_COMPLETE' })}</member>`,
    );
  const end = start + pageSize;
  const next = end < stack.resources.length ? `<NextToken>${end}</NextToken>` : '';
  const outputs = Object.entries(stack.outputs).map(
    ([key, value]) => `<member>${element({ OutputKey: key, OutputValue: value })}</member>`,
  );
  const results: Record<string, string> = {
    DescribeStacks: `<Stacks><member><StackName>Milepost</StackName><Outputs>${outputs.join('')}</Outputs></member></Stacks>`,
    ListStackResources: `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>${next}`,
    DescribeStackResources: `<StackResources>${members.join('')}</StackResources>`,
  };
  const result = results[action];
  if (result === undefined) throw new Error(`the account does not support ${action}`);
  return `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
}

const element = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('');
