import { LambdaFunctionPort } from '../src/aws/functions/lambda-function-port.ts';
import { systemClock } from '../src/common/clock.ts';
import { ModelFunction } from '../src/model-runtime/remote/model-function.ts';
import { clients } from './support/clients.ts';
import { dataKeys } from './support/data-keys.ts';
import { modelDependencies } from './support/model-dependencies.ts';
import { modelHandler } from './support/serve.ts';
import { setting } from './support/settings.ts';

/**
 * The Lambda handler of a model whose code is a function in another language. It works like a handler that `serve`
 * creates, but invokes the model function to fold events. In addition to the environment variables of `serve`, the
 * handler reads `MILEPOST_MODEL` and `MILEPOST_FUNCTION`.
 */
export const handler = modelHandler(() => {
  const keys = dataKeys();
  const port = new LambdaFunctionPort(clients.lambda(), setting('MILEPOST_FUNCTION'));
  const id = setting('MILEPOST_MODEL');
  const model = new ModelFunction(port, { id, canSeal: keys !== undefined, clock: systemClock });
  return modelDependencies(model, keys);
});
