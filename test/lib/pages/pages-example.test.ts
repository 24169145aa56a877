import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderForFile } from '../../support/after-file.ts';
import { TrackerWithPages } from './pages-example.ts';

// Validation is off because it takes most of the time of a synthesis.
process.env['CDK_VALIDATION'] = 'false';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

describe('the example of docs/how-to/serve-operator-pages.md', () => {
  beforeAll(() => run('npm', ['run', '-s', 'build'], { cwd: root }));

  it('is identical to the code that this test runs', async () => {
    const page = await readFile(join(root, 'docs', 'how-to', 'serve-operator-pages.md'), 'utf8');
    const code = await readFile(join(import.meta.dirname, 'pages-example.ts'), 'utf8');
    expect(page).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
  });

  it('can be deployed in one step, because the client, the API, and the pages have no circular dependency', async () => {
    const app = new App({
      outdir: await folderForFile(),
      context: { 'aws:cdk:bundling-stacks': [] },
    });
    // `fromStack` throws if resources have circular dependencies.
    const template = Template.fromStack(new TrackerWithPages(app, 'Example'));
    const home = {
      'Fn::Join': [
        '',
        ['https://', { 'Fn::GetAtt': [Match.stringLikeRegexp('Distribution'), 'DomainName'] }, '/'],
      ],
    };
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      CallbackURLs: [home],
      LogoutURLs: [home],
      GenerateSecret: Match.absent(),
      AllowedOAuthFlows: ['code'],
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      JwtConfiguration: {
        Audience: [{ Ref: Match.stringLikeRegexp('Pages') }],
        Issuer: { 'Fn::GetAtt': [Match.stringLikeRegexp('People'), 'ProviderURL'] },
      },
    });
  });
});
