import type { Texts } from './texts.ts';

export const ar: Texts = {
  clock: (time) => `الساعة ${time}`,
  onDate: (date) => `يوم ${date}`,
  at: (day, time) => `${day}، ${time}`,
  expected: (day) => `متوقعة ${day}`,
  expectedBy: (day, time) => `متوقعة ${day} قبل ${time}`,
  wasExpected: (day) => `كانت متوقعة ${day}`,
  wasExpectedBy: (day, time) => `كانت متوقعة ${day} قبل ${time}`,
  likely: (day) => `على الأرجح ${day}`,
  states: {
    reached: 'اكتملت',
    current: 'الخطوة التالية',
    pending: 'لاحقًا',
    late: 'متأخرة',
    skipped: 'غير مطلوبة',
  },
  reference: 'الرقم المرجعي',
  progress: 'التقدم',
  noUpdates: 'لا توجد تحديثات بعد',
  updated: (when) => `آخر تحديث: ${when}.`,
  final: 'هذه هي الحالة النهائية.',
  updatesAutomatically: 'يتم تحديث هذه الحالة تلقائيًا.',
  withoutScript:
    'التواريخ والأوقات بالتوقيت العالمي المنسق (UTC). أعد تحميل الصفحة لعرض التحديثات.',
  loading: 'جارٍ تحميل الحالة…',
  notFound: 'هذه الحالة غير متاحة. الرابط غير مكتمل أو لم يعد صالحًا.',
  expired: 'انتهت صلاحية هذا الرابط. اطلب رابطًا جديدًا من المرسل.',
  unreachable: 'يتعذر تحميل الحالة الآن. سنواصل المحاولة.',
  stale: (when) => `يتعذر التحديث الآن. آخر حالة مستلمة: ${when}. سنواصل المحاولة.`,
};
