import { serve } from 'milepost';
import { parcel } from './model.ts';

export const handler = serve(parcel);
