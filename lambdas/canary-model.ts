import { canaryModel } from '../src/canary/canary-model.ts';
import { serve } from './support/serve.ts';

/** The Lambda handler of the canary's model. */
export const handler = serve(canaryModel);
