import { serve } from 'milepost';
import { mapChunk } from './model.ts';

export const handler = serve(mapChunk);
