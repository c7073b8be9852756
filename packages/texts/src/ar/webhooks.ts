import type { WebhooksTexts } from '../en/webhooks.ts'

export const webhooks: WebhooksTexts = {
  heading: 'عناوين الويب هوك',
  lead: 'تعلم البرامج بذلك عبر الويب هوك: يُرسل كل إشعار بصيغة JSON موقّعة إلى العناوين أدناه.',
  none: { heading: 'لا توجد عناوين ويب هوك', lead: 'أضف عنوان برنامج تريد إعلامه.' },
  unavailable: 'لا ترسل هذه الخدمة إشعارات إلى الويب هوك.',
  corrupted: 'لا يمكن عرض بعض عناوين الويب هوك لأن بياناتها تالفة. اسأل مشغّل هذه الخدمة.',
  active: 'نشط',
  failing: 'متعثّر',
  disabled: 'معطّل',
  createdAt: 'أُضيف بتاريخ {time}',
  failingSince: 'متعثّر منذ {time}',
  disabledAt: 'عُطّل بتاريخ {time}',
  reasons: {
    gone: 'أجاب المستقبِل بأن هذا العنوان لم يعد مستخدمًا (410).',
    failing: 'تعذّر تسليم أي إشعار لمدة ثلاثة أيام.',
  },
  enableAgain: 'يعود إلى العمل عندما يصل إليه اختبار.',
  test: 'إرسال اختبار',
  testFailed: 'لم يصل الاختبار إلى {address}: {reason}.',
  delete: 'حذف الويب هوك',
  deleteHeading: 'هل تريد حذف هذا الويب هوك؟',
  deleteLead: 'لن يُرسل شيء إلى هذا العنوان من الآن، حتى الإشعارات المنتظرة. لا يمكن التراجع عن ذلك.',
  addHeading: 'ويب هوك جديد',
  address: 'عنوان الويب',
  addressHint: 'عنوان ويب متاح للعموم، مثل https://example.org/hook.',
  add: 'إضافة ويب هوك',
  limitReached: 'بلغت الحد الأقصى لعناوين الويب هوك، وهو {limit}. احذف واحدًا لتضيف غيره.',
  newWebhook: {
    shownOnce: 'هذا مفتاح توقيع الويب هوك الجديد. لا يُعرض إلا الآن، فانسخه واحفظه في مكان آمن.',
    copy: 'نسخ المفتاح',
    copyFailed: 'تعذّر النسخ. يُرجى تحديد المفتاح ونسخه بنفسك.',
    useHeading: 'ماذا تفعل به',
    useLead:
      'أعطه للبرنامج المستقبِل، فبه يتحقق من الترويسة webhook-signature في كل إشعار. تفعل ذلك مكتبات Standard Webhooks.',
    next: 'ثم أرسل اختبارًا من قائمة عناوين الويب هوك.',
  },
  fieldErrors: {
    not_a_url: 'أدخل عنوانًا كاملًا، مثل https://example.org/hook، دون اسم مستخدم أو كلمة مرور أو #.',
    not_https: 'أدخل عنوانًا يبدأ بـ https://.',
    address_not_allowed: 'لا ترسل هذه الخدمة شيئًا إلى هذا العنوان. أدخل عنوانًا متاحًا للعموم.',
  },
  done: {
    webhookTested: 'وصل الاختبار، والويب هوك نشط.',
    webhookDeleted: 'حُذف الويب هوك.',
  },
}
