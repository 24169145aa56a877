import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';

export interface RegistrarProps extends ServiceProps {
  readonly tables: Tables;
}

/** The function that implements `Custom::MilepostModel` and responds to CloudFormation directly. */
export class Registrar extends ServiceFunction {
  constructor(scope: Construct, id: string, props: RegistrarProps) {
    const { registry, instances } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'registrar',
      description: 'Milepost: keeps the model registry in sync with the stack',
      memorySize: 256,
      timeout: Duration.minutes(2),
      environment: {
        MILEPOST_REGISTRY_TABLE: registry.tableName,
        MILEPOST_INSTANCES_TABLE: instances.tableName,
      },
    });
    grantTable(registry, this.function, 'GetItem', 'PutItem', 'Scan');
    // Before the first model is registered, the registrar sets the number of index partitions.
    grantTable(instances, this.function, 'Scan');
    props.tables.grantWritePartitionCounts(this.function);
  }
}
