import type { CustomResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type LogProps, ServiceFunction } from '../service-function.ts';
import { defaultModelTimeout } from './model.ts';
import {
  codeKey,
  grantModel,
  type ModelLambdaProps,
  modelSettings,
  registerModel,
} from './model-lambda.ts';

/** The properties that a tracker passes to the canary's model. */
export interface CanaryModelProps extends ModelLambdaProps, LogProps {
  readonly bundles: string;
}

/** The model of the canary's events, which is registered like any other model. */
export class CanaryModel extends ServiceFunction {
  readonly registration: CustomResource;

  constructor(scope: Construct, id: string, props: CanaryModelProps) {
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
