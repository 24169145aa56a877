import { Aws, Duration, Fn, Names, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Bucket, CfnBucket, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { pageHeaders } from '../../src/pages/page-headers.ts';
import type { LogProps } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';
import { builtPages, PageFiles } from './page-files.ts';
import { pageFunction } from './page-function.ts';

/** The settings of the operator pages. */
export interface OperatorPagesProps {
  /**
   * The client id that the issuer of `apiTokens` assigned to the pages. It must be public, without a secret.
   */
  readonly clientId: string;
  /**
   * The origin of the issuer's token endpoint, if it differs from the issuer's origin. For a Cognito user pool, this is
   * the domain of the pool, such as `https://example.auth.eu-west-1.amazoncognito.com`.
   *
   * @default the issuer's origin
   */
  readonly tokenOrigin?: string;
  /** The requested scopes, separated by spaces. @default 'openid' */
  readonly scope?: string;
  /** Additional parameters of the login request, such as `audience` if the issuer requires it. @default none */
  readonly loginParameters?: Readonly<Record<string, string>>;
  /** The domain name, such as `status.example.org`. You create its DNS record. @default a CloudFront domain name */
  readonly domain?: string;
  /** The domain's certificate, which must be in us-east-1. @default CloudFront's certificate */
  readonly certificate?: ICertificate;
  /** The ARN of an AWS WAF web ACL in us-east-1. @default none */
  readonly webAclArn?: string;
  /**
   * The bucket for access logs. CloudFront can write only to buckets with ACLs enabled, and not to every region.
   *
   * @default a separate bucket with the same retention as other logs
   * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging-legacy-s3.html
   */
  readonly accessLogBucket?: IBucket;
  /** The folder with the built pages. @default the pages in this package */
  readonly files?: string;
}

/** The properties that a tracker passes to the pages. */
export interface OperatorPagesScopeProps extends OperatorPagesProps, LogProps {
  readonly httpApi: HttpApi;
  readonly issuer: string;
  readonly encryptionKey?: IKey;
}

/**
 * The operator pages on CloudFront. The same distribution serves the API, so the pages send all requests to one origin.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker', {
 *   apiTokens: { issuer: 'https://login.example.org', audience: ['status-pages'] },
 *   operatorPages: { clientId: 'status-pages' },
 * });
 * const pages: OperatorPages = tracker.pages;
 */
export class OperatorPages extends Construct {
  /** The address of the pages, with a trailing slash. The issuer redirects users to this address after a login. */
  readonly url: string;
  /** The CloudFront distribution. Use it for DNS records and additional settings. */
  readonly distribution: Distribution;

  /** @internal Created by `operatorPages`. */
  constructor(scope: Construct, id: string, props: OperatorPagesScopeProps) {
    super(scope, id);
    const { clientId, issuer, domain, certificate } = props;
    if ((domain === undefined) !== (certificate === undefined))
      throw new MilepostError(
        'bad-request',
        'operatorPages: set both `domain` and `certificate`, or neither',
      );
    if (props.accessLogBucket) requireAcls(props.accessLogBucket);
    const { scope: asked = 'openid', loginParameters: parameters = {} } = props;
    const files = new PageFiles(this, 'Files', {
      ...props,
      folder: props.files ?? builtPages,
      login: { issuer, clientId, scope: asked, parameters },
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Milepost: operator pages',
      defaultBehavior: pages(this, files.bucket, [
        originOf(issuer),
        ...(props.tokenOrigin === undefined ? [] : [originOf(props.tokenOrigin)]),
      ]),
      additionalBehaviors: apiBehaviors(props.httpApi),
      // For its own domain names, CloudFront determines the TLS version.
      ...(domain && {
        domainNames: [domain],
        certificate,
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: props.webAclArn,
      logBucket: props.accessLogBucket ?? accessLogBucket(this, props),
    });
    acknowledgePublicAccess(this.distribution, props);
    this.url = `https://${domain ?? this.distribution.distributionDomainName}/`;
  }
}

function pages(scope: Construct, bucket: Bucket, connectTo: readonly string[]): BehaviorOptions {
  return {
    origin: S3BucketOrigin.withOriginAccessControl(bucket, {
      originAccessControl: new S3OriginAccessControl(scope, 'Access', {
        originAccessControlName: nameInAccount(scope, 'access', 64),
      }),
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    // This policy respects the cache headers of each file and enables compression.
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    compress: true,
    responseHeadersPolicy: headersOfPages(scope, connectTo),
    functionAssociations: [
      {
        eventType: FunctionEventType.VIEWER_REQUEST,
        function: new Function(scope, 'Paths', {
          comment: 'Milepost: serves index.html for every page',
          runtime: FunctionRuntime.JS_2_0,
          code: FunctionCode.fromInline(pageFunction),
        }),
      },
    ],
  };
}

/**
 * Serves the API without caching. Forwards everything except the `Host` header, which API Gateway would use to look up
 * an API by its domain. The token is forwarded with the other headers.
 *
 * @see https://repost.aws/knowledge-center/cloudfront-authorization-header
 */
function apiBehaviors(httpApi: HttpApi): Record<string, BehaviorOptions> {
  const behavior = {
    origin: new HttpOrigin(hostOf(httpApi.apiEndpoint), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // This policy adds only headers that a response does not contain yet.
    responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
  };
  return { '/api/*': behavior, '/track/*': behavior };
}

function headersOfPages(scope: Construct, connectTo: readonly string[]): ResponseHeadersPolicy {
  const headers = pageHeaders(connectTo);
  const opener = 'cross-origin-opener-policy';
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: nameInAccount(scope, 'headers', 128),
    comment: 'Milepost: response headers of the operator pages',
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: headers['content-security-policy'],
        override: true,
      },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
    customHeadersBehavior: {
      customHeaders: [{ header: opener, value: headers[opener], override: true }],
    },
  });
}

/** Makes synthesis fail if a bucket of this app has no ACLs, because CloudFront would reject it during the deployment. */
function requireAcls(bucket: IBucket): void {
  const resource = bucket.node.defaultChild;
  if (!(resource instanceof CfnBucket)) return;
  bucket.node.addValidation({
    validate: () => {
      const { ownershipControls } = resource;
      const { rules = [] }: { rules?: { objectOwnership?: ObjectOwnership }[] } =
        Stack.of(bucket).resolve(ownershipControls) ?? {};
      const enforced = ObjectOwnership.BUCKET_OWNER_ENFORCED;
      const { objectOwnership = enforced } = rules[0] ?? {};
      return objectOwnership === enforced
        ? [
            '`operatorPages.accessLogBucket` must have ACLs enabled, because CloudFront needs them to write logs; ' +
              `got the \`objectOwnership\` ${objectOwnership}; set it to ObjectOwnership.BUCKET_OWNER_PREFERRED`,
          ]
        : [];
    },
  });
}

/** Creates the bucket for CloudFront's access logs. ACLs are enabled because CloudFront needs them to write logs. */
function accessLogBucket(scope: Construct, { logRetention, removalPolicy }: LogProps): Bucket {
  const isEndless = logRetention === RetentionDays.INFINITE;
  return privateBucket(scope, 'AccessLogs', {
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: isEndless ? [] : [{ expiration: Duration.days(logRetention) }],
    removalPolicy,
    unlogged:
      'This bucket contains the access logs of the pages, and only CloudFront writes to it.',
  });
}

function acknowledgePublicAccess(
  distribution: Distribution,
  { domain, webAclArn }: OperatorPagesProps,
): void {
  const findings = [
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Access requires a login, regardless of the country.',
    },
  ];
  if (webAclArn === undefined)
    findings.push({
      id: 'AwsSolutions-CFR2',
      reason:
        'Without a login, only the static files of the pages and, if enabled, customer pages are ' +
        'public; webAclArn adds a web ACL.',
    });
  if (domain === undefined)
    findings.push({
      id: 'AwsSolutions-CFR4',
      reason:
        'For its own domain names, CloudFront chooses the TLS versions. Browsers that support ' +
        'these pages use 1.2 or later; with a domain and certificate, older versions are rejected.',
    });
  Validations.of(distribution).acknowledge(...findings);
}

/**
 * Returns a name that is unique in the account. The name contains the region, because CloudFront names are global and
 * stacks in several regions can have the same name.
 */
function nameInAccount(scope: Construct, what: string, maxLength: number): string {
  // The longest region name has 14 characters.
  const unique = Names.uniqueResourceName(scope, { maxLength: maxLength - what.length - 20 });
  return `${unique}-${what}-${Aws.REGION}`;
}

const hostOf = (url: string) => Fn.select(2, Fn.split('/', url));

/** Returns the origin of a URL, even if it is unknown until deployment. */
const originOf = (url: string) => `https://${hostOf(url)}`;
