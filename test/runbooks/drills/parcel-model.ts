/** The code of the model `parcel`, whose description fails for odd parcels unless it is fixed. */
export const parcelModel = (describe: 'faulty' | 'fixed') => `
import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

export const handler = serve(defineModel({
  id: 'parcel',
  title: 'A parcel on its way',
  statuses: ['Packed', 'Odd'],
  events: { 'parcel.packed': v.unknown(), 'parcel.odd': v.unknown() },
  initial: () => ({ odd: false }),
  transition: (event, { odd }) => accept({ odd: odd || event.type === 'parcel.odd' }),
  describe({ odd }) {
    ${describe === 'faulty' ? "if (odd) throw new Error('no such box');" : ''}
    return { status: odd ? 'Odd' : 'Packed' };
  },
}));
`;

export const parcelEvent = (transactionid: string, id: string, type: string) => ({
  id,
  type,
  modelid: 'parcel',
  transactionid,
});
