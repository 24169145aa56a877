import { compareRegion } from './support/region.ts';

compareRegion('Australia and the Pacific');
