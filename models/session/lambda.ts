import { serve } from 'milepost';
import { session } from './model.ts';

export const handler = serve(session);
