import type { WebhooksTexts } from '../en/webhooks.ts'

export const webhooks: WebhooksTexts = {
  heading: 'ウェブフック',
  lead: 'プログラムにはウェブフックで知らせます。通知は署名付きの JSON として、次のアドレスに送られます。',
  none: {
    heading: 'ウェブフックはありません',
    lead: '通知を受け取るプログラムのアドレスを追加してください。',
  },
  unavailable: 'このサービスはウェブフックに通知を送りません。',
  corrupted:
    'データが壊れているため表示できないウェブフックがあります。このサービスの運営者にお尋ねください。',
  active: '有効',
  failing: '失敗中',
  disabled: '停止中',
  createdAt: '{time}に追加',
  failingSince: '{time}から失敗',
  disabledAt: '{time}に停止',
  reasons: {
    gone: 'このアドレスはもう使われていないと、受信側が答えました（410）。',
    failing: '3 日間、何も届けられませんでした。',
  },
  enableAgain: 'テストが届くと、再び有効になります。',
  test: 'テストを送信',
  testFailed: '{address} へのテストは届きませんでした：{reason}',
  delete: 'ウェブフックを削除',
  deleteHeading: 'このウェブフックを削除しますか？',
  deleteLead: '待機中の通知も含めて、このアドレスには何も送られなくなります。この操作は取り消せません。',
  addHeading: '新しいウェブフック',
  address: 'アドレス',
  addressHint: '公開されているアドレス（例：https://example.org/hook）。',
  add: 'ウェブフックを追加',
  limitReached: 'ウェブフックが上限の {limit} 件あります。追加するには、どれかを削除してください。',
  newWebhook: {
    shownOnce:
      '新しいウェブフックの署名キーです。今しか表示されません。コピーして安全な場所に保管してください。',
    copy: 'キーをコピー',
    copyFailed: 'コピーできませんでした。キーを選択してコピーしてください。',
    useHeading: 'キーの使い方',
    useLead:
      '受信側のプログラムに設定してください。プログラムはこのキーで、通知のヘッダー webhook-signature を確認します。Standard Webhooks のライブラリーで確認できます。',
    next: '次に、ウェブフックの一覧からテストを送信してください。',
  },
  fieldErrors: {
    not_a_url:
      'アドレス全体を入力してください（例：https://example.org/hook）。ユーザー名、パスワード、# は使えません。',
    not_https: 'https:// で始まるアドレスを入力してください。',
    address_not_allowed: 'このアドレスには送れません。公開されているアドレスを入力してください。',
  },
  done: {
    webhookTested: 'テストが届きました。ウェブフックは有効です。',
    webhookDeleted: 'ウェブフックを削除しました。',
  },
}
