import { compareRegion } from './support/region.ts';

compareRegion('Africa and Antarctica');
