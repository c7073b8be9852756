import type { FilesTexts } from './en.ts'

export const ja: FilesTexts = {
  heading: 'ファイル',
  limits: '{count} 個まで、1 個につき {each} までです。ファイルに使える残りの容量は {left} です。',
  drop: 'このページのどこにでもファイルをドロップできます。',
  add: 'ファイルを追加',
  remove: '取り除く',
  shown: 'リンクを開く前に、受信者にファイル名とサイズを見せる',
  hidden: 'ファイルの追加や削除をするには、先に本文を表示してください。',
  unreadable: 'この下書きのファイルも読めなくなっています。保存すると取り除かれます。',
  tooLargeNamed: '{name} は {limit} を超えています。',
  tooLargeTogether: '{name} は入りきりません。残りは {left} です。',
  tooLarge: '{limit} を超えるファイルがあります。',
  full: 'これらを加えると、すべてのファイルの合計が {limit} を超えます。',
  longName: '長すぎるファイル名があります。',
  broken: 'ファイルを最後まで受け取れませんでした。',
  again: 'ファイルを選び直してください。選んだファイルはページに残りません。',
  sending: 'ファイルを送信しています…',
  sent: '{all} のうち {sent}',
  lost: '接続が切れました。入力した内容は残っています。もう一度お試しください。',
  refusedOnTheWay: '途中のサーバーは、このように大きなファイルを受け付けません。',
  deleted: '本文と一緒に削除されます。リンクを開いた人は、その後 1 時間は保存できます。',
}
