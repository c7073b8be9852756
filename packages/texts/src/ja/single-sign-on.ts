import type { SsoTexts } from '../en/single-sign-on.ts'

export const singleSignOn: SsoTexts = {
  signInWith: '{provider} でログイン',
  insteadOfPassword: 'パスワードの代わりに {provider} を使う',
  connect: '{provider} を連携',
  disconnect: '連携を解除',
  proofHint: 'ログインから 10 分以上たったため、先に {provider} でもう一度ログインします。',
  heading: 'ログイン方法',
  lead: 'ログインに使うアイデンティティです。{provider} で利用が許可されなくなると、セッションは終了します。アクセストークンは、削除するまで使えます。',
  none: { heading: '連携はありません', lead: '{provider} を連携すると、それでログインできます。' },
  held: 'このアカウントには、アイデンティティプロバイダーでログインします。パスワードやパスキーはここでは本人確認に使われ、ログインには使えません。',
  connectedAt: '{time}に連携',
  refusedAt: '{time}から許可されていません',
  disconnectHeading: 'このアイデンティティの連携を解除しますか',
  disconnectLead: 'これではログインできなくなり、これで始めたほかのセッションは終了します。',
  done: {
    identityConnected: 'アイデンティティを連携しました。これからはそれでログインできます。',
    identityDisconnected: 'アイデンティティの連携を解除しました。',
    invitationWithIdentity: 'アカウントを連携し、ログインしました。',
    invitationWithIdentityWithoutWebhooks:
      'アカウントを連携し、ログインしました。アカウントにあったウェブフックは削除されました。設定でもう一度追加できます。',
  },
  proven: {
    heading: 'もう一度ログインしました',
    lead: 'まだ何も変更されていません。フォームをもう一度送ってください。',
  },
  notices: {
    unreachable: {
      heading: '{provider} から応答がありません',
      lead: '何も変更されていません。1 分ほど待ってもう一度試すか、別の方法でログインしてください。',
    },
    refusedUs: {
      heading: '{provider} がこのサービスを受け付けませんでした',
      lead: '何も変更されていません。{provider} は応答していますが、このサービスからの要求を拒否しました。再試行しても解決しません。このサービスの運営者に連絡するか、別の方法でログインしてください。',
    },
    gaveUp: {
      heading: 'ログインしていません',
      lead: '{provider} でログインできなかったか、取り消されました。もう一度お試しください。',
    },
    doesNotFit: {
      heading: 'うまくいきませんでした',
      lead: '{provider} から返された内容が、このブラウザで始めたものと合わないか、10 分以上かかりました。何も変更されていません。もう一度始めてください。',
    },
    unknown: {
      heading: '連携したアカウントがありません',
      lead: '{provider} での確認はできましたが、そのアイデンティティと連携したアカウントがここにありません。アカウントがあるときは、ログインして設定で {provider} を連携してください。ないときは、運営者に招待を頼んでください。',
    },
    unverified: {
      heading: 'メールアドレスが確認されていません',
      lead: '{provider} がメールアドレスを確認済みとしていないため、アカウントは作られませんでした。運営者に招待を頼んでください。',
    },
    not_allowed: {
      heading: 'ここにはログインできません',
      lead: '{provider} での確認はできましたが、このサービスの利用が許可されていないか、許可されなくなりました。運営者にお問い合わせください。',
    },
    address_taken: {
      heading: 'このメールアドレスのアカウントがあります',
      lead: 'アカウントがアドレスで連携されることはありません。別の方法でそのアカウントにログインし、設定で {provider} を連携してください。',
    },
    account_disabled: {
      heading: 'このアカウントは停止されています',
      lead: 'このサービスの運営者にお問い合わせください。',
    },
    identity_taken: {
      heading: 'このアイデンティティは連携済みです',
      lead: '別のアカウントのものです。先にそのアカウントで連携を解除するか、{provider} で別のアイデンティティを選んでください。',
    },
    identity_limit_reached: {
      heading: 'アカウントにアイデンティティが 5 個あります',
      lead: 'これが上限です。別のものを連携する前に、1 個の連携を解除してください。',
    },
    last_way_in: {
      heading: 'ログインできなくなります',
      lead: 'これがアカウントに入る唯一の方法です。先に別のアイデンティティを連携するか、一度だけ使えるリンクを運営者に頼んでください。',
    },
    sign_in_held: {
      heading: 'ログインしていません',
      lead: 'このアカウントには、アイデンティティプロバイダーでのみログインできます。そこでログインできないときは、運営者にお問い合わせください。',
    },
    password_sign_in_off: {
      heading: 'ここではパスワードでログインできません',
      lead: '{provider} でログインしてください。できないときは、一度だけ使えるリンクを運営者からもらえます。',
    },
  },
}
