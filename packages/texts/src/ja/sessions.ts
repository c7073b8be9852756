import type { SessionsTexts } from '../en/sessions.ts'

export const sessions: SessionsTexts = {
  heading: 'セッション',
  lead: 'ログインしているブラウザーです。セッションは 12 時間使わないとき、または 14 日たつと、自動的に終了します。名前を付けると見分けやすくなります。',
  thisOne: 'このセッション',
  other: 'ほかのセッション',
  startedAt: '{time}にログイン',
  end: '終了する',
  rename: '名前を付ける',
  done: {
    sessionNamed: 'セッションの名前を保存しました。',
    sessionEnded: 'セッションを終了しました。',
  },
}
