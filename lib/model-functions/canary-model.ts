import type { CustomResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { defaultModelTimeout } from './model.ts';
import {
  codeKey,
  grantModel,
  type ModelLambdaProps,
  modelSettings,
  registerModel,
} from './model-lambda.ts';

/** The model of the canary's events, which is registered like any other model. */
export class CanaryModel extends ServiceFunction {
  readonly registration: CustomResource;

  constructor(scope: Construct, id: string, props: ModelLambdaProps & ServiceProps) {
    super(scope, id, {
      ...props,
      bundle: 'canary-model',
      description: "Milepost: the model of the canary's events",
      memorySize: 512,
      timeout: defaultModelTimeout,
      environment: modelSettings(props),
    });
    grantModel(this.function, props);
    this.registration = registerModel(this, id, {
      fn: this.function,
      registrar: props.registrar,
      code: codeKey(this.function),
    });
    this.registration.node.addDependency(this.role);
  }
}
