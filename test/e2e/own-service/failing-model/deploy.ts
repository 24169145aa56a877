import type { FunctionDefinition } from '../../../../src/aws-local/lambda/function-definition.ts';
import { LambdaHost } from '../../../../src/aws-local/lambda/lambda-host.ts';

/*
 * Loaded before a service (`node --import`): beside the model activation it deploys more functions
 * of its kind, as a stack with further models would. FURTHER_FUNCTIONS says what differs.
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
