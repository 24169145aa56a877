import { compareRegion } from './support/region.ts';

compareRegion('America and the Atlantic');
