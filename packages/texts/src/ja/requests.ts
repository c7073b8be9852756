import type { RequestMailTexts, RequestPageTexts, RequestsTexts } from '../en/requests.ts'

export const requests: RequestsTexts = {
  heading: '依頼',
  newRequest: '新しい依頼',
  lead: 'アカウントのない人にテキストを求めることができます。渡されたものはあなたの下書きになります。',
  none: { heading: '依頼はありません', lead: '依頼にはリンクができます。求める相手に送ってください。' },
  more: '次の依頼',
  title: '依頼',
  titleHint: 'リンクを持つ人に見えます。下書きの件名にもなります。',
  text: '送ってほしいもの',
  textHint: 'たとえば、どのパスワードで、どこにあるか。リンクを持つ人はだれでも読むことができます。',
  answers: '受け付ける回答の数',
  closes: '締め切りまで',
  notify: '回答があったら知らせる',
  create: '依頼を作成',
  created: '依頼の準備ができました。このリンクを求める相手に送ってください。',
  answered: '回答：{allowed} 件中 {count} 件',
  open: '{time} まで受付中',
  full: '受け付ける数の回答がありました',
  closed: '締め切り済み',
  drafts: '下書きを表示',
  close: '締め切る',
  closeHint: 'リンクはすぐに使えなくなります。渡された回答は下書きに残ります。',
  inFolder: { other: '依頼 {count} 件' },
  done: {
    requestClosed: '依頼を締め切りました。',
  },
}

export const requestPage: RequestPageTexts = {
  heading: '機密のテキストを渡す',
  from: '{name} さんが機密のテキストを求めています',
  fromService: '{service} の利用者が機密のテキストを求めています',
  unverified: 'この名前は依頼した人が決めたもので、だれも確認していません。',
  label: 'あなたのテキスト',
  readers: '依頼した人と、サーバーを管理できる人が読むことができます。',
  send: '送信',
  sending: '送信しています…',
  until: '{time} まで回答できます（{when}）。',
  caution:
    '心当たりがある場合だけ回答してください。迷ったときは、入力する前に別の方法で本人に確認してください。',
  missing: 'テキストを入力してください。',
  tooLong: 'テキストがこのサービスの上限を超えています。短くしてください。',
  notText: '保存できない文字が含まれています。',
  tooMany:
    'お使いのネットワークからの回答が多すぎます。テキストは残っています。{when}にもう一度送信してください。',
  busy: 'サーバーが混み合っていて、まだ何も渡されていません。テキストは残っています。数秒後にもう一度送信してください。',
  unwritable:
    'サーバーが今は書き込めず、何も渡されていません。テキストは残っています。後でもう一度送信してください。',
  uncertain:
    '接続が切れました。テキストはすでに渡された可能性があります。もう一度送信しても、二重に追加されることはありません。',
  failed: 'こちら側で問題が起き、何も渡されていません。テキストは残っています。',
  tooLarge: {
    heading: 'テキストが大きすぎます',
    lead: '何も渡されていません。ブラウザーで前のページに戻り、残っているはずのテキストを短くしてください。',
  },
  refused: {
    heading: 'このテキストは受け付けられませんでした',
    lead: 'このリンクのページから送信されていないため、何も渡されていません。そのページから始めてください。',
  },
  unreadable: {
    heading: '読み取れませんでした',
    lead: '何も渡されていません。リンクのページからもう一度始めてください。',
  },
  received: {
    heading: 'テキストを受け取りました',
    lead: '{time} に渡されました。ここではもう読むことができません。',
    advice: 'このページは閉じてかまいません。',
  },
  gone: {
    heading: 'ここには回答するものがありません',
    lead: '依頼はすでに回答済みか、締め切られたか、期限切れか、リンクが完全にコピーされていない可能性があります。',
    advice: '送ってくれた人に、新しいリンクを頼んでください。',
  },
}

export const requestMails: RequestMailTexts = {
  answered: {
    heading: '依頼に回答がありました',
    lead: '回答は、依頼のフォルダーに同じタイトルの下書きとして保存されています。',
    full: 'これが依頼で受け付ける最後の回答でした。リンクはもう使えません。',
  },
  unanswered: {
    heading: '依頼は回答のないまま締め切られました',
    lead: '期限までに誰も回答しませんでした。リンクはもう使えません。',
  },
  facts: {
    answers: 'これまでの回答',
    answersLeft: '残りの回答',
    closes: '締め切り',
    closed: '締め切られた日時',
  },
  seeRequest: '依頼を見る',
  whyRequest: 'このメールは、依頼で「回答があったら通知する」が選ばれているため送られています。',
}
