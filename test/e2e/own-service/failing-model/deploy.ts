import type { FunctionDefinition } from '../../../../src/aws-local/lambda/function-definition.ts';
import { LambdaHost } from '../../../../src/aws-local/lambda/lambda-host.ts';

/*
 * A preload module (`node --import`) that deploys copies of the activation model's function, like a stack with more
 * models. FURTHER_FUNCTIONS lists the copies, each with the properties that differ.
 */
type Further = Pick<FunctionDefinition, 'name' | 'codePath' | 'timeoutSeconds' | 'memoryMb'>;
const further = JSON.parse(process.env.FURTHER_FUNCTIONS ?? '[]') as Further[];
const { define } = LambdaHost.prototype; // oxlint-disable-line typescript/unbound-method -- called with `this` below

LambdaHost.prototype.define = function defineAll(definition) {
  define.call(this, definition);
  if (!definition.name.includes('Modelsactivation')) return;
  for (const each of further) {
    const arn = definition.arn.replace(definition.name, each.name);
    define.call(this, { ...definition, ...each, arn });
  }
};
