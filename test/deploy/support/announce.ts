import type { Account } from './account.ts';
import type { Commands } from './commands.ts';

/** @throws Error with one line, if there are remains of a Milepost that the test would change or fail on. */
export async function refuseWhatIsThere(commands: Commands): Promise<void> {
  const found = await commands.inTheWay();
  if (found.length > 0)
    throw new Error(`nothing was deployed: the account already has ${found.join(' and ')}`);
}

/** Announces what is created in a real account, and that it is not removed. */
export async function announce(commands: Commands, { region }: Account): Promise<void> {
  console.log(`Deploying the stack Milepost into the account ${await commands.account()}, ${region}.
It makes what bin/app.ts says: a Kinesis stream on demand, which costs by the hour, DynamoDB tables,
Lambdas, an HTTP API, a secret, alarms; and the stack CDKToolkit, where there is none. All of it stays
after the test, and is charged, until you take it away: docs/how-to/deploy.md, "Take it away again".`);
}
