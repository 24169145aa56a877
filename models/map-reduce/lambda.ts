import { serve } from 'milepost';
import { mapReduce } from './model.ts';

export const handler = serve(mapReduce);
