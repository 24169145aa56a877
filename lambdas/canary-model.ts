import { canaryModel } from '../src/canary/canary-model.ts';
import { serve } from './support/serve.ts';

export const handler = serve(canaryModel);
