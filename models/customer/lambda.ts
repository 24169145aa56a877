import { serve } from 'milepost';
import { customer } from './model.ts';

export const handler = serve(customer);
