import { Aws, Duration, Fn, Names, Validations } from 'aws-cdk-lib';
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
import { type Bucket, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { pageHeaders } from '../../src/pages/page-headers.ts';
import type { LogProps } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';
import { builtPages, PageFiles } from './page-files.ts';
import { pageFunction } from './page-function.ts';

/** The operator's pages, as a tracker is given them. */
export interface OperatorPagesProps {
  /** The pages' own client at the issuer of `apiTokens`: a public one, which has no secret. */
  readonly clientId: string;
  /**
   * The address with the issuer's token endpoint, where that is not the issuer's own. A Cognito user
   * pool has it at its domain, such as `https://example.auth.eu-west-1.amazoncognito.com`.
   *
   * @default the issuer's
   */
  readonly tokenOrigin?: string;
  /** What is asked for at a login, with spaces between. @default 'openid' */
  readonly scope?: string;
  /** Further parameters of the request to log in: `audience`, where an issuer wants it. @default none */
  readonly loginParameters?: Readonly<Record<string, string>>;
  /** Such as `status.example.org`. Its DNS record is yours to make. @default a name of CloudFront's */
  readonly domain?: string;
  /** Of the domain, and in us-east-1, where CloudFront looks for it. @default CloudFront's own */
  readonly certificate?: ICertificate;
  /** The ARN of a web ACL of AWS WAF, in us-east-1. @default none */
  readonly webAclArn?: string;
  /**
   * Takes the access logs. CloudFront writes into buckets that have ACLs on, and not in all regions.
   *
   * @default a bucket of the pages' own, which keeps them as long as other logs are kept
   * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging-legacy-s3.html
   */
  readonly accessLogBucket?: IBucket;
  /** The folder with the built pages. @default those that come with this package */
  readonly files?: string;
}

/** What the pages get from their tracker. */
export interface OperatorPagesScopeProps extends OperatorPagesProps, LogProps {
  readonly httpApi: HttpApi;
  readonly issuer: string;
  readonly encryptionKey?: IKey;
}

/**
 * The operator's pages on CloudFront, with the API beside them, so that the pages ask their own
 * origin and nobody else's.
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
  /** Where they are, with a slash at the end: the address that the issuer sends people back to. */
  readonly url: string;
  /** For DNS records, and settings of your own. */
  readonly distribution: Distribution;

  /** @internal `operatorPages` makes it. */
  constructor(scope: Construct, id: string, props: OperatorPagesScopeProps) {
    super(scope, id);
    const { clientId, issuer, domain, certificate } = props;
    if ((domain === undefined) !== (certificate === undefined))
      throw new MilepostError(
        'bad-request',
        'operatorPages: a domain needs its certificate, and a certificate its domain',
      );
    const { scope: asked = 'openid', loginParameters: parameters = {} } = props;
    const files = new PageFiles(this, 'Files', {
      ...props,
      folder: props.files ?? builtPages,
      login: { issuer, clientId, scope: asked, parameters },
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: "Milepost: the operator's pages",
      defaultBehavior: pages(this, files.bucket, [
        originOf(issuer),
        ...(props.tokenOrigin === undefined ? [] : [originOf(props.tokenOrigin)]),
      ]),
      additionalBehaviors: apiBehaviours(props.httpApi),
      ...(domain && { domainNames: [domain], certificate }),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
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
    // It keeps to what a file says of itself, and compresses.
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    compress: true,
    responseHeadersPolicy: headersOfPages(scope, connectTo),
    functionAssociations: [
      {
        eventType: FunctionEventType.VIEWER_REQUEST,
        function: new Function(scope, 'Paths', {
          comment: 'Milepost: every page is index.html',
          runtime: FunctionRuntime.JS_2_0,
          code: FunctionCode.fromInline(pageFunction),
        }),
      },
    ],
  };
}

/**
 * The API as it is: nothing is kept, and all is handed on but the name of the host, by which API
 * Gateway would look for another API. The token goes with the other headers.
 *
 * @see https://repost.aws/knowledge-center/cloudfront-authorization-header
 */
function apiBehaviours(httpApi: HttpApi): Record<string, BehaviorOptions> {
  const behaviour = {
    origin: new HttpOrigin(hostOf(httpApi.apiEndpoint), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // Only what an answer does not say itself.
    responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
  };
  return { '/api/*': behaviour, '/track/*': behaviour };
}

function headersOfPages(scope: Construct, connectTo: readonly string[]): ResponseHeadersPolicy {
  const headers = pageHeaders(connectTo);
  const opener = 'cross-origin-opener-policy';
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: nameInAccount(scope, 'headers', 128),
    comment: "Milepost: what the operator's pages say to browsers",
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

/** CloudFront writes by an ACL, which is why ACLs are on. */
function accessLogBucket(scope: Construct, { logRetention, removalPolicy }: LogProps): Bucket {
  const isEndless = logRetention === RetentionDays.INFINITE;
  return privateBucket(scope, 'AccessLogs', {
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: isEndless ? [] : [{ expiration: Duration.days(logRetention) }],
    removalPolicy,
    unlogged: 'It takes the logs of something else, and CloudFront alone writes to it.',
  });
}

function acknowledgePublicAccess(
  distribution: Distribution,
  { domain, webAclArn }: OperatorPagesProps,
): void {
  const findings = [
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Who may use the API is decided by a login, from whatever country it is.',
    },
  ];
  if (webAclArn === undefined)
    findings.push({
      id: 'AwsSolutions-CFR2',
      reason:
        'Without a login there are the files of the pages, which tell nothing, and customers’ pages ' +
        'where these are wanted; webAclArn puts a web ACL in front.',
    });
  if (domain === undefined)
    findings.push({
      id: 'AwsSolutions-CFR4',
      reason:
        'For its own domain names CloudFront decides which versions of TLS it speaks. Browsers that ' +
        'these pages run in speak none before 1.2; with a domain and certificate no other is taken.',
    });
  Validations.of(distribution).acknowledge(...findings);
}

/** A name that a stack of the same name in another region has not: these are one list for an account. */
function nameInAccount(scope: Construct, what: string, maxLength: number): string {
  // The longest name of a region has 14 letters.
  const unique = Names.uniqueResourceName(scope, { maxLength: maxLength - what.length - 20 });
  return `${unique}-${what}-${Aws.REGION}`;
}

const hostOf = (url: string) => Fn.select(2, Fn.split('/', url));

/** Also of a URL that is not known before the deployment. */
const originOf = (url: string) => `https://${hostOf(url)}`;
