import { serve } from 'milepost';
import { serviceRequest } from './model.ts';

export const handler = serve(serviceRequest);
