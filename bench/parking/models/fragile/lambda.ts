import { serve } from '../../../../index.ts';
import { fragile } from './model.ts';

export const handler = serve(fragile);
