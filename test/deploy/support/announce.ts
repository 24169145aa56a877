import type { Account } from './account.ts';
import type { Commands } from './commands.ts';

/**
 * @throws Error with a one-line message if the account contains resources of an earlier deployment. The test would
 *   change these resources, or fail because they exist.
 */
export async function rejectExistingDeployment(commands: Commands): Promise<void> {
  const found = await commands.existingDeployment();
  if (found.length > 0)
    throw new Error(`nothing was deployed: the account already has ${found.join(' and ')}`);
}

/** Prints a warning that the test creates resources in a real account and does not remove them. */
export async function announce(commands: Commands, { region }: Account): Promise<void> {
  console.log(`Deploying the stack Milepost into the account ${await commands.account()}, ${region}.
It creates the resources of bin/app.ts: an on-demand Kinesis stream, which costs money by the hour, DynamoDB tables,
Lambda functions, an HTTP API, a secret, and alarms; and the stack CDKToolkit, if it does not exist. All of them remain
after the test, and AWS charges for them, until you remove them: docs/how-to/deploy.md, "Remove the deployment".`);
}
