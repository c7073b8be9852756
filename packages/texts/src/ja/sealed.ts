import type { SealedTexts } from '../en/sealed.ts'

export const sealed: SealedTexts = {
  box: 'このブラウザーで暗号化する',
  hint: 'このサーバーは内容を読めなくなります。鍵はリンクの中にしかありません。',
  readable: 'このサーバーも読むことができます。',
  noDraft: '下書きはブラウザーで暗号化できません。下書きとして残すには、そのチェックを外してください。',
  encrypting: '暗号化しています…',
  keyNow: '今すぐリンクをコピーしてください。鍵は保存されず、再び表示することはできません。',
  keyElsewhere: '鍵は、コピーしたリンクの中にしかありません。',
  inBrowser: 'ブラウザーで暗号化',
  inList: 'ブラウザーで暗号化済み',
}
