import { compareRegion } from './support/region.ts';

compareRegion('Asia and Europe');
