import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type FunctionProps, ServiceFunction } from './service-function.ts';
import { grantTable, type Tables } from './tables.ts';

export interface ApiProps extends FunctionProps {
  readonly encryptionKey?: IKey;
  readonly bundles: string;
  readonly stream: Stream;
  readonly tables: Tables;
  readonly memorySize: number;
  readonly authorizer: IHttpRouteAuthorizer;
  readonly corsOrigins: readonly string[];
  readonly customerPages: boolean;
  readonly rolesClaim?: string;
}

/** The HTTP API: one function behind every route, so that its own router is the only one. */
export class Api extends ServiceFunction {
  readonly httpApi: HttpApi;
  readonly url: string;
  readonly #integration: HttpLambdaIntegration;

  constructor(scope: Construct, id: string, props: ApiProps) {
    const { instances, registry, deadLetters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'api',
      description: 'Milepost: the HTTP API and the pages',
      // An HTTP API waits 30 seconds for its integration and no longer.
      timeout: Duration.seconds(29),
      environment: {
        MILEPOST_INSTANCES_TABLE: instances.tableName,
        MILEPOST_REGISTRY_TABLE: registry.tableName,
        MILEPOST_DEAD_LETTERS_TABLE: deadLetters.tableName,
        MILEPOST_STREAM: props.stream.streamName,
        ...(props.rolesClaim && { MILEPOST_ROLES_CLAIM: props.rolesClaim }),
        ...(props.corsOrigins.length > 0 && {
          MILEPOST_CORS_ORIGINS: props.corsOrigins.join(','),
        }),
      },
    });
    // It finds instances by what is stored of them, where their rows are lost, by a Scan.
    // Deleting the dead letter of a parked event takes the event out, and changes the count on the row.
    const parking = ['DeleteItem', 'UpdateItem'];
    grantTable(instances, this.function, 'BatchGetItem', 'Query', 'Scan', ...parking);
    props.tables.grantQueryIndexes(
      this.function,
      'by-change',
      'by-status',
      'by-transaction',
      'by-late',
      'by-parked',
    );
    grantTable(registry, this.function, 'GetItem', 'Scan');
    // A rollback changes the entry of a model; which versions there are is for the registrar to say.
    this.function.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:PutItem'],
        resources: [registry.tableArn],
        conditions: { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['*#*'] } },
      }),
    );
    grantTable(deadLetters, this.function, 'GetItem', 'Query', 'DeleteItem');
    props.stream.grant(this.function, 'kinesis:PutRecords');
    props.stream.encryptionKey?.grantEncrypt(this.function);

    this.#integration = new HttpLambdaIntegration('Integration', this.function);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: 'milepost',
      createDefaultStage: false,
      defaultAuthorizer: props.authorizer,
      // Makes the $default route: whatever path and method.
      defaultIntegration: this.#integration,
    });
    if (props.corsOrigins.length > 0) this.#answerPreflights();
    if (props.customerPages) this.#openPages(props.encryptionKey);
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(accessLogLine(props.customerPages)),
      },
    });
    this.url = stage.url;
  }

  /** Whoever has a link may see the page behind it. */
  #openPages(encryptionKey: IKey | undefined): void {
    const secret = new Secret(this, 'LinkKey', {
      description: "Milepost: signs the links to customers' status pages",
      encryptionKey,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    // Not grantRead, which lets it be described too.
    this.function.addToRolePolicy(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [secret.secretArn],
      }),
    );
    encryptionKey?.grantDecrypt(this.function);
    this.function.addEnvironment('MILEPOST_LINK_SECRET', secret.secretArn);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A new key makes every link that customers were given worthless, and so is a decision and not a ' +
        'routine. Links expire by themselves.',
    });
    this.#addOpenRoute('/track/{token}', HttpMethod.GET, [
      'The link itself is what lets its reader in: it is signed, it expires, and it shows one page.',
    ]);
  }

  /** A browser asks before it sends credentials, and so has none then. */
  #answerPreflights(): void {
    this.#addOpenRoute('/{proxy+}', HttpMethod.OPTIONS, [
      'What a browser asks before it may send credentials of another origin has none; the answer says',
      'which origins may, and nothing else.',
    ]);
  }

  #addOpenRoute(path: string, method: HttpMethod, why: readonly string[]): void {
    const routes = this.httpApi.addRoutes({
      path,
      methods: [method],
      integration: this.#integration,
      authorizer: new HttpNoneAuthorizer(),
    });
    for (const route of routes)
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: why.join(' ') });
  }
}

/** A link to a customer's page is in its path, and opens the page to who reads it. */
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
