import type { CommonTexts } from '../en/common.ts'

export const common: CommonTexts = {
  navigation: {
    label: 'ページ一覧',
    skip: 'コンテンツへ移動',
    signOut: 'ログアウト',
  },
  fieldErrors: {
    empty: 'この項目を入力してください。',
    too_long: { other: '{limit} 文字以内で入力してください。' },
    too_long_bytes: { other: '長すぎます。{limit} バイト以内で入力してください。' },
    control_character: '改行などの制御文字を取り除いてください。',
    invisible_character: '見えない文字や、書字方向を変える文字を取り除いてください。',
    nul_character: 'NUL 文字を取り除いてください。',
    lone_surrogate: '壊れた文字が含まれています。',
    out_of_range: '{limit} 以下の整数を入力してください。',
    not_a_number: '整数を入力してください。',
    not_an_email: 'メールアドレスを入力してください（例：ada@example.org）。',
    unknown_folder: 'ご自分のフォルダーから選んでください。',
    not_a_file_name: 'ファイル名にスラッシュや見えない文字などが含まれています。名前を変更してください。',
    sealed_draft: 'ブラウザーで暗号化されたテキストは、下書きとして保存できません。',
    too_many: 'ファイルは {limit} 個まで選べます。',
    unknown_choice: '選択肢から選んでください。',
    too_short: { other: '{limit} 文字以上で入力してください。' },
    too_common: '多くの人が使っているパスワードです。別のパスワードにしてください。',
    contains_email: 'メールアドレスに含まれる語「{word}」が入っています。この語を除いてください。',
    wrong_password: 'パスワードが違います。',
    password_again: 'パスワードをもう一度入力してください。入力したパスワードはページに残りません。',
  },
  invalidForm: 'まだ何も行われていません。まず次の項目を直してください：',
  help: 'ヘルプ',
  cancel: 'キャンセル',
  showPassword: 'パスワードを表示',
  notFound: {
    heading: 'ここには何もありません',
    lead: '存在しないか、期限が切れたか、削除されたか、別のアカウントのものです。',
  },
  refused: {
    heading: 'このサービスのページから送られたものではありません',
    lead: '別のサイトから送られたため、何も変更していません。こちらでページを開いて、もう一度お試しください。',
  },
  unreadable: {
    heading: '入力内容を読み取れませんでした',
    lead: '何も変更していません。前のページに戻って再読み込みし、もう一度お試しください。',
  },
  busy: {
    heading: 'サービスが混み合っています',
    lead: '何も変更していません。数秒後にもう一度お試しください。',
  },
  unwritable: {
    heading: '現在、サービスは書き込みができません',
    lead: '何も変更されていません。後でもう一度お試しください。',
  },
  uncertain: {
    heading: 'データベースとの接続が切れました',
    lead: 'それでも実行された可能性があります。もう一度試す前に、実行されたかどうかをご確認ください。',
  },
  failed: {
    heading: '問題が起きました',
    lead: 'エラーは記録されました。もう一度お試しになり、続くようならこのサービスの運営者にお尋ねください。',
  },
  tooMany: { heading: '変更の回数が多すぎます', lead: '何も変更していません。{when}に続けられます。' },
  sessionOver: {
    heading: 'ログアウトしています',
    lead: '入力内容は保存されていませんが、パスワード以外はこのページに残っています。新しいタブでログインしてから、ここに戻ってもう一度送信してください。',
    nothingKept: '何も保存も変更もされていません。ログインしてから、もう一度操作してください。',
    signIn: '新しいタブでログイン',
    sendAgain: 'もう一度送信',
  },
  home: 'メッセージの一覧へ',
  about: '{name} はメッセージを暗号化して保管し、期限が来るか、許可された回数だけ開かれると削除します。',
}
