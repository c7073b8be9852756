import type { InvitationsTexts } from '../en/invitations.ts'

export const invitations: InvitationsTexts = {
  inviteHeading: 'ようこそ',
  resetHeading: '新しいパスワードの設定',
  invited:
    '{name} からの招待です。パスワードなどの秘密の文章を、選んだ回数と期間だけ使えるリンクで渡せます。',
  forAccount: '{email} のパスワードを決めてください。',
  passwordHint: { other: '{count} 文字以上。いくつかの単語を続けると覚えやすくなります。' },
  passwordWord: 'メールアドレスに含まれる語「{word}」は使わないでください。',
  submit: 'パスワードを保存してログイン',
  endsSessions: '新しいパスワードにすると、このアカウントのほかのセッションはすべて終了します。',
  removesWebhooks:
    'パスワードを保存すると、このアカウントの次のウェブフックは削除されます。ほかの人が追加した可能性があるためです。設定でもう一度追加できます。',
  gone: {
    heading: 'このリンクは使えません',
    lead: 'すでに使われたか、期限が切れたか、新しいリンクに置き換えられました。このサービスの運営者から別のリンクを送ってもらえます。',
  },
  done: {
    invitation: 'パスワードを保存し、ログインしました。',
    invitationWithoutWebhooks:
      'パスワードを保存し、ログインしました。このアカウントにあったウェブフックは削除されました。設定でもう一度追加できます。',
  },
}
