import { serve } from 'milepost';
import { offers } from './model.ts';

export const handler = serve(offers);
