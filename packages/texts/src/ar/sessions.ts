import type { SessionsTexts } from '../en/sessions.ts'

export const sessions: SessionsTexts = {
  heading: 'الجلسات',
  lead: 'المتصفحات التي سجّلت الدخول فيها. تنتهي الجلسة تلقائيًا بعد 12 ساعة دون استخدام، وبعد 14 يومًا في كل الأحوال. الاسم يساعدك على التمييز بينها.',
  thisOne: 'هذه الجلسة',
  other: 'جلسة أخرى',
  startedAt: 'تسجيل الدخول بتاريخ {time}',
  end: 'إنهاء الجلسة',
  rename: 'تسمية الجلسة',
  done: {
    sessionNamed: 'حُفظ اسم الجلسة.',
    sessionEnded: 'أُنهيت الجلسة.',
  },
}
