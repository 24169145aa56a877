import { serve } from 'milepost';
import { fragile } from './model.ts';

export const handler = serve(fragile);
