import { CfnOutput, Duration, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { OAuthScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { ProcessTracker } from 'milepost/cdk';

export class TrackerWithPages extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    // Who may come in: people whom you invite, by their mail address.
    const people = new UserPool(this, 'People', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
    });
    const domain = people.addDomain('Login', {
      // Your own choice; no other user pool of the region may have it.
      cognitoDomain: { domainPrefix: 'your-milepost' },
    });
    for (const groupName of ['viewer', 'operator']) people.addGroup(groupName, { groupName });

    // Where Cognito sends people back to: known once the tracker is there.
    const home = Lazy.string({ produce: () => tracker.pages.url });
    const client = people.addClient('Pages', {
      preventUserExistenceErrors: true,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [home],
        logoutUrls: [home],
      },
      // After that one has to log in again.
      refreshTokenValidity: Duration.hours(12),
    });

    const tracker: ProcessTracker = new ProcessTracker(this, 'Tracker', {
      apiTokens: { issuer: people.userPoolProviderUrl, audience: [client.userPoolClientId] },
      operatorPages: {
        clientId: client.userPoolClientId,
        tokenOrigin: domain.baseUrl(),
        scope: 'openid email',
      },
    });
    tracker.addModel('activation', { entry: 'models/activation/lambda.ts' });

    const output = (name: string, value: string) => new CfnOutput(this, name, { value });
    output('PagesUrl', tracker.pages.url);
    output('UserPoolId', people.userPoolId);
  }
}
