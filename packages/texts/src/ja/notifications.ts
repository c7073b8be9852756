import type { NotificationsTexts } from '../en/notifications.ts'

export const notifications: NotificationsTexts = {
  heading: '通知',
  lead: '「開かれたら通知する」を選んだメッセージについての通知です：開かれたとき、誤ったパスワードでロックされたとき、開かれないまま期限が切れたとき。',
  tooManyTests: 'テストの回数が多すぎるため、送信していません。次のテストは{when}に送信できます。',
  mails: {
    heading: 'メール',
    lead: '{email} に送られます。メッセージの本文、リンク、パスワードが含まれることはありません。',
    enabled: 'メッセージが開かれたとき、ロックされたとき、開かれないまま期限が切れたときにメールを送る',
    nameLabels: 'メールにメッセージのタイトルを書く',
    save: '保存',
    test: 'テストメールを送信',
    testFailed: 'テストメールを送信できませんでした：{reason}',
    unavailable: 'このサービスはメールを送りません。運営者がメールサーバーを設定していません。',
    noEmail: 'このアカウントにはメールアドレスがないため、メールは届きません。',
  },
  done: {
    mailsSaved: '選択を保存しました。',
    mailTested: 'メールサーバーがテストメールを受け付けました。まもなく届くはずです。',
  },
}
