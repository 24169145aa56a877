import { serve } from 'milepost';
import { newDevice } from './model.ts';

export const handler = serve(newDevice);
