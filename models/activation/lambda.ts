import { serve } from 'milepost';
import { activation } from './model.ts';

export const handler = serve(activation);
