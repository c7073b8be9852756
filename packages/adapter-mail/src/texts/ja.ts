import type { MailTexts } from './texts.ts'

export const ja: MailTexts = {
  locale: 'ja',
  direction: 'ltr',
  opened: {
    heading: { other: 'メッセージが {count} 回開かれました' },
    usedUp: '最後の 1 回が開かれ、本文は削除されました。リンクはもう使えません。',
  },
  locked: {
    heading: 'メッセージがロックされました',
    lead: 'リンクで間違ったパスワードが何度も入力されました。いつまでロックされているか、または無効になったかは、メッセージのページで確認できます。',
  },
  expired: {
    heading: 'メッセージは開かれないまま期限が切れました',
    lead: '期限までに誰も開きませんでした。本文は削除され、リンクはもう使えません。',
  },
  facts: {
    label: 'タイトル',
    time: '日時',
    latest: '最後の開封',
    expired: '期限切れの日時',
    opens: 'これまでの回数',
    opensLeft: '残りの回数',
    unlimited: '制限なし',
    expires: '有効期限',
    page: 'ページのアドレス（削除済み）',
  },
  seeSecret: 'メッセージを見る',
  why: 'このメールは、メッセージで「開かれたら通知する」が選ばれているため送られています。',
  settings: '受け取るメールは設定で選べます: {url}',
  welcome: {
    once: 'このリンクは一度だけ使えます。リンクを持つ人は誰でもパスワードを決められるため、ほかの人に渡さないでください。',
    validUntil: '使える期限',
  },
  invite: {
    subject: '{name} のアカウント',
    heading: 'ようこそ',
    lead: '{name} にアカウントが用意されています。パスワードを決めると使えるようになります。',
    action: 'パスワードを決める',
    ignore: 'このメールに心当たりがないときは、無視してください。',
  },
  reset: {
    subject: '{name} の新しいパスワード',
    heading: '新しいパスワードの設定',
    lead: '{name} のアカウントの新しいパスワードが求められました。',
    action: '新しいパスワードを決める',
    ignore: 'このメールを求めていないときは、無視してください。',
  },
  test: { heading: 'テストメール', lead: 'これはテストです。{name} からのメールは届いています。' },
}
