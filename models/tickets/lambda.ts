import { serve } from 'milepost';
import { tickets } from './model.ts';

export const handler = serve(tickets);
