import { serve } from 'milepost';
import { claim } from './model.ts';

export const handler = serve(claim);
