import { counterDrills } from './drills/counters.ts';
import { eventSourceDrills } from './drills/event-sources.ts';
import { eventDrills } from './drills/events.ts';
import { modelDrills } from './drills/models.ts';
import { practice } from './practice.ts';

practice({ ...eventDrills, ...eventSourceDrills, ...modelDrills, ...counterDrills });
