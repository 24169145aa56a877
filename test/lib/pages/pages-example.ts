import { CfnOutput, Duration, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { OAuthScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { ProcessTracker } from 'milepost/cdk';

export class TrackerWithPages extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    // Users sign in with their email address. Only users whom you invite have accounts.
    const people = new UserPool(this, 'People', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
    });
    const domain = people.addDomain('Login', {
      // Choose a prefix that no other user pool in the region uses.
      cognitoDomain: { domainPrefix: 'your-milepost' },
    });
    for (const groupName of ['viewer', 'operator']) people.addGroup(groupName, { groupName });

    // The redirect URL after a login. It is resolved when the tracker exists.
    const home = Lazy.string({ produce: () => tracker.pages.url });
    const client = people.addClient('Pages', {
      preventUserExistenceErrors: true,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [home],
        logoutUrls: [home],
      },
      // After this time, users must log in again.
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
