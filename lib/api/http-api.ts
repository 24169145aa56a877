import { Aws, Duration, Fn, Names, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  HttpApi,
  type HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { apiRoutes, preflightRoute } from '../../src/routes/api-routes.ts';
import { allow } from '../allow.ts';
import { grantReadSecret } from '../keys/grant-read-secret.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import type { TokenRoles } from './roles.ts';

export interface ApiProps extends ServiceProps {
  readonly encryptionKey?: IKey;
  readonly stream: Stream;
  readonly notificationStream?: Stream;
  readonly tables: Tables;
  readonly memorySize: number;
  readonly authorizer: IHttpRouteAuthorizer;
  readonly corsOrigins: readonly string[];
  readonly customerPages: boolean;
  /**
   * The token claim that contains the caller's roles, and the names that grant each role; undefined without
   * `apiTokens`.
   */
  readonly roles?: TokenRoles;
  /** The request limits of each route that has no limits of its own. */
  readonly throttle: ThrottleSettings;
}

/**
 * The HTTP API and the function that handles all requests except those for customer status pages. Each operation has
 * a separate route, so IAM policies can allow each operation separately.
 */
export class Api extends ServiceFunction {
  readonly httpApi: HttpApi;
  readonly url: string;
  /** The key that signs links to customer status pages. */
  readonly linkKey?: Secret;
  readonly #stage: HttpStage;

  constructor(scope: Construct, id: string, props: ApiProps) {
    const { instances, registry, deadLetters, counters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'api',
      description: 'Milepost: the HTTP API',
      // An HTTP API waits at most 30 seconds for an integration.
      timeout: Duration.seconds(29),
      environment: {
        MILEPOST_INSTANCES_TABLE: instances.tableName,
        MILEPOST_REGISTRY_TABLE: registry.tableName,
        MILEPOST_DEAD_LETTERS_TABLE: deadLetters.tableName,
        MILEPOST_COUNTERS_TABLE: counters.tableName,
        MILEPOST_STREAM: props.stream.streamName,
        ...(props.notificationStream && {
          MILEPOST_NOTIFICATION_STREAM: props.notificationStream.streamName,
        }),
        ...(props.roles && {
          MILEPOST_ROLES_CLAIM: props.roles.claim,
          MILEPOST_ROLE_NAMES: JSON.stringify(props.roles.names),
        }),
        ...(props.corsOrigins.length > 0 && {
          MILEPOST_CORS_ORIGINS: props.corsOrigins.join(','),
        }),
      },
    });
    // The function uses a Scan to find instances without status rows. Deleting the dead letter of a parked event
    // removes the event, updates the number of parked events on the status row, and records that the instance's status
    // is in use.
    const parking = ['DeleteItem', 'UpdateItem', 'PutItem'];
    grantTable(instances, this.function, 'BatchGetItem', 'Query', 'Scan', ...parking);
    props.tables.grantQueryIndexes(
      this.function,
      'by-status',
      'by-transaction',
      'by-late',
      'by-parked',
    );
    grantTable(registry, this.function, 'GetItem', 'Scan');
    // A rollback changes a model's entry. Only the registrar writes the list of versions.
    allow(this.function, ['dynamodb:PutItem'], [registry.tableArn], {
      'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['*#*'] },
    });
    grantTable(deadLetters, this.function, 'GetItem', 'Query', 'Scan', 'UpdateItem', 'DeleteItem');
    // A rebuild of the counters scans the instances, writes a new set of counters, and deletes the earlier set.
    grantTable(
      counters,
      this.function,
      ...['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem'],
      ...['PartiQLInsert', 'PartiQLDelete'],
    );
    props.stream.grant(this.function, 'kinesis:PutRecords');
    // Dead letters are redriven to the stream from which they came.
    props.notificationStream?.grant(this.function, 'kinesis:PutRecords');
    props.stream.encryptionKey?.grantEncrypt(this.function);

    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: 'milepost',
      createDefaultStage: false,
      defaultAuthorizer: props.authorizer,
    });
    // A single permission covers all routes. With one permission per route, the function's policy would grow with the
    // API.
    const integration = new HttpLambdaIntegration('Integration', this.function, {
      scopePermissionToRoute: false,
    });
    for (const routeKey of apiRoutes) this.#addRoute(routeKey, integration);
    if (props.corsOrigins.length > 0)
      this.#addOpenRoute(preflightRoute, integration, [
        'A browser sends preflight requests without credentials. The response contains only',
        'the permitted origins.',
      ]);
    if (props.customerPages) this.linkKey = this.#newLinkKey(props.encryptionKey);
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: accessLogName(this),
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: props.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(accessLogLine(props.customerPages)),
      },
    });
    this.url = this.#stage.url;
  }

  /**
   * Opens routes to callers without credentials.
   *
   * @param fn the function that handles only these routes.
   * @param limits the request limits of each route.
   * @param why the reason for the missing authorizer, for cdk-nag.
   */
  openRoutes(
    routeKeys: readonly string[],
    fn: IFunction,
    limits: ThrottleSettings,
    why: readonly string[],
  ): void {
    const integration = new HttpLambdaIntegration('PublicIntegration', fn);
    const settings = {
      ThrottlingRateLimit: limits.rateLimit,
      ThrottlingBurstLimit: limits.burstLimit,
    };
    const stage = this.#stage.node.defaultChild as CfnStage;
    stage.routeSettings = Object.fromEntries(routeKeys.map((routeKey) => [routeKey, settings]));
    // A stage cannot have settings for routes that do not exist yet.
    for (const routeKey of routeKeys)
      stage.node.addDependency(this.#addOpenRoute(routeKey, integration, why));
  }

  /** Creates the key that signs links, and grants the API's function read access to it. */
  #newLinkKey(encryptionKey: IKey | undefined): Secret {
    const secret = new Secret(this, 'LinkKey', {
      description: 'Milepost: signs the links to customer status pages',
      encryptionKey,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    grantReadSecret(this.function, secret, 'MILEPOST_LINK_SECRET');
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A new key invalidates every link that customers have received, so it has no rotation ' +
        'schedule. Links expire automatically.',
    });
    return secret;
  }

  #addOpenRoute(
    routeKey: string,
    integration: HttpLambdaIntegration,
    why: readonly string[],
  ): HttpRoute {
    const route = this.#addRoute(routeKey, integration, new HttpNoneAuthorizer());
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: why.join(' ') });
    return route;
  }

  /** Adds a route. @param authorizer default: the authorizer of the API. */
  #addRoute(
    routeKey: string,
    integration: HttpLambdaIntegration,
    authorizer?: IHttpRouteAuthorizer,
  ): HttpRoute {
    const [method, path] = routeKey.split(' ') as [HttpMethod, string];
    return new HttpRoute(this.httpApi, routeKey.replaceAll('/', ' '), {
      httpApi: this.httpApi,
      routeKey: HttpRouteKey.with(path, method),
      integration,
      authorizer,
    });
  }
}

/**
 * Returns the name of the access log's log group. One resource policy of the account permits API Gateway to write to
 * the log groups of all HTTP APIs. The policy can have at most 5,120 characters. When the policy is full, API Gateway
 * can add only log groups with this prefix, and the deployment of an API with any other log group fails.
 *
 * The id of the stack makes the name unique, because the log group of a deleted stack remains.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
 */
function accessLogName(scope: Construct): string {
  const name = Names.uniqueResourceName(scope, { maxLength: 128 });
  const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `/aws/vendedlogs/apis/${name}-${stackId}`;
}

/**
 * Returns the format of access log lines. The path of a customer page contains the link's token, which any
 * reader of the log could use to open the page. The format therefore omits the path if customer pages are enabled.
 */
const accessLogLine = (hasLinks: boolean) =>
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTime',
    ip: '$context.identity.sourceIp',
    caller: '$context.identity.caller',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    ...(hasLinks ? {} : { path: '$context.path' }),
    status: '$context.status',
    bytes: '$context.responseLength',
    latency: '$context.responseLatency',
    error: '$context.integrationErrorMessage',
  });
