import type { SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  heading: 'ログイン',
  email: 'メールアドレス',
  password: 'パスワード',
  submit: 'ログイン',
  wrong: 'メールアドレスとパスワードに合うアカウントがありません。',
  locked: '失敗が続きました。{when}にもう一度お試しください。',
  crowded: 'ほかのログインを確認しています。少し待ってから、もう一度お試しください。',
  forgot: 'パスワードがまだない、または忘れたとき',
  resetAsked:
    'このメールアドレスのアカウントがあれば、一度だけ使えるリンクをメールで送りました。リンクは 1 時間使えます。',
  signedOut: 'ログアウトしました。',
  accountDeleted: 'アカウントと、その中のすべてのデータを削除しました。',
  toContinue: 'そのページを見るにはログインしてください。',
  api: 'このアドレスは、プログラムがアクセストークンで使う API のものです。トークンを作るにはログインしてください。',
}
