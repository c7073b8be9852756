import type { PasswordsTexts } from '../en/passwords.ts'

export const passwords: PasswordsTexts = {
  lead: 'アカウントのメールアドレスを入力してください。新しいパスワードを決めるための、一度だけ使えるリンクをメールで送ります。招待を受け取ったときは、招待のリンクを使ってください。',
  submit: 'リンクを送る',
  tooMany: 'メールの請求が続きました。{when}にもう一度お試しください。',
  operator:
    'このサービスからはリンクをメールで送れません。新しいパスワードを決めるための、一度だけ使えるリンクを運営者からもらえます。',
  contact: '連絡先：{contact}',
  done: {
    passwordChanged: 'パスワードを変更し、ほかのセッションをすべて終了しました。',
  },
}
