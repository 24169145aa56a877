import { serve } from 'milepost';
import { warrantyClaim } from './model.ts';

export const handler = serve(warrantyClaim);
