import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, type Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperatorPagesProps, ProcessTrackerProps } from '../../../lib/index.ts';
import { newFolder, newTracker, type Props, templateOf } from '../tracker.ts';

const files = newFolder('web');
mkdirSync(join(files, 'assets'));
writeFileSync(join(files, 'index.html'), '<html><head></head><body></body></html>');
writeFileSync(join(files, 'assets', 'main-1.js'), '');

const issuer = 'https://login.example.org/pool';
const apiTokens = { issuer, audience: ['client'] };
const withPages = (more: Partial<OperatorPagesProps> = {}): ProcessTrackerProps => ({
  apiTokens,
  operatorPages: { clientId: 'client', files, ...more },
});

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';
const atDomain = (stack: Stack, more: Partial<OperatorPagesProps> = {}) =>
  withPages({
    domain: 'status.example.org',
    certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificateArn),
    ...more,
  });

const distribution = 'AWS::CloudFront::Distribution';
const deployment = 'Custom::CDKBucketDeployment';

describe('the operator pages of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf(withPages());
  });

  const configOf = (from: Template) => {
    const [found, ...others] = Object.values(from.findResources(distribution));
    expect(others).toEqual([]);
    return found!['Properties'].DistributionConfig;
  };

  it('do not exist unless they are turned on', () => {
    const without = templateOf({ apiTokens });
    for (const type of [distribution, deployment, 'AWS::CloudFront::Function'])
      without.resourceCountIs(type, 0);
    expect(() => newTracker().tracker.pages).toThrow('operatorPages');
  });

  it('require apiTokens, because browsers send tokens', () => {
    expect(() => newTracker({ operatorPages: { clientId: 'c', files } })).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringMatching('apiTokens') }),
    );
  });

  it('cannot be synthesized before they are built', () => {
    expect(() => newTracker(withPages({ files: newFolder('none') }))).toThrow('npm run build');
  });

  it('are in a bucket that only their CloudFront distribution can read', () => {
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      Bucket: { Ref: Match.stringLikeRegexp('PagesFilesBucket') },
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Effect: 'Deny' }),
          Match.objectLike({
            Action: 's3:GetObject',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Condition: {
              StringEquals: {
                'AWS:SourceArn': {
                  'Fn::Join': ['', Match.arrayWith([{ Ref: Match.stringLikeRegexp('Pages') }])],
                },
              },
            },
          }),
        ],
      },
    });
    template.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: Match.anyValue(),
    });
    expect(configOf(template).Origins[0].OriginAccessControlId).toBeDefined();
  });

  it('are served over HTTPS, compressed, with security headers', () => {
    const { DefaultCacheBehavior } = configOf(template);
    expect(DefaultCacheBehavior).toMatchObject({
      ViewerProtocolPolicy: 'redirect-to-https',
      Compress: true,
      FunctionAssociations: [{ EventType: 'viewer-request' }],
    });
    template.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: {
            ContentSecurityPolicy: Match.stringLikeRegexp(
              "^default-src 'none'; script-src 'self'; .*connect-src 'self' https://login.example.org; ",
            ),
          },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
          ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
        },
      },
    });
  });

  it('can connect to the token issuer even if its address is known only during deployment', () => {
    const pool: Props = (stack) => {
      const users = new UserPool(stack, 'Users');
      return {
        apiTokens: { issuer: users.userPoolProviderUrl, audience: ['client'] },
        operatorPages: {
          clientId: 'client',
          files,
          tokenOrigin: 'https://example.auth.eu-west-1.amazoncognito.com/oauth2',
        },
      };
    };
    const template = templateOf(pool);
    const policies = JSON.stringify(
      template.findResources('AWS::CloudFront::ResponseHeadersPolicy'),
    );
    expect(policies).toMatch(/connect-src 'self' https:\/\/",\{"Fn::Select":\[2,.*ProviderURL/);
    expect(policies).toContain(' https://example.auth.eu-west-1.amazoncognito.com; base-uri');
    // The deployment inserts the address of the issuer into the start page.
    template.hasResourceProperties(deployment, {
      SourceMarkers: [
        Match.objectLike({
          '<<marker:0xbaba:0>>': { 'Fn::GetAtt': [Match.stringLikeRegexp('Users'), 'ProviderURL'] },
        }),
      ],
    });
  });

  it.each(['/api/*', '/track/*'])(
    'share their origin with the API, to which CloudFront forwards %s',
    (path) => {
      const config = configOf(template);
      const behaviors: Record<string, unknown>[] = config.CacheBehaviors;
      expect(behaviors).toHaveLength(2);
      const behavior = behaviors.find(({ PathPattern }) => PathPattern === path);
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'https-only',
        AllowedMethods: expect.arrayContaining(['GET', 'POST', 'DELETE', 'OPTIONS']),
        // The ids of CloudFront's policies "caching disabled" and "all viewer headers except Host":
        //
        // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      });
      expect(behavior).not.toHaveProperty('FunctionAssociations');
      const origin = config.Origins.find(
        ({ Id }: { Id: string }) => Id === behavior!.TargetOriginId,
      );
      expect(origin.CustomOriginConfig).toEqual({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
      });
      // Custom error responses would replace the 404 responses of the API.
      expect(config).not.toHaveProperty('CustomErrorResponses');
    },
  );

  it('are deployed with their cache lifetimes, with index.html last', () => {
    const found = Object.entries(template.findResources(deployment));
    const metadata = found.map(([, { Properties }]) => Properties.SystemMetadata);
    expect(metadata).toEqual([
      { 'cache-control': 'public, max-age=31536000, immutable' },
      { 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' },
    ]);
    const [[assets], [, index]] = found as [[string, object], [string, { DependsOn: string[] }]];
    expect(index.DependsOn).toContain(assets);
    for (const [, { Properties }] of found) expect(Properties.Prune).toBe(false);
  });

  it('contain the login settings in index.html', () => {
    const { app } = newTracker(
      withPages({ scope: 'openid email', loginParameters: { audience: 'a "b" & <c>' } }),
    );
    const { directory } = app.synth();
    const pages = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('index.html'))
      .map((name) => readFileSync(join(directory, name), 'utf8'));
    const tag =
      '<meta name="milepost-login" data-issuer="https://login.example.org/pool" data-client-id="client" ' +
      'data-scope="openid email" data-parameters="{&quot;audience&quot;:&quot;a \\&quot;b\\&quot; &amp; &lt;c>&quot;}" />';
    expect(pages.some((page) => page.includes(tag))).toBe(true);
  });

  it('are deployed by a function with least privilege', () => {
    const policies = template.findResources('AWS::IAM::Policy');
    const [, policy] = Object.entries(policies).find(([id]) => id.includes('PagesFilesRole'))!;
    const statements: { Action: string | string[] }[] =
      policy['Properties'].PolicyDocument.Statement;
    expect(statements.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      's3:ListBucket',
      's3:PutObject',
      's3:GetObject',
      's3:GetObject',
    ]);
    const patterns = statements.filter((each) => JSON.stringify(each).includes('*'));
    expect(JSON.stringify(patterns)).toMatch(/^\[\{"Action":"s3:PutObject".*"\/assets\/\*"/);
    expect(patterns).toHaveLength(1);
  });

  it('have access logs that are retained as long as other logs, unless the app provides a bucket', () => {
    const logs = (from: Template) =>
      Object.entries(from.findResources('AWS::S3::Bucket')).find(([id]) =>
        id.includes('PagesAccessLogs'),
      )?.[1]['Properties'];
    expect(logs(template)).toMatchObject({
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
    });
    const forEver = templateOf({ ...withPages(), logRetention: RetentionDays.INFINITE });
    expect(logs(forEver)).not.toHaveProperty('LifecycleConfiguration');
    const elsewhere = templateOf((stack) =>
      withPages({ accessLogBucket: Bucket.fromBucketName(stack, 'Logs', 'our-logs') }),
    );
    expect(logs(elsewhere)).toBeUndefined();
    expect(JSON.stringify(configOf(elsewhere).Logging)).toContain('our-logs');
  });

  const loggingTo = (objectOwnership?: ObjectOwnership) =>
    templateOf((stack) =>
      withPages({ accessLogBucket: new Bucket(stack, 'Logs', { objectOwnership }) }),
    );

  it.each([undefined, ObjectOwnership.BUCKET_OWNER_ENFORCED])(
    'reject a bucket of the app for access logs whose object ownership is %s',
    (objectOwnership) => {
      expect(() => loggingTo(objectOwnership)).toThrow(
        '`operatorPages.accessLogBucket` must have ACLs enabled, because CloudFront needs them to write logs; ' +
          'got the `objectOwnership` BucketOwnerEnforced; set it to ObjectOwnership.BUCKET_OWNER_PREFERRED',
      );
    },
  );

  it.each([ObjectOwnership.BUCKET_OWNER_PREFERRED, ObjectOwnership.OBJECT_WRITER])(
    'accept a bucket of the app for access logs whose object ownership is %s',
    (objectOwnership) => {
      expect(() => loggingTo(objectOwnership)).not.toThrow();
    },
  );

  it('support a web ACL, and a custom domain that requires a certificate and TLS 1.2 or later', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/1';
    const own = templateOf((stack) => atDomain(stack, { webAclArn }));
    own.hasResourceProperties(distribution, {
      DistributionConfig: {
        Aliases: ['status.example.org'],
        WebACLId: webAclArn,
        ViewerCertificate: {
          AcmCertificateArn: certificateArn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
      },
    });
    expect(newTracker(atDomain).tracker.pages.url).toBe('https://status.example.org/');
    expect(() => newTracker(withPages({ domain: 'status.example.org' }))).toThrow('certificate');
  });

  it('cause no warnings, either with a CloudFront domain or with a custom domain', () => {
    const warningsOf = (props: Props) =>
      Annotations.fromStack(newTracker(props).stack).findWarning('*', Match.anyValue());
    expect([withPages(), atDomain].flatMap(warningsOf)).toEqual([]);
  });

  it('support a customer managed key', () => {
    const own = templateOf((stack) => ({
      ...withPages(),
      encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
    }));
    own.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'kms:Decrypt',
            Principal: { Service: 'cloudfront.amazonaws.com' },
          }),
        ]),
      },
    });
  });
});

describe('cdk-nag', () => {
  it.each<[string, Props]>([
    ['pages', withPages()],
    [
      'pages with a custom domain and a customer managed key',
      (stack) => ({
        ...atDomain(stack),
        encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
      }),
    ],
  ])('finds no violations in a tracker with %s', (_, props) => {
    const { app } = newTracker(props);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});
