import { Duration } from 'aws-cdk-lib';
import type { ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { publicRoutes } from '../../src/routes/api-routes.ts';
import { grantReadSecret } from '../keys/grant-read-secret.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantTableRead, type Tables } from '../storage/tables.ts';
import type { Api } from './http-api.ts';

export interface CustomerPagesProps extends ServiceProps {
  readonly tables: Tables;
  readonly api: Api;
  readonly linkKey: Secret;
  readonly throttle: ThrottleSettings;
}

/**
 * The separate function that serves customer status pages, on the only API routes that return data to callers without
 * credentials. The function has read-only access to instances and the registry.
 */
export class CustomerPages extends ServiceFunction {
  constructor(scope: Construct, id: string, props: CustomerPagesProps) {
    const { api, tables } = props;
    super(scope, id, {
      ...props,
      bundle: 'track',
      description: 'Milepost: customer status pages',
      memorySize: 512,
      timeout: Duration.seconds(10),
      environment: {
        MILEPOST_INSTANCES_TABLE: tables.instances.tableName,
        MILEPOST_REGISTRY_TABLE: tables.registry.tableName,
      },
    });
    grantTableRead(tables.instances, this.function, 'BatchGetItem', 'Query');
    grantTableRead(tables.registry, this.function, 'GetItem');
    grantReadSecret(this.function, props.linkKey, 'MILEPOST_LINK_SECRET');
    api.openRoutes(publicRoutes, this.function, props.throttle, [
      'The link itself grants access: it is signed, expires, and opens only one page.',
    ]);
  }
}
